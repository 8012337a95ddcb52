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
pub fn arguments_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.to_value()
}
