//! `compute_kinetic_energy`: kinetic energy per unit mass.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};

use super::flow::{Flow, PairArguments};
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// Half the square of the current.
#[derive(Debug)]
pub(crate) struct ComputeKineticEnergy {
    datasets: Arc<Datasets>,
}

impl ComputeKineticEnergy {
    pub(crate) fn new(datasets: Arc<Datasets>) -> Self {
        Self { datasets }
    }
}

#[async_trait]
impl TypedTool for ComputeKineticEnergy {
    const NAME: &'static str = "compute_kinetic_energy";
    type Arguments = PairArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("dynamics", "Kinetic energy per unit mass.", any_array("m2 s-2"))
            .description("(u² + v²)/2 in each cell, per unit mass; missing where either component is. Both components must stand on one grid.")
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
    let derived = flow.by_cell(context, |u, v| 0.5 * (u * u + v * v))?;
    let quantity = Quantity {
        name: "kinetic_energy",
        standard_name: Some("specific_kinetic_energy_of_sea_water"),
        units: "m2 s-2",
        method: "kinetic energy (u² + v²)/2",
    };
    Ok(flow.answer(&quantity, &derived))
}
