//! `compute_freshwater_transport`: freshwater transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::carried::{Asked, Cargo, Positive, SECTION, Told, answer, spec};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::any_array;

/// Freshwater transport.
pub(crate) struct ComputeFreshwaterTransport;

/// Arguments of `compute_freshwater_transport`.
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
    /// Salinity that carries no fresh water.
    #[serde(default = "reference")]
    #[schemars(range(min = 1, max = 50))]
    s_ref: f64,
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

fn reference() -> f64 {
    35.0
}

impl Computation for ComputeFreshwaterTransport {
    const NAME: &'static str = "compute_freshwater_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Freshwater transport through a line.", any_array("Sv"));
        spec(own.description(&format!("Σ (1 − S/S_ref) u_n h ds for each time in Sv. It depends on the reference salinity unless the volume transport, given beside it, is zero. {SECTION}")))
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
        let of = format!("freshwater transport relative to a salinity of {}", arguments.s_ref);
        let told = Told {
            name: "freshwater_transport",
            standard_name: None,
            units: "Sv",
            unit: 1e6,
            of: &of,
            notes: Vec::new(),
        };
        let cargo = Cargo { field: &arguments.salt, units: "1e-3" };
        answer(&asked, Some(&cargo), told, |salt| 1.0 - salt / arguments.s_ref, datasets, context)
    }
}
