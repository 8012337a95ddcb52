//! `compute_descriptive_statistics`: moments and quantiles.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::ChunkTree;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::compute_histogram::{WeightArgument, weighted};
use super::findings::Findings;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::kernels::sample::{Moments, of_sorted, weighted as weighted_quantile};
use crate::series::units_of;
use crate::{Datasets, reading};

/// Values that are held at once: 64 million are 1 GiB with their weights.
const LIMIT: usize = 64 << 20;

/// Describes a sample.
pub(crate) struct ComputeDescriptiveStatistics;

/// Arguments of `compute_descriptive_statistics`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field, map or series.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Probabilities of the quantiles.
    #[serde(default = "usual")]
    #[schemars(length(max = 100))]
    quantiles: Vec<f64>,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightArgument,
}

fn usual() -> Vec<f64> {
    vec![0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99]
}

impl Computation for ComputeDescriptiveStatistics {
    const NAME: &'static str = "compute_descriptive_statistics";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Mean, spread, shape and quantiles of all values.", Port::of(Kind::Statistic))
            .description(
                "Weighted mean; std with n - 1 for equal weights, else with the sum of weights; skewness m3/m2^1.5 and \
                 excess kurtosis m4/m2^2 - 3 with population moments. Quantiles: for equal weights linear between order \
                 statistics (Hyndman and Fan 1996, type 7), else the smallest value whose share of the weights reaches \
                 the probability. Missing values are left out. area by default; use equal for a plain sample.",
            )
            .evidence(&["n", "mean", "std", "std_population", "skewness", "kurtosis", "min", "median", "max"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if let Some(wrong) = arguments.quantiles.iter().find(|p| !(0.0..=1.0).contains(*p)) {
            return Err(ToolError::invalid(format!(
                "quantile {wrong} is no probability; give numbers from 0 to 1"
            )));
        }
        let field = arguments.data.open(datasets, context)?;
        let (mut values, weights, chunks) = sample(&field, arguments.weighting, context)?;
        let equal = arguments.weighting == WeightArgument::Equal
            || weights.iter().all(|w| (w - weights[0]).abs() < 1e-300);
        let moments = Moments::of(&values, (!equal).then_some(weights.as_slice()));
        if equal {
            values.sort_by(f64::total_cmp);
        }
        let quantile = |p: f64| {
            if equal { of_sorted(&values, p) } else { weighted_quantile(&values, &weights, p) }
        };
        let listed: Vec<_> =
            arguments.quantiles.iter().map(|p| json!({"p": p, "value": quantile(*p)})).collect();
        let units = units_of(&field);
        let text = if equal { "every value alike" } else { arguments.weighting.text() };
        Ok(Findings::by(format!("sample, {text}"))
            .from(moments.n)
            .count("n", moments.n, "number of values")
            .number("mean", moments.mean, &units, "mean")
            .number("std", moments.std, &units, "standard deviation")
            .number("std_population", moments.std_population, &units, "population standard deviation")
            .number("skewness", moments.skewness, "1", "skewness, population moments")
            .number("kurtosis", moments.kurtosis, "1", "excess kurtosis, population moments")
            .number("min", quantile(0.0), &units, "smallest value")
            .number("median", quantile(0.5), &units, "median")
            .number("max", quantile(1.0), &units, "largest value")
            .fact("quantiles", listed)
            .notes(reading::notes(&field))
            .source(reading::source(&field, &chunks))
            .document(Kind::Statistic, format!("{}_statistics", field.name())))
    }
}

/// All values with their weights.
pub(super) fn sample(
    field: &Field,
    weighting: WeightArgument,
    context: &ToolContext,
) -> Result<(Vec<f64>, Vec<f64>, ChunkTree), ToolError> {
    if field.len() > LIMIT {
        return Err(ToolError::new(
            ToolErrorKind::LimitExceeded,
            format!("{} values are more than {LIMIT}; narrow region, time or depth", field.len()),
        ));
    }
    let (plane, levels) = weighting.of(field);
    let (mut values, mut weights) = (Vec::new(), Vec::new());
    let chunks = field
        .walk(
            &reading::control(context),
            |block| weighted(block, &plane, &levels).collect::<Vec<_>>(),
            |part| {
                for (value, weight) in part {
                    values.push(value);
                    weights.push(weight);
                }
            },
        )
        .map_err(|error| reading::cannot_read(&error))?;
    if values.is_empty() {
        return Err(ToolError::no_data(format!(
            "`{}` has no values here; choose another region or time",
            field.name()
        )));
    }
    Ok((values, weights, chunks))
}
