//! [`ToolError`]: what a tool says when it cannot answer.

use serde::{Deserialize, Serialize};

use crate::Status;

/// What went wrong, as the planner and the retry policy see it.
///
/// ```
/// use leg_core::{Status, ToolErrorKind};
///
/// assert!(ToolErrorKind::Unavailable.is_transient(), "trying again may help");
/// assert_eq!(ToolErrorKind::Denied.status(), Status::Denied);
/// assert_eq!(ToolErrorKind::NoData.as_str(), "no_data");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ToolErrorKind {
    /// The arguments do not fit.
    InvalidArguments,
    /// What was named does not exist.
    NotFound,
    /// It exists and has no data for this selection.
    NoData,
    /// A source does not answer at the moment.
    Unavailable,
    /// It took too long.
    Timeout,
    /// It was stopped.
    Cancelled,
    /// The agent may not call it.
    Denied,
    /// Its definition is not the one that was approved.
    DefinitionChanged,
    /// The data cannot be read or make no sense.
    BadData,
    /// A limit of size, calls or money was met.
    LimitExceeded,
    /// The budget does not allow it.
    BudgetExhausted,
    /// Nobody knows whether it took effect.
    OutcomeUnknown,
    /// A bug of ours.
    Internal,
}

impl ToolErrorKind {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArguments => "invalid_arguments",
            Self::NotFound => "not_found",
            Self::NoData => "no_data",
            Self::Unavailable => "unavailable",
            Self::Timeout => "timeout",
            Self::Cancelled => "cancelled",
            Self::Denied => "denied",
            Self::DefinitionChanged => "definition_changed",
            Self::BadData => "bad_data",
            Self::LimitExceeded => "limit_exceeded",
            Self::BudgetExhausted => "budget_exhausted",
            Self::OutcomeUnknown => "outcome_unknown",
            Self::Internal => "internal",
        }
    }

    /// Whether trying again may help.
    pub const fn is_transient(self) -> bool {
        matches!(self, Self::Unavailable | Self::Timeout)
    }

    /// The status that a call with this error ends with.
    pub const fn status(self) -> Status {
        match self {
            Self::Timeout => Status::Timeout,
            Self::Cancelled => Status::Cancelled,
            Self::Denied | Self::DefinitionChanged => Status::Denied,
            Self::BudgetExhausted => Status::BudgetExhausted,
            Self::OutcomeUnknown => Status::OutcomeUnknown,
            _ => Status::Failed,
        }
    }
}

/// A tool cannot answer: the kind for the engine, a message for the planner and for people.
///
/// The message says what is wrong and what to do, and holds no secrets.
///
/// ```
/// use leg_core::{ToolError, ToolErrorKind};
///
/// let error = ToolError::no_data("station `9990001` has no `NAVD88` datum; ask for one of: MLLW, MSL");
/// assert_eq!(error.kind, ToolErrorKind::NoData);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
#[serde(deny_unknown_fields)]
pub struct ToolError {
    /// What went wrong.
    pub kind: ToolErrorKind,
    /// What is wrong and what to do.
    pub message: String,
}

impl ToolError {
    /// An error of this kind.
    pub fn new(kind: ToolErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// The arguments do not fit.
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::InvalidArguments, message)
    }

    /// There is no data for this selection.
    pub fn no_data(message: impl Into<String>) -> Self {
        Self::new(ToolErrorKind::NoData, message)
    }

    /// The work was stopped.
    pub fn cancelled() -> Self {
        Self::new(ToolErrorKind::Cancelled, "the work was stopped")
    }
}
