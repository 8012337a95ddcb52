//! [`Cassette`]: recorded exchanges in a JSON file.
//!
//! Version 1: `{"version": 1, "interactions": [{"request": {"method", "url", "headers", "body"?}, "response":
//! {"status", "headers", "body"}}]}`. A request's body is kept as its digest only; a response's body is
//! `{"text": "…"}`, or `{"base64": "…"}` when it is not UTF-8. A reader refuses any other version.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use leg_core::Digest;
use serde::{Deserialize, Serialize};

use crate::redact::{Secrets, is_kept_header};
use crate::{Method, Request, RequestKey, Response, Scripted, Url};

/// The version that is written and read.
const VERSION: u32 = 1;

/// Recorded exchanges. Make one with a [`Recorder`](crate::Recorder) or [`Cassette::load`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cassette {
    /// Always 1.
    pub version: u32,
    /// The exchanges; of the same request in the order in which they ended.
    pub interactions: Vec<Interaction>,
}

/// A request with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interaction {
    /// What was asked.
    pub request: RecordedRequest,
    /// What was answered.
    pub response: RecordedResponse,
}

/// A request without its secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedRequest {
    /// What was done.
    pub method: Method,
    /// The address without credentials.
    pub url: String,
    /// Headers of the allow-list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// Digest of the body; absent when it was empty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Digest>,
}

/// An answer without secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedResponse {
    /// Such as 200.
    pub status: u16,
    /// Headers of the allow-list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
    /// The body.
    pub body: RecordedBody,
}

/// A body as text, or in Base64 when it is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordedBody {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Base64(String),
}

/// A cassette cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// The file system refused.
    #[error("cassette `{path}`: {source}; check the path and its folder", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// It is not the JSON of a cassette.
    #[error("cassette `{name}` cannot be read: {source}; record it again")]
    Json {
        /// The file, or what was given in its place.
        name: String,
        /// Where and why.
        source: serde_json::Error,
    },
    /// It has another version.
    #[error("cassette `{name}` has version {found} and this program reads {VERSION}; record it again")]
    Version {
        /// The file, or what was given in its place.
        name: String,
        /// Its version.
        found: u64,
    },
    /// An exchange cannot be used.
    #[error("cassette `{name}`, exchange {number}: {reason}; record it again")]
    Interaction {
        /// The file, or what was given in its place.
        name: String,
        /// Which one, from 1.
        number: usize,
        /// What is wrong.
        reason: String,
    },
}

impl Cassette {
    /// A cassette with these exchanges.
    pub const fn new(interactions: Vec<Interaction>) -> Self {
        Self { version: VERSION, interactions }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`CassetteError`]: what is wrong with the file.
    pub fn load(path: &Path) -> Result<Self, CassetteError> {
        let text = fs::read(path).map_err(|source| CassetteError::Io { path: path.to_owned(), source })?;
        Self::parse(&path.display().to_string(), &text)
    }

    /// Reads the JSON of a cassette; `name` stands in errors.
    ///
    /// # Errors
    /// [`CassetteError`]: what is wrong with the JSON.
    pub fn parse(name: &str, json: &[u8]) -> Result<Self, CassetteError> {
        #[derive(Deserialize)]
        struct Head {
            version: u64,
        }
        let fail = |source| CassetteError::Json { name: name.to_owned(), source };
        // The version first: what another version holds is not ours to judge.
        let head: Head = serde_json::from_slice(json).map_err(fail)?;
        if head.version != u64::from(VERSION) {
            return Err(CassetteError::Version { name: name.to_owned(), found: head.version });
        }
        serde_json::from_slice(json).map_err(fail)
    }

    /// The JSON of the file.
    pub fn to_json(&self) -> String {
        // Plain structs of texts and numbers always have a JSON form.
        let mut json = serde_json::to_string_pretty(self).unwrap_or_default();
        json.push('\n');
        json
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// [`CassetteError::Io`].
    pub fn save(&self, path: &Path) -> Result<(), CassetteError> {
        let fail = |source| CassetteError::Io { path: path.to_owned(), source };
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        fs::write(&part, self.to_json()).map_err(fail)?;
        fs::rename(&part, path).map_err(fail)
    }

    /// A [`Fetch`](crate::Fetch) that answers from the cassette and never from the network; `name` stands in
    /// errors.
    ///
    /// # Errors
    /// [`CassetteError::Interaction`] for an exchange whose address or body cannot be read.
    pub fn replay(&self, name: &str) -> Result<Scripted, CassetteError> {
        let mut script = Scripted::new(format!("cassette `{name}`"));
        for (at, interaction) in self.interactions.iter().enumerate() {
            let fail =
                |reason: String| CassetteError::Interaction { name: name.to_owned(), number: at + 1, reason };
            let key = interaction.request.key().map_err(|error| fail(error.to_string()))?;
            let response = interaction.response.restore().map_err(|error| fail(error.to_string()))?;
            script = script.with(key, Ok(response));
        }
        Ok(script)
    }
}

impl Interaction {
    /// Makes the record of an exchange: headers by allow-list, no credentials, no request body.
    pub fn of(request: &Request, response: &Response) -> Self {
        let secrets = Secrets::of(request);
        let kept = |headers: &BTreeMap<String, String>| {
            headers
                .iter()
                .filter(|(name, _)| is_kept_header(name))
                .map(|(name, value)| (name.to_ascii_lowercase(), secrets.scrub_text(value)))
                .collect()
        };
        let body = (!request.body.is_empty()).then(|| Digest::of(leg_core::Domain::Object, &request.body));
        Self {
            request: RecordedRequest {
                method: request.method,
                url: request.url.to_string(),
                headers: kept(&request.headers),
                body,
            },
            response: RecordedResponse {
                status: response.status,
                headers: kept(&response.headers),
                body: RecordedBody::of(secrets.scrub(&response.body)),
            },
        }
    }
}

impl RecordedRequest {
    /// What it is matched by.
    ///
    /// # Errors
    /// [`FetchError::Url`](crate::FetchError::Url) when its address is none.
    pub fn key(&self) -> Result<RequestKey, crate::FetchError> {
        let url = Url::parse(&self.url)?;
        Ok(RequestKey::new(self.method, url.path(), url.query(), self.body))
    }
}

impl RecordedResponse {
    fn restore(&self) -> Result<Response, base64::DecodeError> {
        let body = match &self.body {
            RecordedBody::Text(text) => text.clone().into_bytes(),
            RecordedBody::Base64(text) => STANDARD.decode(text)?,
        };
        Ok(Response { status: self.status, headers: self.headers.clone(), body: body.into() })
    }
}

impl RecordedBody {
    fn of(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes)
            .map_or_else(|error| Self::Base64(STANDARD.encode(error.as_bytes())), Self::Text)
    }
}
