//! `compute_salt_transport`: salt transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::carried::{Asked, Cargo, Positive, SECTION, Told, answer, spec};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::any_array;

/// Salt transport.
pub(crate) struct ComputeSaltTransport;

/// Arguments of `compute_salt_transport`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current; a line along a parallel does without.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: Option<FieldArgument>,
    /// Northward current; a line along a meridian does without.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: Option<FieldArgument>,
    /// Salinity.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "1e-3"}))]
    salt: FieldArgument,
    /// Density of sea water in kg m-3.
    #[serde(default = "density")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Places `[lon, lat]` of the line, two or more.
    transect_points: Vec<[f64; 2]>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Depths between which the water is counted: {"range": [0, 200]}.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Pieces of a line that follows no meridian or parallel.
    #[serde(default = "samples")]
    #[schemars(range(min = 1, max = 100_000))]
    n_samples: usize,
    /// The positive direction.
    #[serde(default)]
    positive: Positive,
}

fn samples() -> usize {
    120
}

fn density() -> f64 {
    1026.0
}

impl Computation for ComputeSaltTransport {
    const NAME: &'static str = "compute_salt_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Salt transport through a line.", any_array("kg s-1"));
        spec(own.description(&format!("ρ0 Σ S/1000 u_n h ds for each time in kg s-1, of Absolute Salinity in g kg-1; Practical Salinity is taken for it as it is, which is about 0.5 % too small. {SECTION}")))
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let asked = Asked {
            u: arguments.u.as_ref(),
            v: arguments.v.as_ref(),
            points: &arguments.transect_points,
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
            samples: arguments.n_samples,
            positive: arguments.positive,
        };
        let of = format!("salt transport with {} kg m-3", arguments.rho0);
        let told = Told {
            name: "salt_transport",
            standard_name: None,
            units: "kg s-1",
            unit: 1.0,
            of: &of,
            notes: Vec::new(),
        };
        let factor = arguments.rho0 / 1000.0;
        let cargo = Cargo { field: &arguments.salt, units: "1e-3" };
        answer(&asked, Some(&cargo), told, |salt| factor * salt, datasets, context)
    }
}
