//! `compute_tracer_horizontal_advection_timeseries`: what a current brings to a region, a value a time.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::compute_local_tendency::per_day;
use super::region_mean::{MeanArgument, RegionMean, along_time, region_frame};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array, read_from};
use crate::reduce::map_sums;
use crate::series::units_of;
use crate::tools::dynamics::tracer_flow::tracer_arguments;
use crate::{Datasets, evidence};

/// Advection by horizontal currents over a region.
pub(crate) struct ComputeTracerHorizontalAdvectionTimeseries;

tracer_arguments! {
    /// Arguments of `compute_tracer_horizontal_advection_timeseries`.
    Arguments, or: ["map"], time: "time?", {
        /// Weights of the cells; several levels are averaged by thickness.
        #[serde(default)]
        weighting: MeanArgument,
    }
}

impl Computation for ComputeTracerHorizontalAdvectionTimeseries {
    const NAME: &'static str = "compute_tracer_horizontal_advection_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("budget", "Regional series of horizontal advection of a tracer.", any_array("data day-1"))
            .description(
                "Mean over the region of −(u ∂C/∂x + v ∂C/∂y) per day as in `compute_horizontal_advection`, positive where the \
                 current brings more of the tracer: the mean of the products, not the product of the means. Cells count by \
                 area (or alike) and thickness; those without an advection, such as beside land, carry no weight. Also \
                 returns the number of cells.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let carried = arguments.carried(datasets, context)?;
        let mean = RegionMean::of(&carried.tracer, arguments.weighting);
        let sums = map_sums(&carried.fields(), &mean.weights, &mean.thickness, context, |maps| {
            carried.advection_of(maps)
        })?;
        let frame = region_frame(carried.flow.frame.clone());
        let method = format!(
            "{} over the region of the horizontal advection −(u ∂C/∂x + v ∂C/∂y) per day",
            arguments.weighting.noun()
        );
        let quantity = Quantity {
            name: &carried.advection_name(),
            standard_name: None,
            units: &per_day(&units_of(&carried.tracer)),
            method: &method,
        };
        let mut output = quantity.output(&frame, &along_time(sums.mean()));
        if let Some(artifact) = output.artifacts.get_mut("result") {
            let counts = along_time(sums.cells.iter().map(|&count| count as f64).collect());
            artifact.variables.push(frame.variable("count", "1", &counts));
        }
        if sums.cells.iter().all(|&count| count == 0) {
            output.notes.push("no cell of the region has an advection; every value is missing".to_owned());
        }
        Ok(read_from(output, &carried.fields(), &sums.chunks))
    }
}
