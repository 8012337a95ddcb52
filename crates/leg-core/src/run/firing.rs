//! [`Firing`]: a node, and which of its firings.

use serde::{Deserialize, Serialize};

use crate::NodeId;

/// A node fires once in each plan revision, and once more each time that the overseer says so.
///
/// ```
/// use leg_core::run::Firing;
///
/// let first = Firing { node: "sst".parse()?, rev: 0, attempt: 0 };
/// let again = Firing { attempt: 1, ..first.clone() };
/// assert_ne!(first, again, "an overseer fired it once more");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
