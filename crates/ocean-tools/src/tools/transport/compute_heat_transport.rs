//! `compute_heat_transport`: heat transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::carried::{Asked, Cargo, Positive, SECTION, Told, answer, spec};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::any_array;

/// Heat transport.
pub(crate) struct ComputeHeatTransport;

/// Arguments of `compute_heat_transport`.
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
    /// Temperature.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "degC"}))]
    temp: FieldArgument,
    /// Density of sea water in kg m-3.
    #[serde(default = "density")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Heat capacity in J kg-1 K-1.
    #[serde(default = "capacity")]
    #[schemars(range(min = 3000, max = 5000))]
    cp: f64,
    /// Temperature in degC that carries no heat.
    #[serde(default)]
    reference_temperature: f64,
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

fn capacity() -> f64 {
    3_991.867_957_119_63
}

impl Computation for ComputeHeatTransport {
    const NAME: &'static str = "compute_heat_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Heat transport through a line.", any_array("W"));
        spec(own.description(&format!("ρ0 c_p Σ (T − T_ref) u_n h ds for each time in W. It depends on the reference temperature unless the volume transport, given beside it, is zero; then it is a temperature transport (Schauer and Beszczynska-Möller 2009). c_p is that of Conservative Temperature in TEOS-10, 3991.86795711963 J kg-1 K-1, unless stated. {SECTION}")))
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
        let reference = arguments.reference_temperature;
        let of = format!(
            "heat transport relative to {reference} degC with {} kg m-3 and {} J kg-1 K-1",
            arguments.rho0, arguments.cp
        );
        let told = Told {
            name: "heat_transport",
            standard_name: None,
            units: "W",
            unit: 1.0,
            of: &of,
            notes: vec![format!(
                "heat is relative to {reference} degC: where the volume transport is not zero it is a temperature transport"
            )],
        };
        let factor = arguments.rho0 * arguments.cp;
        let cargo = Cargo { field: &arguments.temp, units: "degC" };
        answer(&asked, Some(&cargo), told, |temp| factor * (temp - reference), datasets, context)
    }
}
