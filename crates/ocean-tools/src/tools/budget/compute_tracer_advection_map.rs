//! `compute_tracer_advection_map`: what a current brings to each place on the mean.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::compute_local_tendency::per_day;
use crate::computation::Computation;
use crate::kernels::collapse;
use crate::outcome::{Quantity, read_from};
use crate::series::units_of;
use crate::tools::dynamics::compute_spatial_vorticity_map::Aggregation;
use crate::tools::dynamics::tracer_flow::tracer_arguments;
use crate::{Datasets, evidence};

/// A map of advection by horizontal currents.
pub(crate) struct ComputeTracerAdvectionMap;

tracer_arguments! {
    /// Arguments of `compute_tracer_advection_map`.
    Arguments, or: ["map"], time: "time?", {
        /// What becomes of the times; several levels are averaged by thickness before.
        #[serde(default)]
        time_aggregation: Aggregation,
    }
}

impl Computation for ComputeTracerAdvectionMap {
    const NAME: &'static str = "compute_tracer_advection_map";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Map).dims(&["lat", "lon"]).unit("data day-1");
        ToolSpec::new("budget", "Map of the tendency of a tracer by horizontal currents.", port)
            .description(
                "−(u ∂C/∂x + v ∂C/∂y) per day at each time and level as in `compute_horizontal_advection`, averaged over levels \
                 by thickness and then reduced over time, so that the mean holds what varies together between the times.",
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
        let (derived, flow) = (carried.advection(context)?, &carried.flow);
        let layers = collapse::levels(&derived.values, &flow.u.layer_thickness());
        let (statistic, noun) = arguments.time_aggregation.parts();
        let map = collapse::axis(&layers, 0, statistic);
        let mut frame = flow.frame.clone().without_depth();
        if let Some(time) = &frame.time {
            frame.facts.insert("time".to_owned(), time.window().into());
        }
        frame = frame.without_time();
        let name = carried.advection_name();
        let units = per_day(&units_of(&carried.tracer));
        let method = format!("{noun} over time of the horizontal advection −(u ∂C/∂x + v ∂C/∂y) per day");
        let quantity = Quantity { name: &name, standard_name: None, units: &units, method: &method };
        Ok(read_from(quantity.output(&frame, &map), &carried.fields(), &derived.chunks))
    }
}
