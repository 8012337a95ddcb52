//! `compute_volume_transport`: volume transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::carried::{Asked, Positive, SECTION, Told, answer, spec};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::any_array;

/// Volume transport.
pub(crate) struct ComputeVolumeTransport;

/// Arguments of `compute_volume_transport`.
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

impl Computation for ComputeVolumeTransport {
    const NAME: &'static str = "compute_volume_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Volume transport through a line.", any_array("Sv"));
        spec(own.description(&format!(
            "Σ u_n h ds for each time in Sv (1e6 m3 s-1), and its positive and negative parts. {SECTION}"
        )))
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
        let told = Told {
            name: "volume_transport",
            standard_name: None,
            units: "Sv",
            unit: 1e6,
            of: "volume transport",
            notes: Vec::new(),
        };
        answer(&asked, None, told, |value| value, datasets, context)
    }
}
