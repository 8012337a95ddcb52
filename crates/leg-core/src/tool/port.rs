//! [`Tool`]: the engine's view of a tool, and what a call gives back.

use std::collections::BTreeMap;
use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{ToolContext, ToolError, ToolSpec};
use crate::run::Amounts;
use crate::{Artifact, Digest, EvidenceDraft};

/// A tool with its types erased. Authors write a [`TypedTool`](super::TypedTool).
///
/// An author writes a [`TypedTool`](crate::TypedTool), which is one. Whoever wraps tools meets this trait:
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::{Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
/// use serde_json::Value;
///
/// /// Says in its notes that the data are preliminary.
/// #[derive(Debug)]
/// struct Preliminary<T>(T);
///
/// #[async_trait]
/// impl<T: Tool> Tool for Preliminary<T> {
///     fn spec(&self) -> ToolSpec {
///         self.0.spec()
///     }
///
///     async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
///         let output = self.0.call(arguments, context).await?;
///         Ok(output.with_notes(["the data are preliminary".to_owned()]))
///     }
/// }
/// let wrapped = Preliminary(leg_testkit::FakeTool::echo("observe"));
/// assert_eq!(wrapped.spec().name.as_str(), "observe");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[async_trait]
pub trait Tool: Send + Sync + Debug {
    /// What it is, takes and returns. It must not change while the tool is registered.
    fn spec(&self) -> ToolSpec;

    /// Answers a call. Arguments have passed the schema; a reference in them is `{"$artifact": "b3:…"}`.
    ///
    /// # Errors
    /// [`ToolError`]: what is wrong and what to do.
    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError>;

    /// What a call with these arguments will take at most, as far as that can be told before it: for the cost that a
    /// person sees before approving. The arguments are those of the plan, with their `{"$ref": "step"}`. It answers
    /// at once, without looking outside.
    fn estimate(&self, _arguments: &Value) -> Option<Estimate> {
        None
    }
}

/// What one attempt of a call will take at most.
///
/// ```
/// use leg_core::Estimate;
///
/// // Twelve months of 50 kB each; `leg graph` names it before anybody approves.
/// let estimate = Estimate { bytes: 12 * 50_000 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    /// Bytes that it reads from datasets and services.
    pub bytes: u64,
}

/// What a call gives back.
///
/// ```
/// use leg_core::{Artifact, EvidenceDraft, Kind, ToolOutput};
/// use serde_json::json;
///
/// let range = EvidenceDraft::new("range", 2.5, "m", "highest minus lowest").pointer("/content/range");
/// let output = ToolOutput::of(Artifact::document(Kind::Statistic, "tidal range", json!({"range": 2.5})))
///     .with_evidence([range])
///     .with_notes(["three of 24 hours were missing".to_owned()]);
/// assert_eq!(output.artifacts.keys().collect::<Vec<_>>(), ["result"]);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ToolOutput {
    /// Artifacts by the names that the specification declares.
    pub artifacts: BTreeMap<String, Artifact>,
    /// Small named quantities.
    pub evidence: Vec<EvidenceDraft>,
    /// Pictures and the like that show an artifact; their bytes are no part of the result's identity.
    pub renderings: Vec<Rendering>,
    /// What a reader must know: a clipped window, a chosen level, a default.
    pub notes: Vec<String>,
    /// Where the data came from; recorded in the log, not in the content root.
    pub sources: Vec<Source>,
    /// What it cost beside the call itself and the bytes of its sources: tokens, money.
    pub usage: Amounts,
}

impl ToolOutput {
    /// An output with one artifact, named `result`.
    pub fn of(artifact: Artifact) -> Self {
        Self { artifacts: BTreeMap::from([("result".to_owned(), artifact)]), ..Self::default() }
    }

    /// Adds evidence.
    #[must_use]
    pub fn with_evidence(mut self, evidence: impl IntoIterator<Item = EvidenceDraft>) -> Self {
        self.evidence.extend(evidence);
        self
    }

    /// Adds what a reader must know.
    #[must_use]
    pub fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Adds where the data came from.
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.sources.push(source);
        self
    }
}

/// A picture of an artifact.
///
/// ```
/// use leg_core::Rendering;
///
/// let map = Rendering {
///     name: "map.svg".to_owned(),
///     media_type: "image/svg+xml".to_owned(),
///     bytes: b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(),
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendering {
    /// A file name, such as `map.png`.
    pub name: String,
    /// Such as `image/png`.
    pub media_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

/// Where data came from: a file, a store, an HTTP exchange.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use leg_core::{Digest, Domain, Source};
///
/// let response = b"{\"level\": 2.5}";
/// let source = Source {
///     address: "https://tides.example/levels?station=9990001".to_owned(),
///     bytes: response.len() as u64,
///     parts: 1,
///     digest: Digest::of(Domain::Object, response),
///     facts: BTreeMap::from([("datum".to_owned(), "NAVD88".to_owned())]),
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Address without secrets.
    pub address: String,
    /// Bytes that were read.
    pub bytes: u64,
    /// How many chunks or requests.
    pub parts: u64,
    /// Digest over the parts, in order.
    pub digest: Digest,
    /// Dataset identity, HTTP status, `ETag`, station, datum and the like.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
}
