//! [`ErrorBody`]: `{"error": {"message": "…"}}`, whatever the status.

use serde::Deserialize;

/// An error of the service.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    error: Message,
}

#[derive(Debug, Deserialize)]
struct Message {
    message: String,
}

impl ErrorBody {
    /// The message, if the body is an error.
    pub(crate) fn message_in(body: &[u8]) -> Option<String> {
        serde_json::from_slice::<Self>(body).ok().map(|body| body.error.message.trim().to_owned())
    }
}
