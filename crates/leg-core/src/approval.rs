//! [`Approval`]: somebody agreed to run exactly this plan with exactly these definitions.

use serde::{Deserialize, Serialize};

use crate::Digest;
use crate::graph::LayeredGraph;

/// Somebody agreed to run a plan. It is a value that the ledger records; a changed plan needs a new one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// [`LayeredGraph::digest`] of what was approved.
    pub plan_digest: Digest,
    /// Who approved: a person, or a policy such as `--yes`.
    pub by: String,
    /// When, in ISO 8601 and UTC.
    pub at: String,
}

/// An approval is for something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the approval is for plan {approved}, but this plan is {found}; the plan or the definition of a tool or agent \
     changed since: show the plan and have it approved again"
)]
pub struct ApprovalError {
    /// What was approved.
    pub approved: Digest,
    /// What is to run.
    pub found: Digest,
}

impl Approval {
    /// Whether it is for this graph.
    ///
    /// # Errors
    /// [`ApprovalError`] names both digests.
    pub fn covers(&self, graph: &LayeredGraph) -> Result<(), ApprovalError> {
        if self.plan_digest == graph.digest() {
            Ok(())
        } else {
            Err(ApprovalError { approved: self.plan_digest, found: graph.digest() })
        }
    }
}
