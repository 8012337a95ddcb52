//! `compare_budget_term_magnitudes`: how much each term of a budget explains of the rate of change.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::region_mean::closure;
use super::term_series::TermSeries;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::budget_shares::Share;
use crate::tools::statistic::findings::Findings;

/// A residual up to this share of the rate of change supports advection as its cause.
const SUPPORTED: f64 = 0.25;
/// And up to this one it does so with limits.
const LIMITED: f64 = 0.5;

/// Compares the terms of a budget.
pub(crate) struct CompareBudgetTermMagnitudes;

/// Arguments of `compare_budget_term_magnitudes`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Rate of change.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    local_tendency: ArtifactArgument,
    /// Horizontal advection, positive where it raises the tracer.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    horizontal_advection: ArtifactArgument,
    /// Vertical advection, positive where it raises the tracer.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    vertical_advection: Option<ArtifactArgument>,
    /// What `compute_budget_residual` returned; without it the label is `untestable`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    residual: Option<ArtifactArgument>,
}

/// The names of the terms.
const TERMS: [&str; 4] = ["local_tendency", "horizontal_advection", "vertical_advection", "residual"];
/// What is said of each.
const NUMBERS: [&str; 4] = ["mean_abs", "rms", "covariance_share", "explained_variance"];

impl Computation for CompareBudgetTermMagnitudes {
    const NAME: &'static str = "compare_budget_term_magnitudes";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let each = TERMS.iter().flat_map(|term| NUMBERS.iter().map(move |number| format!("{term}_{number}")));
        let names: Vec<String> =
            each.chain(["closure", "imbalance", "largest_term", "label", "n"].map(str::to_owned)).collect();
        ToolSpec::new("budget", "Ranks the terms of a budget by what they explain.", Port::of(Kind::Table))
            .description(
                "For each term over the times that all have: mean absolute value, rms, covariance share cov(term, \
                 ∂C/∂t)/var(∂C/∂t) (the shares of advection and residual add to 1 when the budget is complete) and explained \
                 variance r² of a regression of ∂C/∂t on the term. `closure` = rms(residual)/rms(∂C/∂t) gives the label: up \
                 to 0.25 supported, up to 0.5 limited, above unsupported; without a residual untestable. `imbalance` = \
                 rms(∂C/∂t − ADV − R)/rms(∂C/∂t) is 0 for terms of one budget. A label says how far the terms agree in size, \
                 not what caused what.",
            )
            .evidence(&names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let given = [
            Some(&arguments.local_tendency),
            Some(&arguments.horizontal_advection),
            arguments.vertical_advection.as_ref(),
            arguments.residual.as_ref(),
        ];
        let present: Vec<(&str, &ArtifactArgument)> =
            TERMS.iter().zip(given).filter_map(|(name, term)| Some((*name, term?))).collect();
        let asked: Vec<&ArtifactArgument> = present.iter().map(|term| term.1).collect();
        let TermSeries { first, joined, notes } = TermSeries::read(&asked, context)?;
        let whole: Vec<usize> = (0..joined.axis.len())
            .filter(|&at| joined.values.iter().all(|values| !values[at].is_nan()))
            .collect();
        if whole.len() < 2 {
            return Err(ToolError::no_data(
                "the terms have fewer than two times with a value of each; choose a longer window",
            ));
        }
        let values: Vec<Vec<f64>> =
            joined.values.iter().map(|own| whole.iter().map(|&at| own[at]).collect()).collect();
        let tendency = &values[0];
        let shares: Vec<Share> = values.iter().map(|term| Share::of(term, tendency)).collect();
        let mut findings = Findings::by("terms of a budget at the times that all have")
            .during(joined.axis.window())
            .from(whole.len());
        let mut rows = Vec::new();
        for ((name, _), share) in present.iter().zip(&shares) {
            let numbers = [
                (share.mean_abs, first.units.as_str(), "mean absolute value"),
                (share.rms, first.units.as_str(), "root mean square"),
                (share.covariance, "1", "covariance with the rate of change over its variance"),
                (share.explained, "1", "squared correlation with the rate of change"),
            ];
            for (number, (value, units, what)) in NUMBERS.iter().zip(numbers) {
                let what = format!("{what} of {}", name.replace('_', " "));
                findings = findings.number(&format!("{name}_{number}"), value, units, &what);
            }
            let row = numbers.map(|(value, ..)| if value.is_finite() { json!(value) } else { Value::Null });
            rows.push([vec![json!(name)], row.to_vec()].concat());
        }
        let has_residual = arguments.residual.is_some();
        let terms = if has_residual { &values[1..values.len() - 1] } else { &values[1..] };
        let left = |at: usize| terms.iter().fold(tendency[at], |rest, term| rest - term[at]);
        let ratio = match values.last().filter(|_| has_residual) {
            Some(residual) => {
                let rest: Vec<f64> = (0..whole.len()).map(|at| left(at) - residual[at]).collect();
                let what = "rms of the rate of change less all terms, over its rms";
                findings = findings.number("imbalance", closure(&rest, tendency), "1", what);
                closure(residual, tendency)
            }
            None => f64::NAN,
        };
        let label = match ratio {
            ratio if ratio <= SUPPORTED => "supported",
            ratio if ratio <= LIMITED => "limited",
            ratio if ratio.is_nan() => "untestable",
            _ => "unsupported",
        };
        let largest = present
            .iter()
            .zip(&shares)
            .skip(1)
            .reduce(|best, own| if own.1.mean_abs > best.1.mean_abs { own } else { best });
        let largest = largest.map_or("none", |((name, _), _)| name);
        let columns = [&["term"][..], &NUMBERS[..]].concat();
        let output = findings
            .number("closure", ratio, "1", "rms of the residual over rms of the rate of change")
            .text("largest_term", largest, "the term of the largest mean absolute value")
            .text("label", label, "how far advection explains the rate of change, by closure")
            .count("n", whole.len(), "times with a value of every term")
            .fact("columns", columns)
            .fact("rows", rows)
            .fact("units", first.units.clone())
            .notes(notes)
            .document(Kind::Table, "budget_terms");
        Ok(output)
    }
}
