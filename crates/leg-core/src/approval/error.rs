//! [`ApprovalError`]: why an approval starts nothing.

use std::fmt;
use std::path::PathBuf;

use crate::{AgentId, ApprovalId, Digest, ToolName};

/// An approval starts nothing: show the plan and have it approved again.
///
/// ```
/// use leg_core::{Approval, ApprovalError};
///
/// # let (graph, _) = leg_testkit::small_graph();
/// let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z").expiring("2026-12-01T01:00:00Z");
/// let two_o_clock = 1_796_090_400_000_000_000;
/// assert!(matches!(approval.holds_at(two_o_clock), Err(ApprovalError::Expired { .. })));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApprovalError {
    /// It is for something else.
    #[error(
        "the approval is for plan {approved}, but this plan is {found}; {} changed since: show the plan and have it \
         approved again", changed(.parts)
    )]
    Changed {
        /// What was approved.
        approved: Digest,
        /// What is to run.
        found: Digest,
        /// What changed; empty when the approval does not hold the definitions that were seen.
        parts: Vec<ChangedPart>,
    },
    /// Its time is over.
    #[error("the approval ended at {expires} and it is {now}; show the plan and have it approved again")]
    Expired {
        /// The end.
        expires: String,
        /// The engine's time.
        now: String,
    },
    /// Its end is no moment.
    #[error(
        "the approval's end `{expires}` is no moment; write it as `2026-12-01T12:00:00Z` and have the plan approved again"
    )]
    Expiry {
        /// What was written.
        expires: String,
    },
    /// It started a run already.
    #[error(
        "approval `{id}` started {} already, and one approval starts one run; have the plan approved again, or \
         resume that run", .run.as_ref().map_or_else(|| "a run".to_owned(), |run| format!("run `{run}`"))
    )]
    Used {
        /// The approval.
        id: ApprovalId,
        /// The run that it started, where that is recorded.
        run: Option<String>,
    },
    /// Its use cannot be recorded, so that a second one would not be seen.
    #[error("the use of the approval cannot be recorded in `{}`: {reason}; make the folder writable", path.display())]
    Unrecorded {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
}

/// What changed since an approval.
///
/// ```
/// use leg_core::{ChangedPart, ToolName};
///
/// let part = ChangedPart::Tool(ToolName::new("water_level").unwrap());
/// assert!(part.to_string().contains("water_level"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangedPart {
    /// The plan itself, as the routing rules left it.
    Plan,
    /// The definition of an agent.
    Agent(AgentId),
    /// The definition of a tool.
    Tool(ToolName),
}

impl fmt::Display for ChangedPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plan => f.write_str("the plan"),
            Self::Agent(id) => write!(f, "the definition of agent `{id}`"),
            Self::Tool(name) => write!(f, "the definition of tool `{name}`"),
        }
    }
}

fn changed(parts: &[ChangedPart]) -> String {
    if parts.is_empty() {
        return "the plan or the definition of a tool or agent".to_owned();
    }
    parts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
