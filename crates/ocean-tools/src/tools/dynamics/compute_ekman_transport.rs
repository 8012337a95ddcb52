//! `compute_ekman_transport`: the transport of the wind-driven layer.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_geostrophic_velocity::five;
use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell_parts;
use crate::frame::Frame;
use crate::kernels::currents::planetary;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, one_grid};

/// Ekman transport.
pub(crate) struct ComputeEkmanTransport;

/// Arguments of `compute_ekman_transport`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward wind stress on the sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "N m-2"}))]
    taux: FieldArgument,
    /// Northward wind stress on the sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "N m-2"}))]
    tauy: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Direction of the coast in degrees clockwise from north, with the sea on its left (so that a coast of 0 has the
    /// sea in the west): adds the offshore transport.
    #[serde(default)]
    coast_angle: Option<f64>,
    /// Density of the sea in kg m-3.
    #[serde(default = "sea")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Cells this near the equator, in degrees, are missing.
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 90))]
    mask_lat: f64,
}

pub(super) fn sea() -> f64 {
    1025.0
}

impl Computation for ComputeEkmanTransport {
    const NAME: &'static str = "compute_ekman_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Wind-driven Ekman transport.", any_array("m2 s-1"))
            .description(
                "U = τ_y / (ρ f), V = −τ_x / (ρ f) per metre of width, f = 2 Ω sin φ, Ω = 7.292115e-5 s-1: to the right \
                 of the stress in the north. Missing within `mask_lat` degrees of the equator. With `coast_angle`, \
                 `offshore` is the transport to the left of the coast's direction, positive for upwelling (Bakun 1973 \
                 gives it for 100 m of coast). Outputs `u` eastward, `v` northward and `offshore`.",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["u", "v", "offshore"], "m2 s-1")
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
        let Some(lat) = x.lats() else {
            return Err(ToolError::invalid(format!(
                "`{}` has no latitude, and the transport depends on it",
                x.name()
            )));
        };
        let planetary = planetary(&lat.values, arguments.mask_lat);
        // The unit vector to the left of a direction clockwise from north.
        let left = arguments.coast_angle.map(|angle| {
            let angle = angle.to_radians();
            [-libm::cos(angle), libm::sin(angle)]
        });
        let derived = by_cell_parts(&[&x, &y], context, 3, |place, cell, out| {
            let scale = 1.0 / (arguments.rho0 * planetary[place.lat]);
            let (u, v) = (cell[1] * scale, -cell[0] * scale);
            let [east, north] = left.unwrap_or([f64::NAN; 2]);
            out.copy_from_slice(&[u, v, u * east + v * north]);
        })?;
        let method = format!(
            "Ekman transport with water of {} kg m-3, missing within {}° of the equator",
            arguments.rho0, arguments.mask_lat
        );
        let quantity = |name| Quantity { name, standard_name: None, units: "m2 s-1", method: &method };
        let mut parts = vec![
            ("u", quantity("ekman_u"), &derived.parts[0]),
            ("v", quantity("ekman_v"), &derived.parts[1]),
        ];
        if left.is_some() {
            parts.push(("offshore", quantity("ekman_offshore"), &derived.parts[2]));
        }
        Ok(read_from(parts_output(&Frame::of(&x)?, &parts), &[&x, &y], &derived.chunks))
    }
}
