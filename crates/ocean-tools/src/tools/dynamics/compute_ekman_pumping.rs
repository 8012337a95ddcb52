//! `compute_ekman_pumping`: vertical velocity below the wind-driven layer.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_ekman_transport::sea;
use super::compute_geostrophic_velocity::five;
use super::flow::{CoastsArgument, yes};
use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_map_parts;
use crate::frame::Frame;
use crate::kernels::currents::{curl, ekman_pumping};
use crate::kernels::differences::Plane;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, map_axes, one_grid};

/// Ekman pumping and the curl of the stress.
pub(crate) struct ComputeEkmanPumping;

/// Arguments of `compute_ekman_pumping`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward wind stress on the sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "lat", "lon"], "unit": "N m-2"}))]
    taux: FieldArgument,
    /// Northward wind stress on the sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "lat", "lon"], "unit": "N m-2"}))]
    tauy: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Density of the sea in kg m-3.
    #[serde(default = "sea")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
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

impl Computation for ComputeEkmanPumping {
    const NAME: &'static str = "compute_ekman_pumping";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Vertical velocity from the curl of the wind stress.", any_array("any"))
            .description(
                "w = curl(τ / f) / ρ with curl = ∂y/∂x − ∂x/∂y + x tan φ / R, positive upwards, missing within `mask_lat` \
                 degrees of the equator; and the curl of the stress itself. Differences are centred on the sphere \
                 (R = 6371000 m), one-sided at the edges of the grid. Outputs `pumping` (m s-1) and `curl` (N m-3).",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["pumping", "curl"], "any")
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let x = part.open(&arguments.taux, "N m-2", datasets, context)?;
        let y = part.open(&arguments.tauy, "N m-2", datasets, context)?;
        one_grid(&[&x, &y])?;
        let (lat, lon) = map_axes(&x)?;
        let plane = Plane::new(&lat, &lon, arguments.wrap, arguments.coasts.coasts());
        let derived = by_map_parts(&[&x, &y], context, 2, |_, maps| {
            vec![
                ekman_pumping(&plane, [&maps[0], &maps[1]], arguments.rho0, arguments.mask_lat),
                curl(&plane, &maps[0], &maps[1]),
            ]
        })?;
        let method = format!(
            "Ekman pumping curl(τ/f)/ρ with water of {} kg m-3, positive upwards, missing within {}° of the equator",
            arguments.rho0, arguments.mask_lat
        );
        let pumping = Quantity {
            name: "ekman_pumping",
            standard_name: Some("upward_sea_water_velocity"),
            units: "m s-1",
            method: &method,
        };
        let curl = Quantity {
            name: "wind_stress_curl",
            standard_name: None,
            units: "N m-3",
            method: "curl of the wind stress",
        };
        let parts = [("pumping", pumping, &derived.parts[0]), ("curl", curl, &derived.parts[1])];
        Ok(read_from(parts_output(&Frame::of(&x)?, &parts), &[&x, &y], &derived.chunks))
    }
}
