//! `compute_eddy_flux`: what eddies carry of a tracer.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::departures::{Departures, MeanFlow, common, covariance};
use super::flow::Flow;
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::from_series_parts;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::series::{axis_of, units_of};
use crate::together::{Part, one_grid};

/// Eddy fluxes.
pub(crate) struct ComputeEddyFlux;

/// Arguments of `compute_eddy_flux`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Tracer.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times; means are those of the window.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What is no eddy.
    #[serde(default = "climatology")]
    mean: MeanFlow,
    /// For the climatology: two dates inside the record; its whole calendar years if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
}

fn climatology() -> MeanFlow {
    MeanFlow::Climatology
}

impl Computation for ComputeEddyFlux {
    const NAME: &'static str = "compute_eddy_flux";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Covariance of currents and a tracer over time.", any_array("data m s-1"))
            .description(
                "<u'C'> and <v'C'> in each cell: means over the times (divided by their number) of the products of departures \
                 from the monthly climatology or from the mean of the record; only times at which tracer and both components \
                 have a value count. Positive where eddies carry the tracer east or north. Outputs `eastward` and \
                 `northward`, in the tracer's units times m s-1.",
            )
            .purity(Purity::ReadsData);
        let mut spec = parts_spec(spec, &["eastward", "northward"], "data m s-1");
        spec.evidence.push("times".to_owned());
        spec
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
        let tracer = part.open_as_is(&arguments.data, datasets, context)?;
        let fields = [&tracer, &flow.u, &flow.v];
        one_grid(&fields)?;
        let axis = axis_of(&tracer)?;
        let departures = Departures::of(arguments.mean, arguments.baseline.as_ref(), &axis)?;
        let derived = from_series_parts(&fields, context, 1, 2, |_, series, out| {
            let parts: Vec<Vec<f64>> = common(series).iter().map(|own| departures.apply(own)).collect();
            out[0] = covariance(&parts[1], &parts[0]);
            out[1] = covariance(&parts[2], &parts[0]);
        })?;
        let name = tracer.variable().identity_name();
        let names = ["eastward", "northward"].map(|side| format!("{side}_eddy_flux_of_{name}"));
        let own = units_of(&tracer);
        let units = if own == "1" { "m s-1".to_owned() } else { format!("{own} m s-1") };
        let about = departures.text();
        let methods = ["<u'C'>", "<v'C'>"].map(|what| format!("eddy flux {what}, departures from {about}"));
        let quantity = |at: usize| Quantity {
            name: &names[at],
            standard_name: None,
            units: &units,
            method: &methods[at],
        };
        let parts =
            [("eastward", quantity(0), &derived.parts[0]), ("northward", quantity(1), &derived.parts[1])];
        let mut frame = flow.frame.clone();
        frame.facts.insert("time".to_owned(), axis.window().into());
        let times = EvidenceDraft::new("times", axis.len() as u64, "1", "number of times of the record");
        let output = parts_output(&frame.without_time(), &parts).with_evidence([times]);
        Ok(read_from(output, &fields, &derived.chunks).with_notes(departures.note()))
    }
}
