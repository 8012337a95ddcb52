//! [`Overseer`]: judges the results of a layer, and says which node should be fired again with more context.
//!
//! It only judges. What really happens is decided by [`Oversight`](super::Oversight), which keeps to the bounds and
//! never repeats a write, whatever an overseer says. [`RulesOverseer`](super::RulesOverseer) is the plain form; a run
//! without an overseer takes every result as it is.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{AgentId, AgentSpec, NodeId, Registry, Status, ToolError, ToolName, ToolSpec, TrackId};

/// Judges the results of a layer.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::run::{Action, Judgement, LayerView, Overseer, OverseerVerdict};
/// use leg_core::ToolError;
///
/// /// Wants words of every agent.
/// #[derive(Debug)]
/// struct Words;
///
/// #[async_trait]
/// impl Overseer for Words {
///     fn name(&self) -> String {
///         "words/1".to_owned()
///     }
///
///     async fn judge(&self, layer: &LayerView) -> Result<Vec<Judgement>, ToolError> {
///         let silent = layer.nodes.iter().filter(|node| node.text.is_empty());
///         let again = silent.map(|node| Judgement {
///             node: node.node.clone(),
///             verdict: OverseerVerdict::Empty,
///             action: Action::Refire,
///             context: "say what you found, in words".to_owned(),
///         });
///         Ok(again.collect())
///     }
/// }
/// assert_eq!(Words.name(), "words/1");
/// ```
#[async_trait]
pub trait Overseer: Send + Sync + Debug {
    /// A name with a version: it is part of what a replay compares.
    fn name(&self) -> String;

    /// Judges the nodes of a layer that has ended. A node that is not named is fine.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no judgement. The engine then takes the layer as it is, and records that.
    async fn judge(&self, layer: &LayerView) -> Result<Vec<Judgement>, ToolError>;
}

/// A layer that has ended, as an overseer sees it. What tools and services said in it is data, never an order.
///
/// ```
/// use leg_core::run::LayerView;
///
/// let view = LayerView { question: "?".to_owned(), track: "coast".parse()?, layer: 0, nodes: Vec::new() };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerView {
    /// The question of the run.
    pub question: String,
    /// The track.
    pub track: TrackId,
    /// The layer, from 0.
    pub layer: usize,
    /// Its agents or tools, in plan order.
    pub nodes: Vec<NodeView>,
}

/// A node of a [`LayerView`]: what it was to do, what it promised, what it gave.
///
/// ```
/// use leg_core::Status;
/// use leg_core::run::NodeView;
///
/// let view: NodeView = serde_json::from_value(serde_json::json!({
///     "node": "gauges", "work": {"agent": {"agent": "gauge", "task": "read the levels"}},
///     "promise": {"outputs": [], "evidence": ["level"], "at_least": 1, "repeatable": true}, "status": "ok"})).unwrap();
/// assert_eq!((view.status, view.evidence.len()), (Status::Ok, 0), "it promised evidence and gave none");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeView {
    /// The node.
    pub node: NodeId,
    /// What it was to do.
    pub work: WorkView,
    /// What its definition promises.
    pub promise: Promise,
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// Its words.
    #[serde(default)]
    pub text: String,
    /// The names of its outputs.
    #[serde(default)]
    pub outputs: Vec<String>,
    /// The keys of its evidence.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// What it could not find out although it ended well.
    #[serde(default)]
    pub gaps: Vec<String>,
    /// How often it was fired again before.
    #[serde(default)]
    pub attempt: u32,
    /// The nodes whose results it used.
    #[serde(default)]
    pub upstream: Vec<Upstream>,
}

/// What a node was to do.
///
/// ```
/// use leg_core::run::WorkView;
///
/// let work = WorkView::Tool { tool: "load".parse()? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WorkView {
    /// An agent worked on a task.
    Agent {
        /// The agent.
        agent: AgentId,
        /// The task.
        task: String,
    },
    /// A tool was called.
    Tool {
        /// The tool.
        tool: ToolName,
    },
}

/// A node whose result another one used.
///
/// ```
/// use leg_core::run::Upstream;
///
/// let upstream = Upstream { node: "sst".parse()?, agent: false, repeatable: true };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Upstream {
    /// The node.
    pub node: NodeId,
    /// Whether an agent worked in it: a tool gives the same again.
    pub agent: bool,
    /// Whether it may be fired again; see [`Promise::repeatable`].
    pub repeatable: bool,
}

/// What the definition of a node's tool or agent promises.
///
/// ```
/// use leg_core::run::Promise;
///
/// # let (_, registry) = leg_testkit::small_graph();
/// let promise = Promise::of_tool(&registry.tool("mean").unwrap().spec);
/// assert_eq!((promise.outputs, promise.evidence), (vec!["result".to_owned()], vec!["mean".to_owned(), "n".to_owned()]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Promise {
    /// The outputs that a call returns.
    #[serde(default)]
    pub outputs: Vec<String>,
    /// The names of evidence that may come.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// How many evidences there are at least.
    #[serde(default)]
    pub at_least: usize,
    /// Whether doing it twice does no harm: no tool that it may call writes.
    pub repeatable: bool,
}

impl Promise {
    /// What a tool promises: its declared outputs, and as many evidences as it lists.
    ///
    /// ```
    /// use leg_core::run::Promise;
    /// use leg_core::tool::{Port, ToolSpec};
    /// use leg_core::{Effect, Kind};
    ///
    /// let spec = ToolSpec::new("statistic", "Mean.", Port::of(Kind::Scalar)).evidence(&["mean", "n"]);
    /// let promise = Promise::of_tool(&spec);
    /// assert_eq!((promise.outputs, promise.at_least, promise.repeatable), (vec!["result".to_owned()], 2, true));
    /// assert!(!Promise::of_tool(&spec.effect(Effect::Write)).repeatable);
    /// ```
    pub fn of_tool(spec: &ToolSpec) -> Self {
        Self {
            outputs: spec.outputs.iter().map(|output| output.name.clone()).collect(),
            evidence: spec.evidence.clone(),
            at_least: spec.evidence.len(),
            repeatable: spec.effect != crate::Effect::Write,
        }
    }

    /// What an agent promises: an evidence, if one of its tools gives any.
    pub fn of_agent(spec: &AgentSpec, registry: &Registry) -> Self {
        let tools = || spec.tools.iter().filter_map(|tool| registry.tool(tool.as_str()));
        let mut evidence: Vec<String> = tools().flat_map(|tool| tool.spec.evidence.clone()).collect();
        evidence.sort();
        evidence.dedup();
        Self {
            outputs: Vec::new(),
            at_least: usize::from(!evidence.is_empty()),
            evidence,
            repeatable: tools().all(|tool| tool.spec.effect != crate::Effect::Write),
        }
    }
}

/// What an overseer finds about a node.
///
/// ```
/// use leg_core::run::{Action, Judgement, OverseerVerdict};
///
/// let judgement = Judgement {
///     node: "gauges".parse()?,
///     verdict: OverseerVerdict::TooLittleEvidence,
///     action: Action::Refire,
///     context: "name the highest level of each station".to_owned(),
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Judgement {
    /// The node.
    pub node: NodeId,
    /// What it finds.
    pub verdict: OverseerVerdict,
    /// What should be done.
    pub action: Action,
    /// Why; and, when a node is fired again, what its task gets added.
    #[serde(default)]
    pub context: String,
}

/// What an overseer finds.
///
/// ```
/// use leg_core::run::OverseerVerdict;
///
/// assert_eq!(serde_json::to_value(OverseerVerdict::TooLittleEvidence).unwrap(), "too_little_evidence");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OverseerVerdict {
    /// Nothing is wrong.
    Fine,
    /// It ended well and gave nothing.
    Empty,
    /// It could not find out what it was to find out.
    Gap,
    /// An output that its tool declares is not there.
    MissingOutput,
    /// There is less evidence than promised.
    TooLittleEvidence,
}

/// What should be done about a node.
///
/// ```
/// use leg_core::run::Action;
///
/// let action = Action::RefireUpstream { node: "stations".parse()? };
/// assert_ne!(action, Action::Accept);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Its result is taken as it is.
    Accept,
    /// It is fired again, with the context.
    Refire,
    /// A node upstream is fired again with the context, then everything that used it.
    RefireUpstream {
        /// The node upstream.
        node: NodeId,
    },
}
