//! [`TypedTool`]: what an author writes; one blanket implementation makes it a [`Tool`].

use async_trait::async_trait;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Estimate, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use crate::ToolName;

/// A tool with typed arguments.
///
/// Arguments derive `Deserialize` and `JsonSchema` with `#[serde(deny_unknown_fields)]`; an argument that takes an
/// artifact carries `#[schemars(extend("x-leg-port" = …))]`.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::{
///     Artifact, EvidenceDraft, Kind, Port, Tool as _, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool,
/// };
/// use serde_json::json;
///
/// #[derive(Debug)]
/// struct Knots;
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// #[serde(deny_unknown_fields)]
/// struct Arguments {
///     /// Speed in metres a second.
///     speed: f64,
/// }
///
/// #[async_trait]
/// impl TypedTool for Knots {
///     const NAME: &'static str = "knots";
///     type Arguments = Arguments;
///
///     fn describe(&self) -> ToolSpec {
///         ToolSpec::new("wind", "Speed in knots.", Port::of(Kind::Scalar).unit("kt")).evidence(&["knots"])
///     }
///
///     async fn run(&self, arguments: Arguments, _: &ToolContext) -> Result<ToolOutput, ToolError> {
///         let knots = arguments.speed * 3600.0 / 1852.0;
///         let evidence = EvidenceDraft::new("knots", knots, "kt", "1 kt = 1852 m/h").pointer("/content");
///         Ok(ToolOutput::of(Artifact::document(Kind::Scalar, "knots", json!(knots))).with_evidence([evidence]))
///     }
/// }
/// let spec = Knots.spec();
/// assert_eq!(spec.name.as_str(), "knots");
/// assert_eq!(spec.arguments["properties"]["speed"]["description"], "Speed in metres a second.");
/// ```
#[async_trait]
pub trait TypedTool: Send + Sync + std::fmt::Debug + 'static {
    /// The name that plans use.
    const NAME: &'static str;

    /// The arguments.
    type Arguments: DeserializeOwned + JsonSchema + Send + 'static;

    /// Everything but the name and the arguments' schema, which follow from the type.
    fn describe(&self) -> ToolSpec;

    /// Answers a call.
    ///
    /// # Errors
    /// [`ToolError`]: what is wrong and what to do.
    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError>;

    /// What a call will take at most; see [`Tool::estimate`]. The arguments are not typed: references stand in them.
    fn estimate(&self, _arguments: &Value) -> Option<Estimate> {
        None
    }
}

#[async_trait]
impl<T: TypedTool> Tool for T {
    fn spec(&self) -> ToolSpec {
        let mut spec = self.describe();
        if let Ok(name) = ToolName::new(T::NAME) {
            spec.name = name;
        }
        spec.arguments = arguments_schema::<T::Arguments>();
        spec
    }

    async fn call(&self, arguments: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let typed = serde_json::from_value(arguments)
            .map_err(|error| ToolError::invalid(format!("arguments of `{}` do not fit: {error}", T::NAME)))?;
        self.run(typed, context).await
    }

    fn estimate(&self, arguments: &Value) -> Option<Estimate> {
        TypedTool::estimate(self, arguments)
    }
}

/// The JSON Schema of an arguments type, without local definitions, so that models read it easily.
///
/// ```
/// use leg_core::tool::arguments_schema;
///
/// #[derive(schemars::JsonSchema)]
/// #[expect(dead_code, reason = "an example")]
/// struct Arguments {
///     /// Metres below the surface.
///     depth: f64,
/// }
/// let schema = arguments_schema::<Arguments>();
/// assert_eq!(schema["properties"]["depth"]["type"], "number");
/// assert_eq!(schema["required"], serde_json::json!(["depth"]));
/// ```
pub fn arguments_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}
