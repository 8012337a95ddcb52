//! [`ArtifactArgument`]: an argument that takes the result of an earlier step.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ToolContext, ToolError};
use crate::{Artifact, Digest, Kind, Summary};

/// An argument that takes the result of an earlier step.
///
/// A plan writes it as a reference, `{"$ref": "levels"}`. Before the call the engine puts
/// `{"$artifact": "b3:…", "kind": "series"}` in its place, and that is what this type reads. `x-leg-port` beside it says
/// what fits; the engine checks it when the plan is validated, and [`read_kind`](Self::read_kind) at the call.
///
/// ```
/// use std::sync::Arc;
///
/// use async_trait::async_trait;
/// use leg_core::tool::{AllowList, ArtifactArgument, Workbench};
/// use leg_core::{
///     Artifact, Kind, MemoryObjects, ObjectStoreExt as _, Port, Registry, ToolContext, ToolError, ToolName, ToolOutput,
///     ToolSpec, TypedTool,
/// };
/// use serde_json::json;
///
/// #[derive(Debug)]
/// struct Double;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Arguments {
///     /// The number.
///     #[schemars(extend("x-leg-port" = {"kind": "scalar"}))]
///     of: ArtifactArgument,
/// }
///
/// #[async_trait]
/// impl TypedTool for Double {
///     const NAME: &'static str = "double";
///     type Arguments = Arguments;
///
///     fn describe(&self) -> ToolSpec {
///         ToolSpec::new("numbers", "Doubles a number.", Port::of(Kind::Scalar))
///     }
///
///     async fn run(&self, arguments: Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
///         let number = arguments.of.read_kind(context, Kind::Scalar, "take the result of `square`")?;
///         let number = number.content.as_f64().ok_or_else(|| ToolError::invalid("`of` holds no number"))?;
///         Ok(ToolOutput::of(Artifact::document(Kind::Scalar, "double", json!(2.0 * number))))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut registry = Registry::default();
/// registry.add_tool(Arc::new(Double))?;
/// let objects = Arc::new(MemoryObjects::default());
/// let nine = objects.put_artifact(&Artifact::document(Kind::Scalar, "square", json!(9)))?;
/// let bench = Workbench::new(Arc::new(registry), AllowList::only(ToolName::new("double")?), objects);
///
/// let output = bench.call("double", json!({"of": ArtifactArgument::from(&nine)})).await?;
/// assert_eq!(output.artifacts["result"].content, json!(18.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArtifactArgument {
    #[serde(rename = "$artifact")]
    digest: Digest,
    /// The engine adds it for readers; the artifact itself decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<Kind>,
}

impl ArtifactArgument {
    /// The digest of the artifact.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The JSON Schema of the form, for an argument that takes an artifact or something else.
    pub fn schema() -> Value {
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
    /// Those of [`ToolContext::artifact`].
    pub fn read(&self, context: &ToolContext) -> Result<Artifact, ToolError> {
        context.artifact(&self.digest)
    }

    /// Reads the artifact, which must be of this kind. `hint` says how to get one; the message ends with it.
    ///
    /// # Errors
    /// Those of [`ToolContext::artifact`]; [`InvalidArguments`](super::ToolErrorKind::InvalidArguments) for another
    /// kind.
    pub fn read_kind(&self, context: &ToolContext, kind: Kind, hint: &str) -> Result<Artifact, ToolError> {
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

impl From<&Summary> for ArtifactArgument {
    /// What the engine gives a tool for an artifact that is in the store.
    fn from(summary: &Summary) -> Self {
        Self { digest: summary.digest, kind: Some(summary.kind) }
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::tool::{Permit, ToolErrorKind};
    use crate::{Domain, MemoryObjects, ObjectStore, ObjectStoreExt as _};

    #[test]
    fn it_reads_back_as_it_was_written_and_its_schema_takes_it() {
        let validator = jsonschema::validator_for(&ArtifactArgument::schema()).unwrap();
        let digest = Digest::of(Domain::Object, b"tide");
        for written in [json!({"$artifact": digest, "kind": "series"}), json!({"$artifact": digest})] {
            let read: ArtifactArgument = serde_json::from_value(written.clone()).unwrap();
            assert_eq!((read.digest(), serde_json::to_value(read).unwrap()), (digest, written.clone()));
            assert!(validator.is_valid(&written), "{written}");
        }
        for wrong in [json!({"$artifact": "b3:12"}), json!({"$artifact": digest, "more": 1}), json!({})] {
            assert!(serde_json::from_value::<ArtifactArgument>(wrong.clone()).is_err(), "{wrong}");
            assert!(!validator.is_valid(&wrong), "{wrong}");
        }
    }

    #[test]
    fn an_artifact_of_another_kind_is_refused_with_the_hint() {
        let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
        let text = objects.put_artifact(&Artifact::document(Kind::Text, "a remark", json!("high"))).unwrap();
        let argument = ArtifactArgument::from(&text);
        let call_id = Digest::of(Domain::CallId, b"call");
        let context = ToolContext::new(Permit::new(), call_id, objects, CancellationToken::new(), None);
        assert_eq!(argument.read(&context).unwrap().name, "a remark");
        let error = argument.read_kind(&context, Kind::Series, "make one with `levels`").unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
        assert_eq!(error.message, "a series is needed and `a remark` is a text; make one with `levels`");
    }
}
