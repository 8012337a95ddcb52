//! [`Computation`]: what a tool of this crate is, and the macro that lists those of a family.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::Datasets;

/// A tool that reads datasets and artifacts and computes. It runs beside the threads of the engine, as it may take long.
pub(crate) trait Computation: 'static {
    /// The name that plans use.
    const NAME: &'static str;

    /// The arguments.
    type Arguments: DeserializeOwned + JsonSchema + Send + 'static;

    /// Everything but the name and the arguments' schema, which follow from the type.
    fn describe() -> ToolSpec;

    /// Answers a call.
    ///
    /// # Errors
    /// [`ToolError`]: what is wrong and what to do.
    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError>;
}

/// A [`Computation`] on some datasets, as a tool.
pub(crate) struct OceanTool<C> {
    datasets: Arc<Datasets>,
    computation: PhantomData<fn() -> C>,
}

impl<C: Computation> OceanTool<C> {
    pub(crate) fn new(datasets: &Arc<Datasets>) -> Self {
        Self { datasets: Arc::clone(datasets), computation: PhantomData }
    }
}

impl<C: Computation> fmt::Debug for OceanTool<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("OceanTool").field(&C::NAME).finish()
    }
}

#[async_trait]
impl<C: Computation> TypedTool for OceanTool<C> {
    const NAME: &'static str = C::NAME;
    type Arguments = C::Arguments;

    fn describe(&self) -> ToolSpec {
        C::describe()
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let datasets = Arc::clone(&self.datasets);
        context.blocking(move |context| C::run(&arguments, &datasets, context)).await
    }
}

/// Lists the tools of a family, in the order in which they are shown: `tools![file::Type, …]` makes `all`.
macro_rules! tools {
    ($($module:ident :: $computation:ident),* $(,)?) => {
        pub(super) fn all(
            datasets: &std::sync::Arc<crate::Datasets>,
        ) -> Vec<std::sync::Arc<dyn leg_core::Tool>> {
            vec![$(std::sync::Arc::new(
                crate::computation::OceanTool::<$module::$computation>::new(datasets),
            )),*]
        }
    };
}

pub(crate) use tools;
