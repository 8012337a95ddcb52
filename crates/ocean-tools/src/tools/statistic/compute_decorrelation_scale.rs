//! `compute_decorrelation_scale`: how long a series remembers.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::joined::even;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::{correlation, steps};
use crate::series::Series;

/// Finds the time scale of a series.
pub(crate) struct ComputeDecorrelationScale;

/// Arguments of `compute_decorrelation_scale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Largest lag in steps; a quarter of the series if absent.
    #[serde(default)]
    max_lag: Option<usize>,
    /// How the autocorrelation is estimated.
    #[serde(default)]
    estimator: Estimator,
    /// Take the mean annual cycle out first.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// Take the linear trend out first.
    #[serde(default)]
    detrend: bool,
}

fn yes() -> bool {
    true
}

/// How the autocorrelation is estimated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Estimator {
    /// Pearson's r of the parts that overlap.
    #[default]
    Pearson,
    /// About one mean and over one variance; smaller at long lags.
    Biased,
}

impl Computation for ComputeDecorrelationScale {
    const NAME: &'static str = "compute_decorrelation_scale";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Autocorrelation and decorrelation time of a series.", Port::of(Kind::Statistic))
            .description(
                "Autocorrelation by lag over the pairs that are present; e-folding: the first lag, interpolated, at \
                 which it is below 1/e; integral scale: step (1 + 2 sum of r_k) up to the first r_k that is not \
                 positive. Months are 365.2425/12 days.",
            )
            .evidence(&["r1", "e_folding", "integral_scale", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let preparation = Preparation::of(&series.axis, arguments.deseasonalise, arguments.detrend, None)?;
    let values = even(&series.axis, &preparation.apply(&series.values))?;
    let n = values.iter().filter(|value| !value.is_nan()).count();
    if n < 4 {
        return Err(ToolError::no_data(format!(
            "an autocorrelation needs at least 4 values and the series has {n}; choose a longer window"
        )));
    }
    let longest = arguments.max_lag.unwrap_or(values.len() / 4).min(values.len() - 2);
    let acf: Vec<f64> = (0..=longest)
        .map(|lag| match arguments.estimator {
            Estimator::Pearson => correlation::lagged_self(&values, lag),
            Estimator::Biased => correlation::autocorrelation(&values, lag),
        })
        .collect();
    let days = steps::step_days(&series.axis).unwrap_or(f64::NAN);
    let limit = 1.0 / core::f64::consts::E;
    let fold = acf.iter().position(|r| *r < limit).filter(|at| *at > 0).map_or(f64::NAN, |at| {
        let (before, after) = (acf[at - 1], acf[at]);
        (at - 1) as f64 + (before - limit) / (before - after)
    });
    let positive: f64 = acf.iter().skip(1).take_while(|r| **r > 0.0).sum();
    let name = if arguments.estimator == Estimator::Pearson { "Pearson" } else { "biased" };
    let findings = Findings::by(format!("{name} autocorrelation{}", preparation.text()))
        .over(series)
        .from(n)
        .number("r1", acf.get(1).copied().unwrap_or(f64::NAN), "1", "autocorrelation at lag 1")
        .number("e_folding", fold * days, "day", "lag at which it falls below 1/e")
        .number("integral_scale", (1.0 + 2.0 * positive) * days, "day", "integral time scale")
        .count("n", n, "number of values")
        .fact("autocorrelation", acf)
        .fact("lag_step", series.axis.step().to_iso().unwrap_or_default())
        .notes(preparation.note());
    let findings = if fold.is_nan() {
        findings.note("the autocorrelation does not fall below 1/e within max_lag")
    } else {
        findings
    };
    Ok(findings.document(Kind::Statistic, format!("{}_decorrelation", series.name)))
}
