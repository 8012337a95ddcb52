//! [`Service`]: one address of a service. It sends requests, keeps what came, and reads JSON leniently.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use leg_core::{Digest, Domain, Source, ToolContext};
use leg_fetch::{Fetch, Request, Response, Url};
use serde::de::DeserializeOwned;

use crate::ServiceError;

/// One address of a service.
#[derive(Debug, Clone)]
pub struct Service {
    fetch: Arc<dyn Fetch>,
    address: Url,
}

/// An answer with where it came from.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Such as 200.
    pub status: u16,
    /// Headers with names in small letters.
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: Bytes,
    /// The exchange, for the record of the call.
    pub source: Source,
    host: String,
}

impl Service {
    /// A service at an address.
    pub fn new(fetch: Arc<dyn Fetch>, address: Url) -> Self {
        Self { fetch, address }
    }

    /// The host that it contacts, as [`leg_core::ToolSpec::hosts`] names it.
    pub fn host(&self) -> &str {
        self.address.host()
    }

    /// An address below the service's own.
    pub fn at(&self, path: &str) -> Url {
        self.address.clone().join(path)
    }

    /// Reads an address; any status is an answer. The raw body goes to the object store.
    ///
    /// # Errors
    /// [`ServiceError::Fetch`] when nothing answers.
    pub async fn ask(&self, url: Url, context: &ToolContext) -> Result<Reply, ServiceError> {
        self.send(Request::get(url), context).await
    }

    /// As [`Service::ask`], and an error status is an error.
    ///
    /// # Errors
    /// [`ServiceError::Status`] too.
    pub async fn get(&self, url: Url, context: &ToolContext) -> Result<Reply, ServiceError> {
        self.ask(url, context).await?.successful()
    }

    /// Reads a range of bytes: `begin` and `end`, both included. A server that sends the whole file is cut to it.
    ///
    /// # Errors
    /// As [`Service::get`]; [`ServiceError::Unreadable`] when fewer bytes come than were asked for.
    pub async fn range(
        &self,
        url: Url,
        begin: u64,
        end: u64,
        context: &ToolContext,
    ) -> Result<Reply, ServiceError> {
        let request = Request::get(url).with_header("range", format!("bytes={begin}-{end}"));
        let mut reply = self.send(request, context).await?.successful()?;
        let wanted = usize::try_from(end.saturating_sub(begin).saturating_add(1)).unwrap_or(usize::MAX);
        if reply.status == 200 {
            let from = usize::try_from(begin).unwrap_or(usize::MAX).min(reply.body.len());
            let to = from.saturating_add(wanted).min(reply.body.len());
            reply.body = reply.body.slice(from..to);
        }
        if reply.body.len() > wanted {
            reply.body.truncate(wanted);
        }
        Ok(reply)
    }

    /// Sends a request; any status is an answer.
    ///
    /// # Errors
    /// [`ServiceError::Fetch`] when nothing answers.
    pub async fn send(&self, request: Request, context: &ToolContext) -> Result<Reply, ServiceError> {
        if context.is_cancelled() {
            return Err(leg_core::ToolError::cancelled().into());
        }
        let (address, host) = (request.url.to_string(), request.url.host().to_owned());
        let Response { status, headers, body, .. } = self.fetch.fetch(request).await?;
        context.keep_raw(&body)?;
        let mut facts = BTreeMap::from([("status".to_owned(), status.to_string())]);
        if let Some(tag) = headers.get("etag") {
            facts.insert("etag".to_owned(), tag.clone());
        }
        let source = Source {
            address,
            bytes: body.len() as u64,
            parts: 1,
            digest: Digest::of(Domain::Object, &body),
            facts,
        };
        Ok(Reply { status, headers, body, source, host })
    }
}

impl Reply {
    /// The host that answered.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether the status is 2xx.
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// The answer, if its status is a success.
    ///
    /// # Errors
    /// [`ServiceError::Status`].
    pub fn successful(self) -> Result<Self, ServiceError> {
        if self.is_success() { Ok(self) } else { Err(ServiceError::of_status(&self.host, self.status)) }
    }

    /// Reads the body as JSON. Nesting is bounded by the parser; a page of HTML is named as such.
    ///
    /// # Errors
    /// [`ServiceError::Unreadable`].
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ServiceError> {
        let text = self.body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.body);
        if text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<') {
            return Err(self.unreadable("it is a page of HTML or XML where JSON is due"));
        }
        serde_json::from_slice(text).map_err(|error| self.unreadable(&error.to_string()))
    }

    /// The body as text; bytes that are no UTF-8 are read as Latin-1.
    pub fn text(&self) -> String {
        String::from_utf8(self.body.to_vec())
            .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect())
    }

    /// An error that says why the body cannot be read.
    pub fn unreadable(&self, reason: &str) -> ServiceError {
        ServiceError::Unreadable { host: self.host.clone(), reason: reason.to_owned() }
    }

    /// The service's own refusal.
    pub fn refused(&self, message: impl Into<String>) -> ServiceError {
        ServiceError::Refused { host: self.host.clone(), message: message.into() }
    }
}
