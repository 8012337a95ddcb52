//! `compute_kinetic_energy`: kinetic energy per unit mass.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::flow::{Flow, PairArguments};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// Half the square of the current.
pub(crate) struct ComputeKineticEnergy;

impl Computation for ComputeKineticEnergy {
    const NAME: &'static str = "compute_kinetic_energy";
    type Arguments = PairArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Kinetic energy per unit mass.", any_array("m2 s-2"))
            .description("(u² + v²)/2 in each cell, per unit mass; missing where either component is. Both components must stand on one grid.")
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
    let derived = flow.by_cell(context, |u, v| 0.5 * (u * u + v * v))?;
    let quantity = Quantity {
        name: "kinetic_energy",
        standard_name: Some("specific_kinetic_energy_of_sea_water"),
        units: "m2 s-2",
        method: "kinetic energy (u² + v²)/2",
    };
    Ok(flow.answer(&quantity, &derived))
}
