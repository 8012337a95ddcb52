//! `compute_divergence`: horizontal divergence of a current.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::flow::{DERIVATIVES, Flow, FlowArguments};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// Horizontal divergence.
pub(crate) struct ComputeDivergence;

impl Computation for ComputeDivergence {
    const NAME: &'static str = "compute_divergence";
    type Arguments = FlowArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Horizontal divergence of a current.", any_array("s-1"))
            .description(&format!("u_x + v_y − v tan φ / R, positive where water spreads. {DERIVATIVES}"))
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
    arguments: &FlowArguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let (flow, plane) = Flow::of_arguments(arguments, datasets, context)?;
    let derived = flow.by_gradient(&plane, context, |_, gradient| gradient.divergence())?;
    let quantity = Quantity {
        name: "divergence",
        standard_name: Some("divergence_of_sea_water_velocity"),
        units: "s-1",
        method: "divergence u_x + v_y − v tan φ / R",
    };
    Ok(flow.answer(&quantity, &derived))
}
