//! `compute_okubo_weiss`: where rotation rules over strain.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::flow::{CoastsArgument, DERIVATIVES, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array};
use crate::together::Part;
use crate::{Datasets, evidence};

/// The share of the standard deviation below which a cell counts as inside of a vortex (Isern-Fontanet et al. 2003).
const VORTEX: f64 = -0.2;

/// The Okubo–Weiss parameter.
pub(crate) struct ComputeOkuboWeiss;

/// Arguments of `compute_okubo_weiss`.
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
    /// Divide each map by its standard deviation.
    #[serde(default = "yes")]
    normalise: bool,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

impl Computation for ComputeOkuboWeiss {
    const NAME: &'static str = "compute_okubo_weiss";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["vortex_cells"]].concat();
        ToolSpec::new("dynamics", "Okubo–Weiss parameter of a current.", any_array("any"))
            .description(&format!(
                "W = s_n² + s_s² − ζ², negative where rotation rules over strain (Okubo 1970; Weiss 1991), divided by \
                 the population standard deviation over the cells of each map unless `normalise` is false. \
                 `vortex_cells` counts the cells below −0.2 standard deviations. {DERIVATIVES}"
            ))
            .evidence(&names)
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
        let mut derived = flow.by_gradient(&plane, context, |_, gradient| gradient.okubo_weiss())?;
        let mut vortex_cells = 0_u64;
        for mut times in derived.values.outer_iter_mut() {
            for mut map in times.outer_iter_mut() {
                let spread = spread(map.iter().copied());
                vortex_cells += map.iter().filter(|&&value| value < VORTEX * spread).count() as u64;
                if arguments.normalise {
                    map.mapv_inplace(|value| value / spread);
                }
            }
        }
        let (units, method) = if arguments.normalise {
            ("1", "Okubo–Weiss parameter over its spatial standard deviation")
        } else {
            ("s-2", "Okubo–Weiss parameter s_n² + s_s² − ζ²")
        };
        let quantity = Quantity { name: "okubo_weiss", standard_name: None, units, method };
        let counted = "number of cells below −0.2 spatial standard deviations of the Okubo–Weiss parameter";
        let count = EvidenceDraft::new("vortex_cells", vortex_cells, "1", counted);
        Ok(flow.answer(&quantity, &derived).with_evidence([count]))
    }
}

/// Population standard deviation of what is not missing.
fn spread(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let present = values.filter(|value| !value.is_nan());
    let (n, sum) = present.clone().fold((0.0, 0.0), |(n, sum), value| (n + 1.0, sum + value));
    let mean = sum / n;
    (present.map(|value| (value - mean) * (value - mean)).sum::<f64>() / n).sqrt()
}
