//! [`Node`] and [`Edge`]: what a layered graph is made of.

use std::sync::Arc;

use crate::plan::{AgentStep, Reference, Step};
use crate::{NodeId, TrackId};

/// A node of a layered graph.
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edge {
    /// The brief of what came before, or only the order.
    Context,
    /// A result that an argument, a condition or a fan-out names.
    Artifact(Reference),
}
