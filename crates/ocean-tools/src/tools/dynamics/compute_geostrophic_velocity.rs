//! `compute_geostrophic_velocity`: the current that balances a slope of the sea surface or of dynamic height.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{CoastsArgument, yes};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_map_parts;
use crate::frame::Frame;
use crate::kernels::currents::{geostrophic, planetary};
use crate::kernels::differences::Plane;
use crate::kernels::sphere::GRAVITY;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, map_axes};

/// Geostrophic current.
pub(crate) struct ComputeGeostrophicVelocity;

/// Arguments of `compute_geostrophic_velocity`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Sea surface height above the geoid, or its anomaly for the anomaly of the current.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m"}))]
    ssh: Option<FieldArgument>,
    /// Dynamic height relative to a level; the current is relative to that level too.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m2 s-2"}))]
    dynamic_height: Option<FieldArgument>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Cells this near the equator, in degrees, are missing.
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 90))]
    mask_lat: f64,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

pub(super) fn five() -> f64 {
    5.0
}

impl Computation for ComputeGeostrophicVelocity {
    const NAME: &'static str = "compute_geostrophic_velocity";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Geostrophic current from sea surface height.", any_array("m s-1"))
            .description(
                "u = −(g/f) η_y and v = (g/f) η_x with g = 9.80665 m s-2 and f = 2 Ω sin φ, Ω = 7.292115e-5 s-1; of a \
                 dynamic height Ψ, u = −Ψ_y / f and v = Ψ_x / f relative to its reference level. Missing within \
                 `mask_lat` degrees of the equator, where f vanishes. Differences are centred on the sphere \
                 (R = 6371000 m), one-sided at the edges of the grid, and missing beside land unless `coasts` is \
                 one_sided. Two outputs, `u` eastward and `v` northward.",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["u", "v"], "m s-1")
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
        let (height, metres, of) = match (&arguments.ssh, &arguments.dynamic_height) {
            (Some(ssh), None) => (part.open(ssh, "m", datasets, context)?, 1.0, "the sea surface height"),
            (None, Some(dynamic)) => {
                (part.open(dynamic, "m2 s-2", datasets, context)?, 1.0 / GRAVITY, "the dynamic height")
            }
            _ => return Err(ToolError::invalid("give either ssh or dynamic_height")),
        };
        let (lat, lon) = map_axes(&height)?;
        let plane = Plane::new(&lat, &lon, arguments.wrap, arguments.coasts.coasts());
        let planetary: Vec<f64> = planetary(&lat, arguments.mask_lat).iter().map(|f| f / metres).collect();
        let derived =
            by_map_parts(&[&height], context, 2, |_, maps| geostrophic(&plane, &planetary, &maps[0]).into())?;
        let method =
            format!("geostrophic current of {of}, missing within {}° of the equator", arguments.mask_lat);
        let quantity = |name, standard_name| Quantity {
            name,
            standard_name: Some(standard_name),
            units: "m s-1",
            method: &method,
        };
        let parts = [
            ("u", quantity("geostrophic_u", "geostrophic_eastward_sea_water_velocity"), &derived.parts[0]),
            ("v", quantity("geostrophic_v", "geostrophic_northward_sea_water_velocity"), &derived.parts[1]),
        ];
        Ok(read_from(parts_output(&Frame::of(&height)?, &parts), &[&height], &derived.chunks))
    }
}
