//! [`Workflow`]: the procedure of a skill, as in `workflow.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// The version of the form.
pub(super) const WORKFLOW_VERSION: u32 = 1;

/// The procedure of a skill: a template that parameters fill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workflow {
    /// 1.
    pub version: u32,
    /// What the template takes.
    #[serde(default)]
    pub parameters: BTreeMap<String, Parameter>,
    /// The default branch.
    pub steps: Vec<TemplateStep>,
    /// Other branches by name.
    #[serde(default)]
    pub branches: BTreeMap<String, Vec<TemplateStep>>,
    /// Which step answers; every branch has it.
    pub result: TemplateResult,
    /// Names of the evidence that the answer rests on.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// Steps that draw.
    #[serde(default)]
    pub figures: Vec<String>,
    /// Questions with the tools that their plans call.
    #[serde(default)]
    pub examples: Vec<Example>,
}

/// What a template takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// The slot that fills it: `variable`, `region`, `time`, `time_with_baseline`, `season`, `months`, `depth`, `point`,
    /// `lon`, `lat`, `index`, `baseline`, `dataset`, `title`; or `string`, `number`, `boolean`, which only phrases fill.
    #[serde(rename = "type")]
    pub slot: String,
    /// CF unit of a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Whether a plan cannot be made without it.
    #[serde(default)]
    pub required: bool,
    /// The value when the question is silent.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub default: Value,
    /// What to ask when it is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ask: Option<String>,
}

/// A step of a template.
#[derive(Debug, Clone, PartialEq)]
pub enum TemplateStep {
    /// A call of a tool.
    Tool(ToolStep),
    /// The steps of another skill. A branch of these alone makes a track of each.
    Skill(SubSkill),
}

/// A call of a tool in a template.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolStep {
    /// Its id within the skill.
    pub id: String,
    /// The tool.
    pub tool: String,
    /// Arguments with `{"$param": "name"}` and `{"$ref": "step"}`.
    pub args: Map<String, Value>,
    /// Only if a parameter is so.
    pub when: Option<When>,
}

/// The steps of another skill in a template.
#[derive(Debug, Clone, PartialEq)]
pub struct SubSkill {
    /// The skill.
    pub skill: String,
    /// Values for its parameters.
    pub with: Map<String, Value>,
    /// The name under which its result is referred to, and the prefix of its steps.
    pub name: String,
}

/// A step is there only if a parameter is so.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct When {
    /// The parameter.
    pub param: String,
    /// `"set"`, `"unset"`, or the value that it has.
    pub is: Value,
}

/// The ways a [`When`] looks at its parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Presence<'a> {
    /// It has a value.
    Set,
    /// It has none.
    Unset,
    /// It has this value.
    Is(&'a Value),
}

impl When {
    /// What is asked of the parameter.
    pub fn presence(&self) -> Presence<'_> {
        match self.is.as_str() {
            Some("set") => Presence::Set,
            Some("unset") => Presence::Unset,
            _ => Presence::Is(&self.is),
        }
    }

    /// Whether it holds for this value; `None` is an unset parameter.
    pub fn holds(&self, value: Option<&Value>) -> bool {
        match self.presence() {
            Presence::Set => value.is_some(),
            Presence::Unset => value.is_none(),
            Presence::Is(wanted) => value == Some(wanted),
        }
    }
}

/// Which step answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateResult {
    /// The step or sub-skill.
    #[serde(rename = "ref")]
    pub step: String,
    /// The artifact's kind.
    pub kind: String,
    /// The result type of the planning suite.
    #[serde(rename = "type")]
    pub result_type: String,
}

/// A question with the tools that its plan calls, in the plan's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// The question.
    pub question: String,
    /// The tools.
    pub plan: Vec<String>,
}

impl Workflow {
    /// The default branch and the others, with their names.
    pub fn all_branches(&self) -> impl Iterator<Item = (&str, &[TemplateStep])> {
        let others = self.branches.iter().map(|(name, steps)| (name.as_str(), steps.as_slice()));
        std::iter::once(("default", self.steps.as_slice())).chain(others)
    }

    /// The most tracks that a branch makes. Sub-skills alone make a track each, one for each thing that a question sets
    /// side by side, in its order; every other branch makes one.
    pub fn tracks(&self) -> usize {
        let tracks = |steps: &[TemplateStep]| {
            let all = steps.iter().all(|step| matches!(step, TemplateStep::Skill(_)));
            if all { steps.len().max(1) } else { 1 }
        };
        self.all_branches().map(|(_, steps)| tracks(steps)).max().unwrap_or(1)
    }
}

impl TemplateStep {
    /// The name by which later steps refer to it.
    pub fn id(&self) -> &str {
        match self {
            Self::Tool(step) => &step.id,
            Self::Skill(sub) => &sub.name,
        }
    }
}

/// A step as it is written: one of two sets of keys.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RawStep {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    args: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when: Option<When>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skill: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    with: Option<Map<String, Value>>,
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

impl<'de> Deserialize<'de> for TemplateStep {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        match RawStep::deserialize(deserializer)? {
            RawStep { id: Some(id), tool: Some(tool), args, when, skill: None, with: None, name: None } => {
                Ok(Self::Tool(ToolStep { id, tool, args: args.unwrap_or_default(), when }))
            }
            RawStep {
                skill: Some(skill),
                with,
                name: Some(name),
                id: None,
                tool: None,
                args: None,
                when: None,
            } => Ok(Self::Skill(SubSkill { skill, with: with.unwrap_or_default(), name })),
            _ => Err(D::Error::custom("a step has `id`, `tool`, `args`, `when?`, or `skill`, `with`, `as`")),
        }
    }
}

impl Serialize for TemplateStep {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = match self.clone() {
            Self::Tool(step) => RawStep {
                id: Some(step.id),
                tool: Some(step.tool),
                args: Some(step.args),
                when: step.when,
                ..RawStep::default()
            },
            Self::Skill(sub) => RawStep {
                skill: Some(sub.skill),
                with: Some(sub.with),
                name: Some(sub.name),
                ..RawStep::default()
            },
        };
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_call_or_a_skill_and_not_both() {
        let good = [
            r#"{"id":"a","tool":"t","args":{}}"#,
            r#"{"id":"a","tool":"t","when":{"param":"p","is":"set"}}"#,
            r#"{"skill":"s","with":{},"as":"a"}"#,
        ];
        for text in good {
            let step: TemplateStep = serde_json::from_str(text).unwrap();
            assert_eq!(
                serde_json::from_value::<TemplateStep>(serde_json::to_value(&step).unwrap()).unwrap(),
                step
            );
        }
        for text in [
            r#"{"id":"a"}"#,
            r#"{"id":"a","tool":"t","skill":"s","as":"b"}"#,
            r#"{"id":"a","tool":"t","loop":1}"#,
            r#"{"skill":"s"}"#,
        ] {
            assert!(serde_json::from_str::<TemplateStep>(text).is_err(), "{text}");
        }
    }

    #[test]
    fn presence_is_set_unset_or_a_value() {
        let when = |is: Value| When { param: "p".into(), is };
        let value = Value::from(3);
        assert!(when("set".into()).holds(Some(&value)) && !when("set".into()).holds(None));
        assert!(when("unset".into()).holds(None) && !when("unset".into()).holds(Some(&value)));
        assert!(when(3.into()).holds(Some(&value)) && !when(4.into()).holds(Some(&value)));
    }
}
