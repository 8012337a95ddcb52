//! `compute_flux_form_budget`: a model's own budget of a tracer on its own grid.

use std::collections::BTreeMap;

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use super::region_mean::closure;
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell_parts;
use crate::frame::Frame;
use crate::masking::Overlay;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::series::units_of;
use crate::together::{Part, in_units, one_grid};

/// A closed budget in flux form.
pub(crate) struct ComputeFluxFormBudget;

/// Arguments of `compute_flux_form_budget`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The terms by name, each the rate of a cell's content (X m3 s-1): the rate of change under the name that `tendency`
    /// gives, and convergences and sources, positive where they raise the content.
    terms: BTreeMap<String, FieldArgument>,
    /// Volume of the cells, with or without time.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "m3"}))]
    volume: FieldArgument,
    /// Which of the terms is the rate of change.
    #[serde(default = "tendency")]
    tendency: String,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Largest residual, over the largest term, of a budget that counts as closed.
    #[serde(default = "single")]
    #[schemars(range(min = 0, max = 1))]
    tolerance: f64,
}

fn tendency() -> String {
    "tendency".to_owned()
}

/// What sums of a few single-precision diagnostics reach.
fn single() -> f64 {
    1e-5
}

impl Computation for ComputeFluxFormBudget {
    const NAME: &'static str = "compute_flux_form_budget";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("budget", "Closed tracer budget on the native grid from model diagnostics.", any_array("any"))
            .description(
                "Each term over the volume of its cell, the sum of all but the rate of change, and the residual (rate of \
                 change − sum), in X s-1; nothing is differenced or interpolated, so that the budget of one model and one \
                 step closes to round-off. A cell counts where all terms have a value. `closure` is rms(residual)/rms(rate \
                 of change), `largest_residual` the largest residual over the largest term, `closed` whether that is within \
                 `tolerance`. Outputs `tendency`, `sum` (with each term beside it) and `residual`.",
            )
            .purity(Purity::ReadsData);
        let mut spec = parts_spec(spec, &["tendency", "sum", "residual"], "any");
        let more = ["closure", "largest_residual", "closed", "n_cells"];
        spec.evidence.extend(more.map(str::to_owned));
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let names: Vec<&str> = arguments.terms.keys().map(String::as_str).collect();
        let place = names.iter().position(|name| *name == arguments.tendency);
        let Some(at) = place.filter(|_| names.len() > 1) else {
            return Err(ToolError::invalid(format!(
                "terms must hold `{}`, which is the rate of change, and at least one other; they hold: {}; name the rate of \
                 change by `tendency`",
                arguments.tendency,
                names.join(", ")
            )));
        };
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let mut opened: Vec<Field> = Vec::new();
        for term in arguments.terms.values() {
            let field = part.open_as_is(term, datasets, context)?;
            opened.push(match opened.first() {
                Some(first) => in_units(&field, &units_of(first))?,
                None => field,
            });
        }
        let fields: Vec<&Field> = opened.iter().collect();
        one_grid(&fields)?;
        let untimed = Part { time: None, ..part };
        let volume = arguments.volume.open(datasets, context)?;
        let volume = if volume.times().is_some() { &part } else { &untimed }.open(
            &arguments.volume,
            "m3",
            datasets,
            context,
        )?;
        let volume = Overlay::over(fields[0], &volume)?;
        let n = fields.len();
        let derived = by_cell_parts(&fields, context, n + 2, |place, cell, out| {
            let volume = volume.at(place);
            let mut sum = 0.0;
            for (own, (out, value)) in out.iter_mut().zip(cell).enumerate() {
                *out = value / volume;
                if own != at {
                    sum += *out;
                }
            }
            out[n] = sum;
            out[n + 1] = out[at] - sum;
        })?;
        let units = per_volume(&units_of(fields[0]));
        let others: Vec<&str> = names.iter().copied().filter(|name| *name != arguments.tendency).collect();
        let sum_method = format!("sum of {} over the volume of the cell", others.join(", "));
        let quantity = |name, method| Quantity { name, standard_name: None, units: &units, method };
        let (all, rest) = (&derived.parts[n], &derived.parts[n + 1]);
        let parts = [
            (
                "tendency",
                quantity("tendency", "rate of change of the content over the volume of the cell"),
                &derived.parts[at],
            ),
            ("sum", quantity("sum_of_terms", &sum_method), all),
            ("residual", quantity("residual", "rate of change less the sum of the other terms"), rest),
        ];
        let frame = Frame::of(fields[0])?;
        let mut output = parts_output(&frame, &parts);
        if let Some(artifact) = output.artifacts.get_mut("sum") {
            for (name, values) in names.iter().zip(&derived.parts) {
                artifact.variables.push(frame.variable(name, &units, values));
            }
        }
        let largest = |values: &Array4<f64>| {
            values.iter().filter(|value| !value.is_nan()).fold(0.0_f64, |most, value| most.max(value.abs()))
        };
        let term = derived.parts[..n].iter().map(largest).fold(0.0_f64, f64::max);
        let share = if term > 0.0 { largest(rest) / term } else { f64::NAN };
        let cells = rest.iter().filter(|value| !value.is_nan()).count();
        let ratio = closure(rest, &derived.parts[at]);
        let closed = if share <= arguments.tolerance { "yes" } else { "no" };
        let within =
            format!("whether the largest residual over the largest term is within {}", arguments.tolerance);
        let output = output.with_evidence([
            EvidenceDraft::new("closure", ratio, "1", "rms of the residual over rms of the rate of change"),
            EvidenceDraft::new("largest_residual", share, "1", "largest residual over the largest term"),
            EvidenceDraft::new("closed", closed, "1", &within),
            EvidenceDraft::new("n_cells", cells as u64, "1", "values of which all terms are there"),
        ]);
        Ok(read_from(output, &fields, &derived.chunks))
    }
}

/// Units over cubic metres.
fn per_volume(units: &str) -> String {
    let mut parts: Vec<&str> = units.split_whitespace().collect();
    if let Some(at) = parts.iter().position(|part| *part == "m3") {
        parts.remove(at);
        return if parts.is_empty() { "1".to_owned() } else { parts.join(" ") };
    }
    format!("{units} m-3")
}

#[cfg(test)]
mod tests {
    use super::per_volume;

    #[test]
    fn cubic_metres_cancel() {
        assert_eq!(per_volume("degC m3 s-1"), "degC s-1");
        assert_eq!(per_volume("W"), "W m-3");
        assert_eq!(per_volume("m3"), "1");
    }
}
