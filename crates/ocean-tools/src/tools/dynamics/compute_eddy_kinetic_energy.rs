//! `compute_eddy_kinetic_energy`: the energy of the deviation from a mean flow.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::departures::{Departures, MeanFlow};
use super::flow::Flow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_series;
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
        let departures = Departures::of(arguments.mean, arguments.baseline.as_ref(), &axis)?;
        let derived = by_series(&[&flow.u, &flow.v], context, |_, series, out| {
            let (u, v) = (departures.apply(&series[0]), departures.apply(&series[1]));
            for (out, (u, v)) in out.iter_mut().zip(u.iter().zip(&v)) {
                *out = 0.5 * (u * u + v * v);
            }
        })?;
        let method = format!("eddy kinetic energy about {}", departures.text());
        let quantity =
            Quantity { name: "eddy_kinetic_energy", standard_name: None, units: "m2 s-2", method: &method };
        let times = EvidenceDraft::new("times", axis.len() as u64, "1", "number of times of the record");
        let notes = departures.note();
        Ok(flow.answer(&quantity, &derived).with_evidence([times]).with_notes(notes))
    }
}
