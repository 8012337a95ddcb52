//! `compute_speed_from_uv`: current speed from two components.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};

use super::flow::{Flow, PairArguments};
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// The length of the current vector.
#[derive(Debug)]
pub(crate) struct ComputeSpeedFromUv {
    datasets: Arc<Datasets>,
}

impl ComputeSpeedFromUv {
    pub(crate) fn new(datasets: Arc<Datasets>) -> Self {
        Self { datasets }
    }
}

#[async_trait]
impl TypedTool for ComputeSpeedFromUv {
    const NAME: &'static str = "compute_speed_from_uv";
    type Arguments = PairArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("dynamics", "Current speed from two components.", any_array("m s-1"))
            .description("√(u² + v²) in each cell; missing where either component is. Both components must stand on one grid.")
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let datasets = Arc::clone(&self.datasets);
        context.blocking(move |context| compute(&arguments, &datasets, context)).await
    }
}

fn compute(
    arguments: &PairArguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let flow = Flow::of_pair(arguments, datasets, context)?;
    let derived = flow.by_cell(context, libm::hypot)?;
    let quantity = Quantity {
        name: "speed",
        standard_name: Some("sea_water_speed"),
        units: "m s-1",
        method: "speed √(u² + v²)",
    };
    Ok(flow.answer(&quantity, &derived))
}
