//! [`Fetch`]: the only way to the network.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use leg_core::{ToolError, ToolErrorKind};
use serde::{Deserialize, Serialize};

use crate::Url;
use crate::redact::{REDACTED, is_kept_header};

/// Answers requests: a client, a script, a cassette, or a wrapper around one of these.
#[async_trait]
pub trait Fetch: Send + Sync + fmt::Debug {
    /// Sends a request. An answer with an error status is an answer.
    ///
    /// # Errors
    /// [`FetchError`] when there is no answer at all.
    async fn fetch(&self, request: Request) -> Result<Response, FetchError>;
}

/// What is done to the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Method {
    /// Reads.
    Get,
    /// Reads the headers only.
    Head,
    /// Sends a body.
    Post,
}

impl Method {
    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Head => "HEAD",
            Self::Post => "POST",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A request. `Debug` hides secrets.
#[derive(Clone, PartialEq, Eq)]
pub struct Request {
    /// What is done.
    pub method: Method,
    /// The address.
    pub url: Url,
    /// Headers with names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body; empty for most.
    pub body: Bytes,
    /// The time for the whole exchange; without one, the client's own limit holds. It is not sent.
    pub timeout: Option<Duration>,
}

impl Request {
    /// Reads an address.
    pub const fn get(url: Url) -> Self {
        Self { method: Method::Get, url, headers: BTreeMap::new(), body: Bytes::new(), timeout: None }
    }

    /// Reads the headers of an address only.
    pub fn head(url: Url) -> Self {
        Self { method: Method::Head, ..Self::get(url) }
    }

    /// Sends a body to an address.
    pub fn post(url: Url, body: impl Into<Bytes>) -> Self {
        Self { method: Method::Post, url, headers: BTreeMap::new(), body: body.into(), timeout: None }
    }

    /// Sets the time for the whole exchange, for requests that are known to be slow.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use leg_fetch::{Request, Url};
    ///
    /// let url = Url::parse("https://example.org/large")?;
    /// let request = Request::get(url).with_timeout(Duration::from_secs(60));
    /// assert_eq!(request.timeout, Some(Duration::from_secs(60)));
    /// # Ok::<(), leg_fetch::FetchError>(())
    /// ```
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.insert(name.to_ascii_lowercase(), value.into());
        self
    }
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: BTreeMap<&str, &str> = self
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), if is_kept_header(name) { value } else { REDACTED }))
            .collect();
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("url", &self.url)
            .field("headers", &shown)
            .field("body_bytes", &self.body.len())
            .field("timeout", &self.timeout)
            .finish()
    }
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// Such as 200.
    pub status: u16,
    /// Headers with names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Bytes,
}

impl Response {
    /// An answer with status 200 and no headers.
    pub fn ok(body: impl Into<Bytes>) -> Self {
        Self { status: 200, headers: BTreeMap::new(), body: body.into() }
    }

    /// An answer with status 200 and a JSON body.
    pub fn json(body: impl Into<Bytes>) -> Self {
        Self::ok(body).with_header("content-type", "application/json")
    }

    /// Sets the status.
    #[must_use]
    pub const fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: impl Into<String>) -> Self {
        self.headers.insert(name.to_ascii_lowercase(), value.into());
        self
    }

    /// The header with this name, in any letter case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(&name.to_ascii_lowercase()).map(String::as_str)
    }

    /// Whether the status is 2xx.
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }
}

/// There is no answer. Messages hold no secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is not one. It is not repeated here: it may hold a secret in a place that cannot be known.
    #[error("the address cannot be used: {reason}")]
    Url {
        /// What is wrong.
        reason: &'static str,
    },
    /// Nothing answered.
    #[error("`{host}` does not answer: {reason}; try again later")]
    Unreachable {
        /// The host.
        host: String,
        /// What the network said.
        reason: String,
    },
    /// The answer took too long.
    #[error("`{host}` did not answer within {seconds} s; try again later, or ask for less")]
    Timeout {
        /// The host.
        host: String,
        /// The limit.
        seconds: u64,
    },
    /// The host, or an address that it stands for, may not be asked.
    #[error("`{host}` was not asked: {reason}")]
    Refused {
        /// The host.
        host: String,
        /// Why, and what to do.
        reason: String,
    },
    /// The body is larger than is taken. Of a packed body the unpacked bytes count.
    #[error("the answer of `{host}` is larger than {limit} bytes; ask for less, or raise the limit")]
    TooLarge {
        /// The host.
        host: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The answer ended before its end.
    #[error("the answer of `{host}` broke off after {received} bytes; try again")]
    Cut {
        /// The host.
        host: String,
        /// How many bytes of the body came.
        received: u64,
    },
    /// It sends from address to address.
    #[error("`{host}` redirected more than {limit} times; check the address")]
    Redirects {
        /// The host that was asked first.
        host: String,
        /// How many are followed.
        limit: u32,
    },
    /// It asks for a longer pause than is waited.
    #[error("`{host}` asks for a pause of {seconds} s; try again after it, and ask less often")]
    Busy {
        /// The host.
        host: String,
        /// The pause.
        seconds: u64,
    },
    /// The client could not be set up.
    #[error("the HTTP client cannot be set up: {reason}; check the trust store of the system")]
    Setup {
        /// What is wrong.
        reason: String,
    },
    /// A script or a cassette has no such request.
    #[error("{source_name} has no `{request}`; {nearest}")]
    NotRecorded {
        /// The script or the cassette.
        source_name: String,
        /// What was asked, without secrets.
        request: String,
        /// The nearest one that is there and how it differs, or that there is none.
        nearest: String,
    },
}

impl FetchError {
    /// The host did not answer within `limit`.
    pub(crate) fn timeout(url: &Url, limit: Duration) -> Self {
        let seconds = limit.as_millis().div_ceil(1_000);
        Self::Timeout { host: url.host().to_owned(), seconds: u64::try_from(seconds).unwrap_or(u64::MAX) }
    }

    /// Whether trying again may help.
    pub const fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable { .. } | Self::Timeout { .. } | Self::Cut { .. })
    }
}

impl From<FetchError> for ToolError {
    fn from(error: FetchError) -> Self {
        let kind = match error {
            FetchError::Url { .. } | FetchError::Setup { .. } => ToolErrorKind::Internal,
            FetchError::Unreachable { .. } | FetchError::Cut { .. } => ToolErrorKind::Unavailable,
            FetchError::Refused { .. } => ToolErrorKind::Denied,
            // A pause that is too long to wait for must not be answered by the next call at once.
            FetchError::TooLarge { .. } | FetchError::Busy { .. } => ToolErrorKind::LimitExceeded,
            FetchError::Redirects { .. } => ToolErrorKind::BadData,
            FetchError::Timeout { .. } => ToolErrorKind::Timeout,
            FetchError::NotRecorded { .. } => ToolErrorKind::NotFound,
        };
        Self::new(kind, error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_hides_what_is_secret() {
        let url = Url::parse("https://u:canary-1@h/?token=canary-2").unwrap();
        let request = Request::post(url, "canary-3").with_header("X-Api-Key", "canary-4");
        let text = format!("{request:?}");
        assert!(!text.contains("canary"), "{text}");
        assert!(text.contains("x-api-key"), "{text}");
    }

    #[test]
    fn transience_is_the_same_for_fetch_and_tool() {
        let errors = [
            FetchError::Url { reason: "x" },
            FetchError::Unreachable { host: "h".into(), reason: "refused".into() },
            FetchError::Timeout { host: "h".into(), seconds: 3 },
            FetchError::Refused { host: "h".into(), reason: "not listed".into() },
            FetchError::TooLarge { host: "h".into(), limit: 1 },
            FetchError::Cut { host: "h".into(), received: 1 },
            FetchError::Redirects { host: "h".into(), limit: 5 },
            FetchError::Busy { host: "h".into(), seconds: 90 },
            FetchError::Setup { reason: "x".into() },
            FetchError::NotRecorded { source_name: "c".into(), request: "r".into(), nearest: "n".into() },
        ];
        for error in errors {
            assert_eq!(ToolError::from(error.clone()).kind.is_transient(), error.is_transient(), "{error}");
        }
    }
}
