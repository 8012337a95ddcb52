//! `compute_partial_tracer_budget`: tendency, advection and what is left, over the same cells.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_local_tendency::{days_of, per_day};
use super::region_mean::{MeanArgument, RegionMean, closure, region_frame};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::{by_column, by_series};
use crate::kernels::tendency::{tendency, vertical_advection};
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::series::units_of;
use crate::together::{column_axis, one_grid};
use crate::tools::dynamics::tracer_flow::tracer_arguments;

/// A budget of what can be had from a tracer and currents.
pub(crate) struct ComputePartialTracerBudget;

tracer_arguments! {
    /// Arguments of `compute_partial_tracer_budget`.
    Arguments, or: [], time: "time", {
        /// Vertical velocity, positive upwards, on the levels of the tracer; without it vertical advection is in the residual.
        #[serde(default)]
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth", "lat", "lon"], "unit": "m s-1"}))]
        w_data: Option<FieldArgument>,
        /// Weights of the cells in the mean over the region.
        #[serde(default)]
        weighting: MeanArgument,
        /// Whether the terms are means over the region, or stay where they are.
        #[serde(default)]
        aggregation: Aggregation,
    }
}

/// What the terms are on.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Aggregation {
    /// Series: means over the cells where every term has a value.
    #[default]
    RegionMean,
    /// The cells of the fields.
    None,
}

impl Computation for ComputePartialTracerBudget {
    const NAME: &'static str = "compute_partial_tracer_budget";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new(
            "budget",
            "Tendency, advection and residual of a tracer over the same cells.",
            any_array("data day-1"),
        )
        .description(
            "∂C/∂t = −(u ∂C/∂x + v ∂C/∂y) − w ∂C/∂z + R, per day; a term is positive where it raises the tracer, and R is what \
             the others leave: sources, mixing, and what varies within a step or a cell. All terms are centred differences at \
             the data's own times and cells (the sphere's radius 6371000 m), one-sided at the ends, and are averaged over \
             the same cells with the same weights: those where every term has a value. `closure` is rms(R)/rms(∂C/∂t). \
             Outputs `tendency`, `horizontal_advection`, `vertical_advection` (with `w_data`) and `residual`.",
        )
        .purity(Purity::ReadsData);
        let parts = ["tendency", "horizontal_advection", "vertical_advection", "residual"];
        let mut spec = parts_spec(spec, &parts, "data day-1");
        spec.evidence.extend(["closure".to_owned(), "n_cells".to_owned()]);
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let carried = arguments.carried(datasets, context)?;
        let tracer = &carried.tracer;
        let w = arguments
            .w_data
            .as_ref()
            .map(|w| arguments.part().open(w, "m s-1", datasets, context))
            .transpose()?;
        let days = days_of(tracer)?;
        let local = by_series(&[tracer], context, |_, series, out| {
            out.copy_from_slice(&tendency(&series[0], &days));
        })?;
        let horizontal = carried.advection(context)?;
        let mut terms = vec![local.values, horizontal.values];
        let mut chunks = horizontal.chunks;
        if let Some(w) = &w {
            one_grid(&[tracer, w])?;
            let depth = column_axis(tracer)?;
            let vertical = by_column(&[tracer, w], context, depth.len(), |_, columns, out| {
                out.copy_from_slice(&vertical_advection(&columns[0], &columns[1], &depth));
            })?;
            terms.push(vertical.values);
            chunks.extend(vertical.chunks.into_iter().nth(1));
        }
        let mut residual: Array4<f64> = terms[0].clone();
        for term in &terms[1..] {
            residual -= term;
        }
        terms.push(residual);
        let (frame, terms, how, cells) = match arguments.aggregation {
            Aggregation::None => {
                let cells = terms[terms.len() - 1].iter().filter(|value| !value.is_nan()).count();
                (carried.flow.frame.clone(), terms, String::new(), cells as u64)
            }
            Aggregation::RegionMean => {
                let (means, cells) = RegionMean::of(tracer, arguments.weighting).of_terms(&terms);
                let how = format!("{} over the region of the ", arguments.weighting.noun());
                (region_frame(carried.flow.frame.clone()), means, how, cells.into_iter().max().unwrap_or(0))
            }
        };
        let method = |what: &str| format!("{how}{what} per day");
        let methods = [
            method("centred rate of change ∂C/∂t"),
            method("horizontal advection −(u ∂C/∂x + v ∂C/∂y)"),
            method("vertical advection −w ∂C/∂z, w positive upwards"),
            method("residual: rate of change less advection"),
        ];
        let name = tracer.variable().identity_name();
        let names = ["tendency", "horizontal_advection", "vertical_advection", "residual"];
        let long = names.map(|part| format!("{name}_{part}"));
        let units = per_day(&units_of(tracer));
        let present = if w.is_some() { vec![0, 1, 2, 3] } else { vec![0, 1, 3] };
        let quantity = |at: usize| Quantity {
            name: &long[at],
            standard_name: None,
            units: &units,
            method: &methods[at],
        };
        let parts: Vec<_> =
            present.iter().zip(&terms).map(|(&at, values)| (names[at], quantity(at), values)).collect();
        let ratio = closure(terms.last().into_iter().flatten(), terms.first().into_iter().flatten());
        let evidence = [
            EvidenceDraft::new("closure", ratio, "1", "rms of the residual over rms of the rate of change"),
            EvidenceDraft::new(
                "n_cells",
                cells,
                "1",
                "cells where every term has a value, the most at a time",
            ),
        ];
        let mut output = parts_output(&frame, &parts).with_evidence(evidence);
        if w.is_none() {
            output.notes.push("without w_data vertical advection is part of the residual".to_owned());
        }
        let mut fields = carried.fields().to_vec();
        fields.extend(&w);
        Ok(read_from(output, &fields, &chunks))
    }
}
