//! [`Plan`]: the document that a planner or a language model writes. It is data: nothing in it was checked.

use serde::Serialize;
use serde_json::Value;

use super::Reference;
use crate::canonical::{Canonical, CanonicalError, Writer};
use crate::{AgentId, NodeId, ToolName, TrackId};

/// The version of the plan format.
pub const PLAN_VERSION: u32 = 1;

/// A question and the tracks that answer it.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// [`PLAN_VERSION`].
    pub version: u32,
    /// The question.
    pub question: String,
    /// Independent lines of work.
    pub tracks: Vec<Track>,
}

/// A line of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its id.
    pub id: TrackId,
    /// What it is to find.
    pub goal: String,
    /// When its nodes may start.
    pub barriers: Barriers,
    /// Tool calls, or layers of agents.
    pub body: Body,
    /// The step whose output is the track's result; the last one when absent.
    pub result: Option<Reference>,
}

/// When a track's nodes may start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Barriers {
    /// When the whole layer before has ended.
    #[default]
    Strict,
    /// When their own inputs are there.
    Dataflow,
}

/// The two forms of a track.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Tool calls; their layers follow from their references.
    Steps(Vec<Step>),
    /// Layers of agents, in order.
    Layers(Vec<Layer>),
}

/// A tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its id.
    pub id: NodeId,
    /// The tool.
    pub tool: ToolName,
    /// Arguments; a value may be `{"$ref": "step"}`.
    pub args: Value,
    /// Fan-out over a list.
    pub for_each: Option<ForEach>,
    /// Only if this holds.
    pub when: Option<Condition>,
    /// Limits.
    pub limits: Limits,
}

/// A layer of agents that run side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// What a failure does to the others.
    pub policy: Policy,
    /// The agents.
    pub nodes: Vec<AgentStep>,
}

/// An agent with its task.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentStep {
    /// Its id.
    pub id: NodeId,
    /// The agent.
    pub agent: AgentId,
    /// What it is to do.
    pub task: String,
    /// Only if this holds.
    pub when: Option<Condition>,
    /// Limits.
    pub limits: Limits,
}

/// What a failed node does to its layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Policy {
    /// Every sibling ends; the failure is a gap.
    #[default]
    Settle,
    /// The siblings are stopped.
    FailFast,
}

/// A node's own limits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Limits {
    /// Seconds until it is given up.
    pub timeout_s: Option<f64>,
    /// How often a transient error is tried again.
    pub retries: Option<u32>,
    /// What it may spend: calls, tokens, bytes, seconds, money. Unset is unlimited, 0 is nothing.
    pub budget: Option<std::collections::BTreeMap<String, f64>>,
}

/// Fan-out of a step over a list.
#[derive(Debug, Clone, PartialEq)]
pub struct ForEach {
    /// The list, or where it comes from.
    pub items: Items,
    /// The name of an item, for people.
    pub name: String,
    /// The most items.
    pub max: usize,
    /// How the results are joined.
    pub join: Join,
}

/// Where a fan-out's items come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// The plan has them.
    List(Vec<Value>),
    /// An earlier step gives them.
    Reference(Reference),
}

/// How the results of a fan-out are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// One after the other.
    #[default]
    List,
    /// Lists are appended.
    Concat,
    /// A row each.
    Table,
}

/// A node runs only if this holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// What is looked at.
    pub reference: Reference,
    /// How it is compared.
    pub op: Comparison,
    /// With what; absent for `exists`.
    pub value: Value,
}

/// Comparison of a [`Condition`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less than.
    Lt,
    /// At most.
    Le,
    /// Greater than.
    Gt,
    /// At least.
    Ge,
    /// There is a value that is not null.
    Exists,
}

impl Comparison {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::Lt => "lt",
            Self::Le => "le",
            Self::Gt => "gt",
            Self::Ge => "ge",
            Self::Exists => "exists",
        }
    }
}

impl Join {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Concat => "concat",
            Self::Table => "table",
        }
    }
}

impl Plan {
    /// The plan as the JSON of FORMS.md; what has its default value is left out.
    pub fn to_json(&self) -> Value {
        // What is written canonically is JSON.
        let bytes = crate::canonical::to_vec(self).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or(Value::Null)
    }
}

impl Canonical for Plan {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("question").str(&self.question);
        object.key("tracks").value(self.tracks.as_slice())?;
        object.key("version").count(u64::from(self.version));
        object.end();
        Ok(())
    }
}

impl Canonical for Track {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        if self.barriers == Barriers::Dataflow {
            object.key("barriers").str("dataflow");
        }
        if !self.goal.is_empty() {
            object.key("goal").str(&self.goal);
        }
        object.key("id").str(self.id.as_str());
        if let Body::Layers(layers) = &self.body {
            object.key("layers").value(layers.as_slice())?;
        }
        if let Some(result) = &self.result {
            object.key("result").value(result)?;
        }
        if let Body::Steps(steps) = &self.body {
            object.key("steps").value(steps.as_slice())?;
        }
        object.end();
        Ok(())
    }
}

impl Canonical for Layer {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("nodes").value(self.nodes.as_slice())?;
        if self.policy == Policy::FailFast {
            object.key("policy").str("fail_fast");
        }
        object.end();
        Ok(())
    }
}

impl Canonical for AgentStep {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("agent").str(self.agent.as_str());
        if let Some(budget) = &self.limits.budget {
            write_budget(object.key("budget"), budget)?;
        }
        object.key("id").str(self.id.as_str());
        if let Some(retries) = self.limits.retries {
            object.key("retries").count(u64::from(retries));
        }
        object.key("task").str(&self.task);
        if let Some(seconds) = self.limits.timeout_s {
            object.key("timeout_s").number(seconds)?;
        }
        if let Some(when) = &self.when {
            object.key("when").value(when)?;
        }
        object.end();
        Ok(())
    }
}

impl Canonical for Step {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("args").value(&self.args)?;
        if let Some(budget) = &self.limits.budget {
            write_budget(object.key("budget"), budget)?;
        }
        if let Some(for_each) = &self.for_each {
            object.key("for_each").value(for_each)?;
        }
        object.key("id").str(self.id.as_str());
        if let Some(retries) = self.limits.retries {
            object.key("retries").count(u64::from(retries));
        }
        if let Some(seconds) = self.limits.timeout_s {
            object.key("timeout_s").number(seconds)?;
        }
        object.key("tool").str(self.tool.as_str());
        if let Some(when) = &self.when {
            object.key("when").value(when)?;
        }
        object.end();
        Ok(())
    }
}

fn write_budget(
    out: &mut Writer,
    budget: &std::collections::BTreeMap<String, f64>,
) -> Result<(), CanonicalError> {
    let mut object = out.object();
    for (name, amount) in budget {
        object.key(name).number(*amount)?;
    }
    object.end();
    Ok(())
}

impl Canonical for ForEach {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("as").str(&self.name);
        match &self.items {
            Items::List(items) => object.key("items").value(items.as_slice())?,
            Items::Reference(reference) => object.key("items").value(reference)?,
        }
        object.key("join").str(self.join.as_str());
        object.key("max").count(self.max as u64);
        object.end();
        Ok(())
    }
}

impl Canonical for Condition {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("op").str(self.op.as_str());
        object.key("ref").display(&self.reference);
        if self.op != Comparison::Exists {
            object.key("value").value(&self.value)?;
        }
        object.end();
        Ok(())
    }
}
