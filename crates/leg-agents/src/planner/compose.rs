//! From a template and values to steps and tracks.

use std::collections::BTreeMap;

use leg_core::plan::{Barriers, Body, Limits, Part, Reference, Step, Track};
use leg_core::{NodeId, ToolName, TrackId};
use serde_json::{Map, Value};

use crate::skills::{Skill, SkillSet, TemplateStep, ToolStep};

/// Skills in skills in skills: no procedure is deeper.
const MAX_DEPTH: usize = 4;

/// A template does not make a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ComposeError {
    #[error("skill `{skill}` has no branch `{branch}`")]
    Branch { skill: String, branch: String },
    #[error("skill `{0}` is not there")]
    Skill(String),
    #[error("skill `{0}` is composed of itself, or too deep")]
    Depth(String),
    #[error("`{0}` is not an id or name that a plan may have")]
    Id(String),
    #[error("a step refers to `{0}`, which no step before it has")]
    Reference(String),
}

/// What a template makes.
pub(super) struct Composed {
    pub(super) steps: Vec<Step>,
    pub(super) result: NodeId,
}

/// Gives the values of a sub-skill: `(skill, values that the parent gives, position among the parent's steps)`.
pub(super) type FillSub<'a> =
    &'a mut dyn FnMut(&Skill, &BTreeMap<String, Value>, usize) -> BTreeMap<String, Value>;

/// The steps of a branch.
pub(super) fn steps_of<'a>(
    skill: &'a Skill,
    branch: Option<&str>,
) -> Result<&'a [TemplateStep], ComposeError> {
    match branch {
        None => Ok(&skill.workflow.steps),
        Some(name) => skill
            .workflow
            .branches
            .get(name)
            .map(Vec::as_slice)
            .ok_or_else(|| ComposeError::Branch { skill: skill.id.clone(), branch: name.to_owned() }),
    }
}

/// Values for a sub-skill's parameters, out of the parent's.
pub(super) fn with_values(
    with: &Map<String, Value>,
    values: &BTreeMap<String, Value>,
) -> BTreeMap<String, Value> {
    with.iter().filter_map(|(name, value)| Some((name.clone(), fill_value(value, values)?))).collect()
}

/// Makes the steps of a branch; ids get the prefix.
pub(super) fn compose(
    skills: &SkillSet,
    skill: &Skill,
    branch: Option<&str>,
    values: &BTreeMap<String, Value>,
    prefix: &str,
    fill_sub: FillSub<'_>,
    depth: usize,
) -> Result<Composed, ComposeError> {
    if depth > MAX_DEPTH {
        return Err(ComposeError::Depth(skill.id.clone()));
    }
    let mut steps = Vec::new();
    // Names in the template and the ids that they got.
    let mut names: BTreeMap<String, NodeId> = BTreeMap::new();
    for (position, template) in steps_of(skill, branch)?.iter().enumerate() {
        match template {
            TemplateStep::Tool(step) => {
                if step.when.as_ref().is_some_and(|when| !when.holds(values.get(&when.param))) {
                    continue;
                }
                let made = tool_step(step, values, prefix, &names)?;
                names.insert(step.id.clone(), made.id.clone());
                steps.push(made);
            }
            TemplateStep::Skill(sub) => {
                let inner = skills.get(&sub.skill).ok_or_else(|| ComposeError::Skill(sub.skill.clone()))?;
                let given = with_values(&sub.with, values);
                let inner_values = fill_sub(inner, &given, position);
                let prefix = format!("{prefix}{}_", sub.name);
                let made = compose(skills, inner, None, &inner_values, &prefix, fill_sub, depth + 1)?;
                names.insert(sub.name.clone(), made.result);
                steps.extend(made.steps);
            }
        }
    }
    let result = &skill.workflow.result.step;
    let result = names.get(result).cloned().ok_or_else(|| ComposeError::Reference(result.clone()))?;
    Ok(Composed { steps, result })
}

fn tool_step(
    step: &ToolStep,
    values: &BTreeMap<String, Value>,
    prefix: &str,
    names: &BTreeMap<String, NodeId>,
) -> Result<Step, ComposeError> {
    let id = format!("{prefix}{}", step.id);
    let mut args = Map::new();
    for (name, value) in &step.args {
        if let Some(filled) = fill_value(value, values) {
            args.insert(name.clone(), refer(filled, names)?);
        }
    }
    Ok(Step {
        id: NodeId::new(id.clone()).map_err(|_| ComposeError::Id(id))?,
        tool: ToolName::new(step.tool.clone()).map_err(|_| ComposeError::Id(step.tool.clone()))?,
        args: Value::Object(args),
        for_each: None,
        when: None,
        limits: Limits::default(),
    })
}

/// A value with its parameters filled in; `None` when one is unset.
fn fill_value(value: &Value, values: &BTreeMap<String, Value>) -> Option<Value> {
    match value {
        Value::Object(members) => {
            if let (1, Some(Value::String(name))) = (members.len(), members.get("$param")) {
                return values.get(name).cloned();
            }
            let filled =
                members.iter().filter_map(|(key, value)| Some((key.clone(), fill_value(value, values)?)));
            Some(Value::Object(filled.collect()))
        }
        Value::Array(items) => {
            items.iter().map(|item| fill_value(item, values)).collect::<Option<Vec<_>>>().map(Value::Array)
        }
        other => Some(other.clone()),
    }
}

/// A value whose references have the ids of the plan.
fn refer(value: Value, names: &BTreeMap<String, NodeId>) -> Result<Value, ComposeError> {
    if let Some(text) = Reference::text_in(&value) {
        let unknown = || ComposeError::Reference(text.to_owned());
        let reference: Reference = text.parse().map_err(|_| unknown())?;
        let node = names.get(reference.node.as_str()).cloned().ok_or_else(unknown)?;
        let reference = Reference { node, part: reference.part };
        return Ok(serde_json::json!({"$ref": reference.to_string()}));
    }
    match value {
        Value::Object(members) => {
            let members: Result<Map<String, Value>, ComposeError> =
                members.into_iter().map(|(key, value)| Ok((key, refer(value, names)?))).collect();
            members.map(Value::Object)
        }
        Value::Array(items) => {
            let items: Result<Vec<Value>, ComposeError> =
                items.into_iter().map(|item| refer(item, names)).collect();
            items.map(Value::Array)
        }
        other => Ok(other),
    }
}

/// A track of composed steps.
pub(super) fn track(id: &str, goal: &str, composed: Composed) -> Result<Track, ComposeError> {
    Ok(Track {
        id: TrackId::new(id).map_err(|_| ComposeError::Id(id.to_owned()))?,
        goal: goal.to_owned(),
        barriers: Barriers::Strict,
        body: Body::Steps(composed.steps),
        result: Some(Reference { node: composed.result, part: Part::Primary }),
    })
}

/// A short id out of a label, if there is one in it.
pub(super) fn slug(label: &str) -> Option<String> {
    let words = super::normalize(label);
    let words = words.trim_start_matches("the ");
    if words.chars().filter(char::is_ascii_digit).count() > 4 || words.contains(',') {
        return None;
    }
    let words: String = words.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let words = words.trim_end_matches("_box").trim_matches('_');
    let id = if words.starts_with(|c: char| c.is_ascii_digit()) {
        format!("in_{words}")
    } else {
        words.to_owned()
    };
    (!words.is_empty() && id.len() <= 24).then_some(id)
}
