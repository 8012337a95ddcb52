//! [`Status`]: the closed vocabulary for calls, nodes and runs.

use serde::{Deserialize, Serialize};

/// How a call, a node or a run ended.
///
/// ```
/// use leg_core::Status;
///
/// assert_eq!(Status::OutcomeUnknown.to_string(), "outcome_unknown");
/// assert!(Status::Ok.is_ok() && !Status::Skipped.is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It ended well.
    Ok,
    /// It ended with an error.
    Failed,
    /// It did not end in time.
    Timeout,
    /// It was stopped.
    Cancelled,
    /// It was not started, for a stated reason.
    Skipped,
    /// The allow-list refused it.
    Denied,
    /// It ended after its time was up; its result is recorded and not used.
    Late,
    /// Nobody knows whether it took effect.
    OutcomeUnknown,
    /// Its budget could not be reserved.
    BudgetExhausted,
}

impl Status {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Skipped => "skipped",
            Self::Denied => "denied",
            Self::Late => "late",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::BudgetExhausted => "budget_exhausted",
        }
    }

    /// Whether it is [`Status::Ok`].
    pub const fn is_ok(self) -> bool {
        matches!(self, Self::Ok)
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
