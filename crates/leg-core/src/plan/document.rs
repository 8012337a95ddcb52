//! [`Plan`]: the document that a planner or a language model writes. It is data: nothing in it was checked.

use serde::Serialize;
use serde_json::Value;

use super::Reference;
use crate::canonical::{Canonical, CanonicalError, Writer};
use crate::{AgentId, NodeId, ToolName, TrackId};

/// The version of the plan format.
pub const PLAN_VERSION: u32 = 1;

/// A question and the tracks that answer it.
///
/// ```
/// use leg_core::plan::parse;
///
/// let json = serde_json::json!({"version": 1, "question": "How warm was it?", "tracks": [
///     {"id": "coast", "steps": [{"id": "sst", "tool": "load", "args": {}}]}]});
/// let plan = parse(&json).map_err(|faults| format!("{faults:?}"))?;
/// assert_eq!(parse(&plan.to_json()), Ok(plan));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use leg_core::plan::{Barriers, Track};
///
/// # let plan = leg_testkit::small_plan();
/// let track: &Track = &plan.tracks[0];
/// assert_eq!((track.id.as_str(), track.barriers), ("coast", Barriers::Strict));
/// assert!(track.result.is_none(), "the last step is the result");
/// ```
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
///
/// ```
/// use leg_core::plan::{Barriers, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [
///     {"id": "t", "barriers": "dataflow", "steps": [{"id": "a", "tool": "echo", "args": {}}]}]})).unwrap();
/// assert_eq!(plan.tracks[0].barriers, Barriers::Dataflow);
/// ```
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
///
/// ```
/// use leg_core::plan::{Body, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [
///     {"id": "t", "layers": [{"nodes": [{"id": "a", "agent": "gauge", "task": "look"}]}]}]})).unwrap();
/// assert!(matches!(&plan.tracks[0].body, Body::Layers(layers) if layers[0].nodes.len() == 1));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Tool calls; their layers follow from their references.
    Steps(Vec<Step>),
    /// Layers of agents, in order.
    Layers(Vec<Layer>),
}

/// A tool call.
///
/// ```
/// use leg_core::plan::{Body, Step};
///
/// # let plan = leg_testkit::small_plan();
/// let Body::Steps(steps) = &plan.tracks[0].body else { unreachable!() };
/// let mean: &Step = &steps[1];
/// assert_eq!(mean.args, serde_json::json!({"data": {"$ref": "sst"}}));
/// ```
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
///
/// ```
/// use leg_core::plan::{Body, Policy, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [{"id": "t", "layers": [
///     {"policy": "fail_fast", "nodes": [{"id": "a", "agent": "gauge", "task": "look"}]}]}]})).unwrap();
/// let Body::Layers(layers) = &plan.tracks[0].body else { unreachable!() };
/// assert_eq!(layers[0].policy, Policy::FailFast);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// What a failure does to the others.
    pub policy: Policy,
    /// The agents.
    pub nodes: Vec<AgentStep>,
}

/// An agent with its task.
///
/// ```
/// use leg_core::plan::{AgentStep, Limits};
///
/// let step = AgentStep {
///     id: "levels".parse()?,
///     agent: "gauge".parse()?,
///     task: "Read the water levels of the coast.".to_owned(),
///     when: None,
///     limits: Limits::default(),
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use leg_core::plan::Policy;
///
/// assert_eq!(serde_json::to_value(Policy::FailFast).unwrap(), "fail_fast");
/// ```
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
///
/// ```
/// use leg_core::plan::{Body, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [
///     {"id": "a", "tool": "echo", "args": {}, "timeout_s": 5, "retries": 0, "budget": {"calls": 1}}]}]})).unwrap();
/// let Body::Steps(steps) = &plan.tracks[0].body else { unreachable!() };
/// assert_eq!((steps[0].limits.timeout_s, steps[0].limits.retries), (Some(5.0), Some(0)));
/// ```
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
///
/// ```
/// use leg_core::plan::{Body, Join, parse};
///
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [
///     {"id": "each", "tool": "echo", "args": {"depth": {"$item": ""}},
///      "for_each": {"items": [0, 10, 50], "as": "depth", "max": 10, "join": "table"}}]}]})).unwrap();
/// let Body::Steps(steps) = &plan.tracks[0].body else { unreachable!() };
/// let each = steps[0].for_each.as_ref().unwrap();
/// assert_eq!((each.name.as_str(), each.join), ("depth", Join::Table));
/// ```
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
///
/// ```
/// use leg_core::plan::Items;
///
/// let depths = Items::List(vec![0.into(), 10.into()]);
/// let found = Items::Reference("stations#/evidence/ids/value".parse().unwrap());
/// assert_ne!(depths, found);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Items {
    /// The plan has them.
    List(Vec<Value>),
    /// An earlier step gives them.
    Reference(Reference),
}

/// How the results of a fan-out are joined.
///
/// ```
/// use leg_core::plan::Join;
///
/// assert_eq!(Join::Concat.as_str(), "concat");
/// ```
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
///
/// ```
/// use leg_core::plan::{Comparison, Condition};
///
/// // The step runs when `sst` found at least 20 degrees.
/// let warm = Condition {
///     reference: "sst#/evidence/max/value".parse().unwrap(),
///     op: Comparison::Ge,
///     value: 20.into(),
/// };
/// ```
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
///
/// ```
/// use leg_core::plan::Comparison;
///
/// assert_eq!(Comparison::Exists.as_str(), "exists");
/// ```
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
