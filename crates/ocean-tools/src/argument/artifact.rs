//! [`ArtifactArgument`]: the result of an earlier step.

use std::borrow::Cow;

use leg_core::{Artifact, Digest, Kind, ToolContext, ToolError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Value, json};

/// `{"$artifact": "b3:…"}`: what a reference to a step becomes before the call.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ArtifactArgument {
    /// Digest of the artifact.
    #[serde(rename = "$artifact")]
    pub(crate) digest: Digest,
    /// Its kind, which the engine adds for readers; the artifact itself decides.
    #[serde(default)]
    kind: Option<Kind>,
}

impl ArtifactArgument {
    /// The JSON Schema of the form.
    pub(crate) fn schema() -> Value {
        json!({
            "type": "object",
            "required": ["$artifact"],
            "additionalProperties": false,
            "properties": {"$artifact": {"type": "string", "pattern": "^b3:[0-9a-f]{64}$"}, "kind": {"type": "string"}},
            "description": "the result of an earlier step, written {\"$ref\": \"step\"} in a plan",
        })
    }

    /// Reads the artifact.
    ///
    /// # Errors
    /// When the store does not have it.
    pub(crate) fn read(&self, context: &ToolContext) -> Result<Artifact, ToolError> {
        context.artifact(&self.digest)
    }

    /// Reads the artifact, which must be of this kind; `hint` says how to get one.
    ///
    /// # Errors
    /// When the store does not have it, or it is of another kind.
    pub(crate) fn read_kind(
        &self,
        context: &ToolContext,
        kind: Kind,
        hint: &str,
    ) -> Result<Artifact, ToolError> {
        let artifact = self.read(context)?;
        if artifact.kind == kind {
            return Ok(artifact);
        }
        Err(ToolError::invalid(format!(
            "a {kind} is needed and `{}` is a {}; {hint}",
            artifact.name, artifact.kind
        )))
    }
}

impl JsonSchema for ArtifactArgument {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ArtifactArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::try_from(Self::schema()).unwrap_or_default()
    }
}
