//! `compute_speed_from_uv`: current speed from two components.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::flow::{Flow, PairArguments};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// The length of the current vector.
pub(crate) struct ComputeSpeedFromUv;

impl Computation for ComputeSpeedFromUv {
    const NAME: &'static str = "compute_speed_from_uv";
    type Arguments = PairArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Current speed from two components.", any_array("m s-1"))
            .description("√(u² + v²) in each cell; missing where either component is. Both components must stand on one grid.")
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        compute(arguments, datasets, context)
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
