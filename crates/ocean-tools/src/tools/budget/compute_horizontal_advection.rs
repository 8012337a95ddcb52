//! `compute_horizontal_advection`: what a current brings to each place.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_local_tendency::per_day;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_map;
use crate::kernels::tendency::horizontal_advection;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::{Part, one_grid};
use crate::tools::dynamics::flow::{CoastsArgument, Flow, yes};
use crate::{Datasets, evidence};

/// Advection by horizontal currents.
pub(crate) struct ComputeHorizontalAdvection;

/// Arguments of `compute_horizontal_advection`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Tracer.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

impl Computation for ComputeHorizontalAdvection {
    const NAME: &'static str = "compute_horizontal_advection";
    type Arguments = Arguments;

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
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let tracer = part.open_as_is(&arguments.data, datasets, context)?;
        let fields = [&tracer, &flow.u, &flow.v];
        one_grid(&fields)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let derived =
            by_map(&fields, context, |_, maps| horizontal_advection(&plane, &maps[0], &maps[1], &maps[2]))?;
        let name = format!("{}_horizontal_advection", tracer.variable().identity_name());
        let units = per_day(&units_of(&tracer));
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "horizontal advection −(u ∂C/∂x + v ∂C/∂y) per day",
        };
        Ok(read_from(quantity.output(&flow.frame, &derived.values), &fields, &derived.chunks))
    }
}
