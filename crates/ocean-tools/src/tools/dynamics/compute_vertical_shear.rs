//! `compute_vertical_shear`: how fast a current changes with depth.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::flow::{Flow, PairArguments};
use crate::computation::Computation;
use crate::derived::by_column;
use crate::frame::Side;
use crate::kernels::layers::interface_slope;
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::column_axis;
use crate::{Datasets, evidence};

/// Magnitude of the vertical shear.
pub(crate) struct ComputeVerticalShear;

impl Computation for ComputeVerticalShear {
    const NAME: &'static str = "compute_vertical_shear";
    type Arguments = PairArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Magnitude of the vertical shear of a current.", any_array("s-1"))
            .description(
                "√(u_z² + v_z²) half-way between neighbouring levels, missing where either has no value. Both components \
                 must stand on one grid.",
            )
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
