//! [`ServiceError`]: why a service does not give what was asked.

use leg_core::{ToolError, ToolErrorKind};
use leg_fetch::FetchError;

/// A service does not give what was asked. Messages say what to do and hold no secrets.
///
/// That a service has nothing (no storm, no mark, no zone, no value in the window) is an answer and no error.
///
/// ```
/// use hydro_specialists::ServiceError;
/// use leg_core::{ToolError, ToolErrorKind};
///
/// let error = ServiceError::BadArgument("station `x` is no id; write seven digits".to_owned());
/// assert_eq!(ToolError::from(error).kind, ToolErrorKind::InvalidArguments);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServiceError {
    /// There was no answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The answer has an error status and says nothing more.
    #[error("`{host}` answered with status {status}{advice}")]
    Status {
        /// The host.
        host: String,
        /// The status.
        status: u16,
        /// What to do.
        advice: &'static str,
    },
    /// The service refuses the request in its own words, often with status 200.
    #[error("`{host}` refuses the request: {message}")]
    Refused {
        /// The host.
        host: String,
        /// What the service said.
        message: String,
    },
    /// What was named does not exist: a storm, a station, an event.
    #[error("{0}")]
    NotFound(String),
    /// The arguments do not fit.
    #[error("{0}")]
    BadArgument(String),
    /// More was asked for than the service, or we, give at once.
    #[error("{0}")]
    TooMuch(String),
    /// The answer is not what the service documents.
    #[error(
        "the answer of `{host}` cannot be read: {reason}; try again, then report it with the recorded answer"
    )]
    Unreadable {
        /// The host.
        host: String,
        /// Where and why.
        reason: String,
    },
    /// A fault of the engine around the call.
    #[error("{0}")]
    Tool(ToolError),
}

impl ServiceError {
    /// An error for a status that is no success.
    pub(crate) fn of_status(host: &str, status: u16) -> Self {
        let advice = match status {
            429 | 500..=599 => "; try again later",
            404 => "; check what was named",
            _ => "; check the arguments",
        };
        Self::Status { host: host.to_owned(), status, advice }
    }

    /// Whether nothing is at the address.
    pub(crate) const fn is_missing(&self) -> bool {
        matches!(self, Self::Status { status: 403 | 404, .. } | Self::NotFound(_))
    }
}

impl From<ToolError> for ServiceError {
    fn from(error: ToolError) -> Self {
        Self::Tool(error)
    }
}

impl From<ServiceError> for ToolError {
    fn from(error: ServiceError) -> Self {
        let kind = match error {
            ServiceError::Fetch(error) => return error.into(),
            ServiceError::Tool(error) => return error,
            ServiceError::Status { status: 429 | 500..=599, .. } => ToolErrorKind::Unavailable,
            ServiceError::Status { .. } | ServiceError::NotFound(_) => ToolErrorKind::NotFound,
            ServiceError::Refused { .. } | ServiceError::BadArgument(_) => ToolErrorKind::InvalidArguments,
            ServiceError::TooMuch(_) => ToolErrorKind::LimitExceeded,
            ServiceError::Unreadable { .. } => ToolErrorKind::BadData,
        };
        Self::new(kind, error.to_string())
    }
}
