//! [`ServiceTool`]: what a tool of this crate is, and the macro that lists those of a specialist.

use std::fmt;

use async_trait::async_trait;
use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::ServiceError;

/// A tool that asks a service through the client of its specialist.
#[async_trait]
pub(crate) trait ServiceTool: Send + Sync + 'static {
    /// The name that plans use.
    const NAME: &'static str;

    /// What speaks to the service.
    type Client: Clone + fmt::Debug + Send + Sync + 'static;

    /// The arguments.
    type Arguments: DeserializeOwned + JsonSchema + Send + 'static;

    /// Everything but the name and the arguments' schema, which follow from the type.
    fn describe(client: &Self::Client) -> ToolSpec;

    /// Answers a call.
    ///
    /// # Errors
    /// [`ServiceError`]: what is wrong and what to do.
    async fn run(
        arguments: Self::Arguments,
        client: &Self::Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError>;
}

/// A [`ServiceTool`] with its client, as a tool.
pub(crate) struct HydroTool<T: ServiceTool> {
    client: T::Client,
}

impl<T: ServiceTool> HydroTool<T> {
    pub(crate) const fn new(client: T::Client) -> Self {
        Self { client }
    }
}

impl<T: ServiceTool> fmt::Debug for HydroTool<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("HydroTool").field(&T::NAME).finish()
    }
}

#[async_trait]
impl<T: ServiceTool> TypedTool for HydroTool<T> {
    const NAME: &'static str = T::NAME;
    type Arguments = T::Arguments;

    fn describe(&self) -> ToolSpec {
        T::describe(&self.client)
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(T::run(arguments, &self.client, context).await?)
    }
}

/// Lists the tools of a specialist, in the order in which they are shown: `tools![Client; file::Type, …]` makes `all` and
/// `NAMES`.
macro_rules! tools {
    ($client:ty; $($module:ident :: $tool:ident),* $(,)?) => {
        /// The tools of the specialist.
        pub(crate) fn all(client: &$client) -> Vec<std::sync::Arc<dyn leg_core::Tool>> {
            vec![$(std::sync::Arc::new(
                crate::tool::HydroTool::<$module::$tool>::new(client.clone()),
            )),*]
        }

        /// Their names.
        pub(crate) const NAMES: &[&str] = &[$(<$module::$tool as crate::tool::ServiceTool>::NAME),*];
    };
}

pub(crate) use tools;
