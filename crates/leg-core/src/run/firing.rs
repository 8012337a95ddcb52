//! [`Firing`]: a node, and which of its firings.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// A node fires once in each plan revision, and once more each time that the overseer says so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Firing {
    /// The node, or an item of a fan-out.
    pub node: NodeId,
    /// The plan revision; 0 for the plan that was approved first.
    pub rev: u64,
    /// How often the overseer fired it before.
    pub attempt: u64,
}
