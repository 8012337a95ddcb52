//! [`Node`] and [`Edge`]: what a layered graph is made of.

use std::sync::Arc;

use crate::plan::{AgentStep, Reference, Step};
use crate::{NodeId, TrackId};

/// A node of a layered graph.
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let reporter = graph.node(graph.reporter()).unwrap();
/// assert_eq!((reporter.track.as_ref(), reporter.layer), (None, 0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its id: that of the plan, or a readable made-up one such as `barrier_coast_2`.
    pub id: NodeId,
    /// Its track; the merge and the reporter have none.
    pub track: Option<TrackId>,
    /// Its layer in the track, from 0; 0 for the merge and the reporter.
    pub layer: usize,
    /// What it does.
    pub kind: NodeKind,
}

/// What a node does. A clone shares the step.
///
/// ```
/// use leg_core::graph::NodeKind;
///
/// # let (graph, _) = leg_testkit::small_graph();
/// let asked: Vec<&str> =
///     graph.graph().node_weights().filter(|node| node.kind.is_work()).map(|node| node.id.as_str()).collect();
/// assert_eq!(asked, ["sst", "mean"]);
/// assert_eq!(NodeKind::CrossTrackMerge.name(), "cross_track_merge");
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum NodeKind {
    /// An agent works on a task.
    Agent(Arc<AgentStep>),
    /// A tool is called.
    Tool(Arc<Step>),
    /// The pictures of a node are looked at.
    Image {
        /// The node that made them.
        of: NodeId,
    },
    /// The results of a layer's agents are folded into one brief.
    Consolidator,
    /// A layer ends.
    Barrier,
    /// The results of all tracks are folded into one brief.
    CrossTrackMerge,
    /// The answer is written.
    Reporter,
}

impl NodeKind {
    /// The name of the kind in JSON and for people.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Agent(_) => "agent",
            Self::Tool(_) => "tool",
            Self::Image { .. } => "image",
            Self::Consolidator => "consolidator",
            Self::Barrier => "barrier",
            Self::CrossTrackMerge => "cross_track_merge",
            Self::Reporter => "reporter",
        }
    }

    /// Whether the plan asked for it; other nodes come from routing rules.
    pub const fn is_work(&self) -> bool {
        matches!(self, Self::Agent(_) | Self::Tool(_))
    }
}

/// What flows along an edge.
///
/// ```
/// use leg_core::graph::Edge;
///
/// # let (graph, _) = leg_testkit::small_graph();
/// let data = graph.graph().edge_weights().filter(|edge| matches!(edge, Edge::Artifact(_))).count();
/// assert_eq!(data, 1, "from `sst` to `mean`; all other edges are order and context");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edge {
    /// The brief of what came before, or only the order.
    Context,
    /// A result that an argument, a condition or a fan-out names.
    Artifact(Reference),
}
