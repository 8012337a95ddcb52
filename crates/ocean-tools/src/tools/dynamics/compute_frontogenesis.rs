//! `compute_frontogenesis`: how fast a current sharpens a gradient.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{CoastsArgument, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_map;
use crate::kernels::gradient::frontogenesis;
use crate::kernels::kinematics::VelocityGradient;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::{Part, one_grid};
use crate::{Datasets, evidence};

/// Frontogenesis by horizontal currents.
pub(crate) struct ComputeFrontogenesis;

/// Arguments of `compute_frontogenesis`.
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

impl Computation for ComputeFrontogenesis {
    const NAME: &'static str = "compute_frontogenesis";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Rate at which a current sharpens a gradient.", any_array("any"))
            .description(
                "F = −(u_x C_x² + v_y C_y² + (u_y + v_x) C_x C_y) with the curvature terms of the sphere: half the rate at \
                 which |∇C|² of a water parcel grows (Hoskins 1982), positive where fronts sharpen, in the square of the data's \
                 units per square metre and second. Centred differences (R = 6371000 m), one-sided at the edges of the grid, \
                 missing beside land unless `coasts` is one_sided. All fields must stand on one grid.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
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
        let derived = by_map(&fields, context, |_, maps| {
            frontogenesis(&plane, &maps[0], &VelocityGradient::of(&plane, &maps[1], &maps[2]))
        })?;
        let name = format!("{}_frontogenesis", tracer.variable().identity_name());
        let own = units_of(&tracer);
        let units = match own.as_str() {
            "1" => "m-2 s-1".to_owned(),
            simple if simple.chars().all(char::is_alphabetic) => format!("{simple}2 m-2 s-1"),
            other => format!("({other})^2 m-2 s-1"),
        };
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "frontogenesis −(u_x C_x² + v_y C_y² + (u_y + v_x) C_x C_y)",
        };
        Ok(read_from(quantity.output(&flow.frame, &derived.values), &fields, &derived.chunks))
    }
}
