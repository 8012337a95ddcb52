//! `compute_horizontal_advection`: what a current brings to each place.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::compute_local_tendency::per_day;
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::tools::dynamics::tracer_flow::TracerArguments;
use crate::{Datasets, evidence};

/// Advection by horizontal currents.
pub(crate) struct ComputeHorizontalAdvection;

impl Computation for ComputeHorizontalAdvection {
    const NAME: &'static str = "compute_horizontal_advection";
    type Arguments = TracerArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("budget", "Tendency of a tracer by horizontal currents.", any_array("data day-1"))
            .description(
                "−(u ∂C/∂x + v ∂C/∂y) per day, positive where the current brings more of the tracer. Centred differences on \
                 the sphere (R = 6371000 m), one-sided at the edges of the grid, missing beside land unless `coasts` is \
                 one_sided. The advective form of means: what varies within their interval, and the divergence of the \
                 current, are left to a budget's residual. All fields must stand on one grid.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &TracerArguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let carried = arguments.carried(datasets, context)?;
        let derived = carried.advection(context)?;
        let name = carried.advection_name();
        let units = per_day(&units_of(&carried.tracer));
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "horizontal advection −(u ∂C/∂x + v ∂C/∂y) per day",
        };
        Ok(read_from(
            quantity.output(&carried.flow.frame, &derived.values),
            &carried.fields(),
            &derived.chunks,
        ))
    }
}
