//! [`RunEvent`]: every change of state of a run, as a web page or an NDJSON client reads it.
//!
//! `docs/events.md` says when each comes and what a client may rely on; [`event_schema`] is the published schema.

use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::run::Ruling;
use crate::{Digest, Evidence, NodeId, RunId, Status, TrackId};

/// A change of state, numbered.
///
/// A reader ignores members and types that it does not know: they may be added within a version.
///
/// ```
/// use leg_core::run::{Change, Engine, Recording, Run, RunOptions};
/// use leg_core::{Approval, RunId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (graph, registry) = leg_testkit::small_graph();
/// let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z");
/// let options = RunOptions::new(RunId::new("events")?);
/// let run = Run::start(graph, &approval, &Engine::new(registry), Recording::Off, options)?;
/// let mut events = run.events();
/// let mut expected = 0;
/// let mut finished = Vec::new();
/// while let Some(event) = events.next().await {
///     assert_eq!(event.seq, expected, "without a gap");
///     expected += 1;
///     if let Change::CallFinished { tool, .. } = &event.event {
///         finished.push(tool.clone());
///     }
/// }
/// assert_eq!(finished, ["load", "mean"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct RunEvent {
    /// Version of the event format.
    pub version: u32,
    /// Its place, from 0. `progress` and `heartbeat` have no place of their own: they carry the number of the event
    /// before.
    pub seq: u64,
    /// When, as ISO 8601.
    pub at: String,
    /// What changed.
    pub event: Change,
}

/// What changed.
///
/// ```
/// use leg_core::run::Change;
///
/// let change = Change::Progress { node: "sst".parse().unwrap(), done: 3, total: 12 };
/// assert!(change.is_sign_of_life());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Change {
    /// The run began.
    RunStarted {
        /// The run.
        run: RunId,
        /// The approved plan.
        plan_digest: Digest,
        /// How many nodes it has.
        nodes: usize,
    },
    /// A layer began.
    LayerStarted {
        /// The track.
        track: TrackId,
        /// The layer, from 0.
        layer: usize,
    },
    /// A node began.
    NodeStarted {
        /// The node.
        node: NodeId,
        /// Its track.
        track: Option<TrackId>,
    },
    /// A tool was called.
    CallStarted {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
    },
    /// A long call got further. Only the latest of a node is kept.
    Progress {
        /// The node.
        node: NodeId,
        /// Parts that are done.
        done: u64,
        /// All parts.
        total: u64,
    },
    /// A call goes on. Only the latest of a node is kept, as with progress.
    Heartbeat {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
        /// How long it goes on.
        elapsed_ms: u64,
    },
    /// A call ended.
    CallFinished {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
        /// How it ended.
        status: Status,
        /// How long it took.
        duration_ms: u64,
    },
    /// A node ended.
    NodeFinished {
        /// The node.
        node: NodeId,
        /// How it ended.
        status: Status,
        /// Why it did not end well.
        reason: Option<String>,
        /// Its evidence.
        evidence: Vec<Evidence>,
    },
    /// Something could not be found out; the report will state it.
    Gap {
        /// The node that has nothing.
        node: NodeId,
        /// How it ended.
        status: Status,
        /// Why, and what to do.
        reason: String,
    },
    /// The overseer judged a node of a layer that has ended.
    Overseer {
        /// The track.
        track: TrackId,
        /// The layer, from 0.
        layer: usize,
        /// The overseer.
        by: String,
        /// What it said, and what is done about it.
        ruling: Box<Ruling>,
    },
    /// The planner was asked for a repair.
    Replan {
        /// The replanner.
        by: String,
        /// The nodes that failed.
        failures: Vec<NodeId>,
        /// Whether there is a repair that may run.
        repaired: bool,
        /// Why there is none.
        reasons: Vec<String>,
    },
    /// The graph changed while it runs.
    PlanRevision {
        /// Why.
        cause: RevisionCause,
        /// The revision from now on: 0 until a repair or a resumed run.
        rev: u64,
        /// The node that was expanded.
        node: Option<NodeId>,
        /// What it was expanded to: items of a fan-out, nodes of a sub-graph.
        children: Vec<NodeId>,
    },
    /// A layer ended.
    LayerFinished {
        /// The track.
        track: TrackId,
        /// The layer, from 0.
        layer: usize,
    },
    /// The run ended; no event follows.
    RunFinished {
        /// How it ended.
        status: Status,
        /// The content root.
        content_root: Digest,
    },
}

/// Why a graph changed while it runs.
///
/// ```
/// use leg_core::run::RevisionCause;
///
/// assert_eq!(serde_json::to_value(RevisionCause::SubGraph).unwrap(), "sub_graph");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum RevisionCause {
    /// A fan-out knows its items.
    ForEach,
    /// An agent answered with a plan.
    SubGraph,
    /// A repaired plan takes over.
    Replan,
    /// A run that was stopped goes on.
    Resume,
}

/// The version of the event format.
pub const EVENT_VERSION: u32 = 1;

impl Change {
    /// Whether it is only a sign of life: it has no number, and only the latest of a node is kept.
    pub const fn is_sign_of_life(&self) -> bool {
        matches!(self, Self::Progress { .. } | Self::Heartbeat { .. })
    }
}

/// The JSON Schema (2020-12) of a [`RunEvent`]; `docs/schema/event.json` is this one.
///
/// ```
/// let schema = leg_core::run::event_schema();
/// assert_eq!(schema["title"], "RunEvent");
/// ```
pub fn event_schema() -> Value {
    let mut schema =
        SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<RunEvent>().to_value();
    without_examples(&mut schema);
    schema
}

/// Cuts descriptions before their first Rust example, which is for readers of the documentation.
fn without_examples(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if let Some(Value::String(text)) = members.get_mut("description")
                && let Some(start) = text.find("\n\n```")
            {
                text.truncate(start);
            }
            members.values_mut().for_each(without_examples);
        }
        Value::Array(items) => items.iter_mut().for_each(without_examples),
        _ => {}
    }
}
