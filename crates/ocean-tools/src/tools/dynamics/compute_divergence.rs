//! `compute_divergence`: horizontal divergence of a current.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};

use super::flow::{DERIVATIVES, Flow, FlowArguments};
use crate::outcome::{Quantity, any_array};
use crate::{Datasets, evidence};

/// Horizontal divergence.
#[derive(Debug)]
pub(crate) struct ComputeDivergence {
    datasets: Arc<Datasets>,
}

impl ComputeDivergence {
    pub(crate) fn new(datasets: Arc<Datasets>) -> Self {
        Self { datasets }
    }
}

#[async_trait]
impl TypedTool for ComputeDivergence {
    const NAME: &'static str = "compute_divergence";
    type Arguments = FlowArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("dynamics", "Horizontal divergence of a current.", any_array("s-1"))
            .description(&format!("u_x + v_y − v tan φ / R, positive where water spreads. {DERIVATIVES}"))
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let datasets = Arc::clone(&self.datasets);
        context.blocking(move |context| compute(&arguments, &datasets, context)).await
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
