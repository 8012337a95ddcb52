//! Holding skills against a registry: whether their templates make plans that the engine takes.

use std::collections::{BTreeMap, BTreeSet};

use leg_core::plan::{Part, Reference};
use leg_core::{Kind, RegisteredTool, Registry, ToolName};
use serde_json::Value;

use super::{Skill, SkillProblem, SkillSet, SubSkill, TemplateStep, ToolStep};

/// A skill shows at least so many questions.
const MIN_EXAMPLES: usize = 3;

/// Agent Skills: a description has at most so many characters.
const MAX_DESCRIPTION: usize = 1024;

/// Slots and plain types that a parameter may have.
const SLOTS: [&str; 18] = [
    "variable",
    "region",
    "index_region",
    "time",
    "time_with_baseline",
    "season",
    "months",
    "depth",
    "point",
    "lon",
    "lat",
    "index",
    "baseline",
    "dataset",
    "title",
    "string",
    "number",
    "boolean",
];

/// Everything that is wrong with the skills: folders that could not be read, front matter, tools that the registry does not
/// have or that `allowed-tools` does not name, arguments, references and kinds that do not fit, parameters that are not
/// declared, missing examples.
pub fn check(skills: &SkillSet, registry: &Registry) -> Vec<SkillProblem> {
    let mut problems = skills.problems().to_vec();
    for skill in skills.iter() {
        let mut check = Check { skills, registry, skill, problems: Vec::new(), used: BTreeSet::new() };
        check.front_matter();
        check.parameters();
        for (name, steps) in skill.workflow.all_branches() {
            check.branch(name, steps);
        }
        check.phrases();
        check.unused();
        problems.extend(check.problems);
    }
    problems.sort();
    problems.dedup();
    problems
}

struct Check<'a> {
    skills: &'a SkillSet,
    registry: &'a Registry,
    skill: &'a Skill,
    problems: Vec<SkillProblem>,
    used: BTreeSet<String>,
}

/// A step that later steps can refer to.
struct Known<'a> {
    tool: Option<&'a RegisteredTool>,
    kind: Option<Kind>,
    conditional: bool,
}

impl<'a> Check<'a> {
    fn report(&mut self, file: &str, message: impl Into<String>) {
        self.problems.push(SkillProblem::new(&self.skill.id, file, message));
    }

    fn front_matter(&mut self) {
        let front = &self.skill.front;
        if front.name != self.skill.id {
            self.report("SKILL.md", format!("`name` is `{}`; give it the folder's name", front.name));
        }
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if front.name.is_empty() || front.name.len() > 64 || !front.name.chars().all(plain) {
            self.report(
                "SKILL.md",
                "`name` has other signs than small letters, digits and `-`, or is too long",
            );
        }
        let length = front.description.chars().count();
        if front.description.trim().is_empty() || length > MAX_DESCRIPTION {
            self.report(
                "SKILL.md",
                format!("`description` has {length} characters; write 1 to {MAX_DESCRIPTION}"),
            );
        }
        for tool in &front.allowed_tools {
            if self.registry.tool(tool).is_none() {
                self.report("SKILL.md", format!("`allowed-tools` names `{tool}`, which is not registered"));
            }
        }
        if self.skill.manual.trim().is_empty() {
            self.report("SKILL.md", "has no manual; say what the skill is for and how its result is read");
        }
    }

    fn parameters(&mut self) {
        for (name, parameter) in &self.skill.workflow.parameters {
            if !SLOTS.contains(&parameter.slot.as_str()) {
                let message = format!(
                    "parameter `{name}` has type `{}`; use one of {}",
                    parameter.slot,
                    SLOTS.join(", ")
                );
                self.report("workflow.json", message);
            }
        }
        let examples = &self.skill.workflow.examples;
        if examples.len() < MIN_EXAMPLES {
            let message = format!("has {} example questions; give at least {MIN_EXAMPLES}", examples.len());
            self.report("workflow.json", message);
        }
        for tool in examples.iter().flat_map(|example| &example.plan) {
            if self.registry.tool(tool).is_none() {
                self.report(
                    "workflow.json",
                    format!("an example names tool `{tool}`, which is not registered"),
                );
            }
        }
    }

    fn branch(&mut self, branch: &str, steps: &'a [TemplateStep]) {
        let mut known: BTreeMap<&str, Known<'a>> = BTreeMap::new();
        for step in steps {
            let id = step.id();
            if !is_id(id) {
                self.report(
                    "workflow.json",
                    format!("branch `{branch}`: `{id}` is no id; use small letters, digits and `_`"),
                );
            }
            if known.contains_key(id) {
                self.report(
                    "workflow.json",
                    format!("branch `{branch}`: id `{id}` stands twice; rename one"),
                );
            }
            let entry = match step {
                TemplateStep::Tool(step) => self.tool_step(branch, step, &known),
                TemplateStep::Skill(sub) => self.sub_skill(branch, sub),
            };
            known.insert(id, entry);
        }
        let result = &self.skill.workflow.result;
        let Some(answer) = known.get(result.step.as_str()) else {
            self.report(
                "workflow.json",
                format!("branch `{branch}` has no step `{}`, which `result` names", result.step),
            );
            return;
        };
        // Tracks side by side have the results of their own skills.
        let tracks = steps.iter().all(|step| matches!(step, TemplateStep::Skill(_)));
        if let Some(kind) = answer.kind.filter(|kind| kind.as_str() != result.kind && !tracks) {
            let message = format!(
                "branch `{branch}`: `result` says `{}`, and `{}` gives `{kind}`",
                result.kind, result.step
            );
            self.report("workflow.json", message);
        }
        for figure in &self.skill.workflow.figures {
            if let Some(tool) = known.get(figure.as_str()).and_then(|known| known.tool)
                && !tool.spec.produces_images
            {
                self.report("workflow.json", format!("`figures` names `{figure}`, whose tool draws nothing"));
            }
        }
    }

    fn tool_step(
        &mut self,
        branch: &str,
        step: &'a ToolStep,
        known: &BTreeMap<&str, Known<'a>>,
    ) -> Known<'a> {
        if let Some(when) = &step.when {
            self.parameter(branch, &step.id, &when.param);
        }
        if !self.skill.front.allowed_tools.contains(&step.tool) {
            self.report(
                "SKILL.md",
                format!("`allowed-tools` lacks `{}`, which step `{}` calls", step.tool, step.id),
            );
        }
        let tool = self.registry.tool(&step.tool);
        if tool.is_none() {
            let message =
                format!("branch `{branch}`, step `{}`: tool `{}` is not registered", step.id, step.tool);
            self.report("workflow.json", message);
        }
        if ToolName::new(step.tool.clone()).is_err() {
            self.report("workflow.json", format!("`{}` is no tool name", step.tool));
        }
        for (name, value) in &step.args {
            if let Some(tool) = tool {
                let properties = tool.spec.arguments.get("properties").and_then(Value::as_object);
                if properties.is_none_or(|properties| !properties.contains_key(name)) {
                    let known: Vec<&str> =
                        properties.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
                    let message = format!(
                        "branch `{branch}`, step `{}`: tool `{}` has no argument `{name}`; it has {}",
                        step.id,
                        step.tool,
                        known.join(", ")
                    );
                    self.report("workflow.json", message);
                }
            }
            self.value(branch, step, tool, name, value, known);
        }
        let required = tool.and_then(|tool| tool.spec.arguments.get("required")).and_then(Value::as_array);
        for name in required.into_iter().flatten().filter_map(Value::as_str) {
            if !step.args.contains_key(name) {
                let message = format!(
                    "branch `{branch}`, step `{}`: argument `{name}` of `{}` is needed",
                    step.id, step.tool
                );
                self.report("workflow.json", message);
            }
        }
        let kind = tool.and_then(|tool| tool.spec.outputs.first()).and_then(|output| output.port.kind);
        Known { tool, kind, conditional: step.when.is_some() }
    }

    /// Walks a value of an argument: parameters must be declared, references must point back and fit.
    fn value(
        &mut self,
        branch: &str,
        step: &ToolStep,
        tool: Option<&RegisteredTool>,
        argument: &str,
        value: &Value,
        known: &BTreeMap<&str, Known<'a>>,
    ) {
        match value {
            Value::Object(members) if members.contains_key("$param") => {
                match (members.len(), members.get("$param").and_then(Value::as_str)) {
                    (1, Some(name)) => self.parameter(branch, &step.id, name),
                    _ => self.report(
                        "workflow.json",
                        format!("step `{}`: `$param` stands alone and names a parameter", step.id),
                    ),
                }
            }
            Value::Object(members) if members.contains_key("$ref") => {
                let Some(reference) =
                    Reference::text_in(value).and_then(|text| text.parse::<Reference>().ok())
                else {
                    let message = format!(
                        "step `{}`: `{value}` is no reference; write {{\"$ref\": \"step\"}}",
                        step.id
                    );
                    self.report("workflow.json", message);
                    return;
                };
                self.reference(branch, step, tool, argument, &reference, known);
            }
            Value::Object(members) => {
                for value in members.values() {
                    self.value(branch, step, tool, argument, value, known);
                }
            }
            Value::Array(items) => {
                for value in items {
                    self.value(branch, step, tool, argument, value, known);
                }
            }
            _ => {}
        }
    }

    fn reference(
        &mut self,
        branch: &str,
        step: &ToolStep,
        tool: Option<&RegisteredTool>,
        argument: &str,
        reference: &Reference,
        known: &BTreeMap<&str, Known<'a>>,
    ) {
        let place = format!("branch `{branch}`, step `{}`", step.id);
        let Some(source) = known.get(reference.node.as_str()) else {
            self.report("workflow.json", format!("{place}: `{reference}` refers to no step before it"));
            return;
        };
        if source.conditional && step.when.is_none() {
            let message = format!(
                "{place}: `{reference}` may be left out by its `when`; give this step the same `when`"
            );
            self.report("workflow.json", message);
        }
        let kind = match &reference.part {
            Part::Primary => source.kind,
            Part::Output(name) => match source.tool.map(|tool| tool.spec.find_output(name)) {
                Some(None) => {
                    self.report(
                        "workflow.json",
                        format!("{place}: `{reference}` names an output that its tool does not have"),
                    );
                    None
                }
                Some(Some(output)) => output.port.kind,
                None => None,
            },
            Part::Evidence { name, .. } => {
                if source.tool.is_some_and(|tool| !tool.spec.evidence.contains(name)) {
                    self.report(
                        "workflow.json",
                        format!("{place}: `{reference}` names evidence that its tool does not give"),
                    );
                }
                None
            }
            Part::Status => None,
        };
        if let (Some(kind), Some(port)) = (kind, tool.and_then(|tool| tool.spec.port(argument)))
            && !port.accepts(kind)
        {
            let wanted: Vec<&str> = port.kinds().into_iter().map(Kind::as_str).collect();
            let message = format!(
                "{place}: argument `{argument}` takes {}, and `{reference}` is a {kind}",
                wanted.join(" or ")
            );
            self.report("workflow.json", message);
        }
    }

    fn sub_skill(&mut self, branch: &str, sub: &'a SubSkill) -> Known<'a> {
        let place = format!("branch `{branch}`, sub-skill `{}`", sub.name);
        for name in sub.with.values().filter_map(|value| value.get("$param")).filter_map(Value::as_str) {
            self.parameter(branch, &sub.name, name);
        }
        let Some(inner) = self.skills.get(&sub.skill) else {
            self.report("workflow.json", format!("{place}: there is no skill `{}`", sub.skill));
            return Known { tool: None, kind: None, conditional: false };
        };
        for name in sub.with.keys() {
            if !inner.workflow.parameters.contains_key(name) {
                self.report(
                    "workflow.json",
                    format!("{place}: skill `{}` has no parameter `{name}`", sub.skill),
                );
            }
        }
        for tool in &inner.front.allowed_tools {
            if !self.skill.front.allowed_tools.contains(tool) {
                self.report(
                    "SKILL.md",
                    format!("`allowed-tools` lacks `{tool}`, which skill `{}` calls", sub.skill),
                );
            }
        }
        if self.reaches(&sub.skill, &mut BTreeSet::new()) {
            self.report("workflow.json", format!("{place}: skill `{}` leads back to this one", sub.skill));
        }
        Known { tool: None, kind: Kind::from_name(&inner.workflow.result.kind), conditional: false }
    }

    /// Whether a skill is composed of this one.
    fn reaches(&self, id: &str, seen: &mut BTreeSet<String>) -> bool {
        if id == self.skill.id {
            return true;
        }
        if !seen.insert(id.to_owned()) {
            return false;
        }
        let Some(skill) = self.skills.get(id) else { return false };
        let inner: Vec<&str> = skill
            .workflow
            .all_branches()
            .flat_map(|(_, steps)| steps)
            .filter_map(|step| match step {
                TemplateStep::Skill(sub) => Some(sub.skill.as_str()),
                TemplateStep::Tool(_) => None,
            })
            .collect();
        inner.into_iter().any(|id| self.reaches(id, seen))
    }

    fn parameter(&mut self, branch: &str, step: &str, name: &str) {
        self.used.insert(name.to_owned());
        if !self.skill.workflow.parameters.contains_key(name) {
            let message = format!("branch `{branch}`, step `{step}`: parameter `{name}` is not declared");
            self.report("workflow.json", message);
        }
    }

    fn phrases(&mut self) {
        let phrases = &self.skill.phrases;
        for bind in &phrases.bind {
            if !self.skill.workflow.parameters.contains_key(&bind.parameter) {
                self.report(
                    "phrases.toml",
                    format!("`bind` sets `{}`, which is not declared", bind.parameter),
                );
            }
            if bind.pattern.as_ref().is_some_and(|pattern| {
                regex::Regex::new(pattern).map_or(true, |regex| regex.captures_len() < 2)
            }) {
                self.report(
                    "phrases.toml",
                    format!("the pattern for `{}` is no expression with a group", bind.parameter),
                );
            }
            if bind.pattern.is_none() && bind.words.is_empty() {
                self.report(
                    "phrases.toml",
                    format!("`bind` for `{}` has neither words nor a pattern", bind.parameter),
                );
            }
        }
        for rule in &phrases.branch {
            if rule.name != "default" && !self.skill.workflow.branches.contains_key(&rule.name) {
                self.report(
                    "phrases.toml",
                    format!("`branch` names `{}`, which workflow.json does not have", rule.name),
                );
            }
        }
    }

    fn unused(&mut self) {
        let unused: Vec<String> = self
            .skill
            .workflow
            .parameters
            .keys()
            .filter(|name| !self.used.contains(*name))
            .cloned()
            .collect();
        for name in unused {
            self.report("workflow.json", format!("parameter `{name}` is declared and no step uses it"));
        }
    }
}

fn is_id(text: &str) -> bool {
    leg_core::TrackId::new(text).is_ok()
}
