//! `compute_rossby_number`: relative over planetary vorticity.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{CoastsArgument, DERIVATIVES, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::sphere::coriolis;
use crate::outcome::{Quantity, any_array};
use crate::together::Part;
use crate::{Datasets, evidence};

/// Relative vorticity over the Coriolis parameter.
pub(crate) struct ComputeRossbyNumber;

/// Arguments of `compute_rossby_number`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
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
    /// Cells this near the equator, in degrees, are missing.
    #[serde(default = "two")]
    #[schemars(range(min = 0, max = 90))]
    mask_lat: f64,
}

fn two() -> f64 {
    2.0
}

impl Computation for ComputeRossbyNumber {
    const NAME: &'static str = "compute_rossby_number";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Local Rossby number.", any_array("1"))
            .description(&format!(
                "ζ / f with f = 2 Ω sin φ, Ω = 7.292115e-5 s-1: positive for cyclones in both hemispheres, and missing \
                 within `mask_lat` degrees of the equator, where f vanishes. {DERIVATIVES}"
            ))
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
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let planetary: Vec<f64> = plane
            .lat()
            .iter()
            .map(|&lat| if lat.abs() < arguments.mask_lat || lat == 0.0 { f64::NAN } else { coriolis(lat) })
            .collect();
        let derived = flow.by_gradient(&plane, context, |_, gradient| {
            let mut ratio = gradient.vorticity();
            for ((y, _), value) in ratio.indexed_iter_mut() {
                *value /= planetary[y];
            }
            ratio
        })?;
        let method = format!("Rossby number ζ / f, missing within {}° of the equator", arguments.mask_lat);
        let quantity = Quantity { name: "rossby_number", standard_name: None, units: "1", method: &method };
        Ok(flow.answer(&quantity, &derived))
    }
}
