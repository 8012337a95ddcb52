//! `compute_vertical_shear`: how fast a current changes with depth.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};

use super::flow::{Flow, PairArguments};
use crate::derived::by_column;
use crate::frame::Side;
use crate::kernels::layers::interface_slope;
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::column_axis;
use crate::{Datasets, evidence};

/// Magnitude of the vertical shear.
#[derive(Debug)]
pub(crate) struct ComputeVerticalShear {
    datasets: Arc<Datasets>,
}

impl ComputeVerticalShear {
    pub(crate) fn new(datasets: Arc<Datasets>) -> Self {
        Self { datasets }
    }
}

#[async_trait]
impl TypedTool for ComputeVerticalShear {
    const NAME: &'static str = "compute_vertical_shear";
    type Arguments = PairArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("dynamics", "Magnitude of the vertical shear of a current.", any_array("s-1"))
            .description(
                "√(u_z² + v_z²) half-way between neighbouring levels, missing where either has no value. Both components \
                 must stand on one grid.",
            )
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
    let depth = column_axis(&flow.u)?;
    let derived = by_column(&[&flow.u, &flow.v], context, depth.len() - 1, |_, columns, out| {
        let (u, v) = (interface_slope(&columns[0], &depth), interface_slope(&columns[1], &depth));
        for (out, (u, v)) in out.iter_mut().zip(u.iter().zip(&v)) {
            *out = libm::hypot(*u, *v);
        }
    })?;
    let between: Vec<f64> = depth.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect();
    let bounds = depth.windows(2).map(|pair| [pair[0], pair[1]]).collect();
    let frame = flow.frame.clone().with_depth(Side { values: between, bounds, is_scalar: false });
    let quantity = Quantity {
        name: "vertical_shear",
        standard_name: None,
        units: "s-1",
        method: "vertical shear √(u_z² + v_z²) half-way between levels",
    };
    Ok(read_from(quantity.output(&frame, &derived.values), &[&flow.u, &flow.v], &derived.chunks))
}
