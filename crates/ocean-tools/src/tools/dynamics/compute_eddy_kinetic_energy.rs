//! `compute_eddy_kinetic_energy`: the energy of the deviation from a mean flow.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::Flow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::derived::by_series;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::outcome::{Quantity, any_array};
use crate::series::axis_of;
use crate::together::Part;
use crate::{Datasets, evidence};

/// Eddy kinetic energy.
pub(crate) struct ComputeEddyKineticEnergy;

/// Arguments of `compute_eddy_kinetic_energy`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times; the mean is that of the window.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// The flow that is no eddy.
    #[serde(default)]
    mean: MeanFlow,
    /// For the climatology: two dates inside the record; its whole calendar years if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
}

/// The flow that is no eddy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MeanFlow {
    /// The mean over all times, so that seasonal currents count as eddies.
    #[default]
    Record,
    /// The mean of each month of the year.
    Climatology,
}

/// A mean of fewer values is the flow itself: no eddy is seen, which is no energy of zero.
const LEAST: usize = 2;

impl Computation for ComputeEddyKineticEnergy {
    const NAME: &'static str = "compute_eddy_kinetic_energy";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["times"]].concat();
        ToolSpec::new("dynamics", "Kinetic energy of the deviation from a mean flow.", any_array("m2 s-2"))
            .description(
                "((u − U)² + (v − V)²)/2 per unit mass in each cell and at each time, U and V the means over the times, or \
                 over the same month of all years. A short record gives too little, since its own mean follows the eddies; a mean of one value has no deviation from it, and the cell is missing.",
            )
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
        let axis = axis_of(&flow.u)?;
        let window = axis.window();
        let baseline = match (arguments.mean, &arguments.baseline) {
            (MeanFlow::Climatology, stated) => {
                Some(Baseline::resolve(stated.as_ref().map(|window| &window.0), &axis)?)
            }
            (MeanFlow::Record, None) => None,
            (MeanFlow::Record, Some(_)) => {
                return Err(ToolError::invalid(
                    "baseline belongs to mean `climatology`; leave it out, or narrow time",
                ));
            }
        };
        let bins = Cycle::Monthly.bin_of(&axis);
        let departures = |series: &[f64]| {
            if let Some(baseline) = &baseline {
                let climatology = Climatology::of(Cycle::Monthly, &axis, series, &baseline.inside);
                let known = climatology.mean.iter().zip(&climatology.n);
                let mean: Vec<f64> =
                    known.map(|(mean, n)| if *n < LEAST { f64::NAN } else { *mean }).collect();
                return anomaly(series, &bins, &mean, None);
            }
            let present = series.iter().filter(|value| !value.is_nan());
            let (n, sum) = present.fold((0_usize, 0.0), |(n, sum), value| (n + 1, sum + value));
            let mean = if n < LEAST { f64::NAN } else { sum / n as f64 };
            series.iter().map(|value| value - mean).collect()
        };
        let derived = by_series(&[&flow.u, &flow.v], context, |_, series, out| {
            let (u, v) = (departures(&series[0]), departures(&series[1]));
            for (out, (u, v)) in out.iter_mut().zip(u.iter().zip(&v)) {
                *out = 0.5 * (u * u + v * v);
            }
        })?;
        let method = match &baseline {
            Some(baseline) => {
                format!("eddy kinetic energy about the monthly climatology of {}", baseline.label)
            }
            None => format!("eddy kinetic energy about the mean of {window}"),
        };
        let quantity =
            Quantity { name: "eddy_kinetic_energy", standard_name: None, units: "m2 s-2", method: &method };
        let times = EvidenceDraft::new("times", axis.len() as u64, "1", "number of times of the record");
        let notes = baseline.and_then(|baseline| baseline.note);
        Ok(flow.answer(&quantity, &derived).with_evidence([times]).with_notes(notes))
    }
}
