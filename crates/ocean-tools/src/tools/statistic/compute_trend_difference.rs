//! `compute_trend_difference`: whether two trends differ.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use super::joined::Joined;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::trend::{Autocorrelation, Trend, linear};
use crate::series::Series;

/// Tests the difference of two trends.
pub(crate) struct ComputeTrendDifference;

/// Arguments of `compute_trend_difference`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries1: ArtifactArgument,
    /// In the units of the first.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "=timeseries1"}))]
    timeseries2: ArtifactArgument,
    /// Take the mean annual cycles out first, when the step is shorter than a year.
    #[serde(default)]
    deseasonalise: bool,
    /// Level of the confidence interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
}

fn ninety_five() -> f64 {
    0.95
}

impl Computation for ComputeTrendDifference {
    const NAME: &'static str = "compute_trend_difference";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Whether the trends of two series differ.", Port::of(Kind::Statistic))
            .description(
                "Trend of timeseries1 - timeseries2 at the times that both have: least squares, standard error and degrees \
                 of freedom with n_eff = n (1 - r1)/(1 + r1) (Santer et al. 2000). What both share cancels, so that this \
                 sees more than two intervals that overlap. slope1 and slope2 are over the same times.",
            )
            .evidence(&[
                "difference", "ci_low", "ci_high", "stderr", "p_value", "slope1", "slope2", "r1", "n_eff", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let one = Series::read(&arguments.timeseries1, context)?;
        let two = Series::read(&arguments.timeseries2, context)?;
        compute(arguments, &one, &two)
    }
}

fn compute(arguments: &Arguments, one: &Series, two: &Series) -> Result<ToolOutput, ToolError> {
    if one.units != two.units {
        return Err(ToolError::invalid(format!(
            "`{}` is in `{}` and `{}` in `{}`; bring both to one unit with `convert_units`",
            one.name, one.units, two.name, two.units
        )));
    }
    let joined = Joined::of(&[one, two], 3)?;
    let preparation = Preparation::of(&joined.axis, arguments.deseasonalise, false, None)?;
    let (x, y) = (preparation.apply(&joined.values[0]), preparation.apply(&joined.values[1]));
    let difference: Vec<f64> = x.iter().zip(&y).map(|(x, y)| x - y).collect();
    let shared = |own: &[f64]| -> Vec<f64> {
        own.iter().zip(&difference).map(|(own, both)| if both.is_nan() { f64::NAN } else { *own }).collect()
    };
    let years = joined.axis.years();
    let level = arguments.confidence_level;
    let fit = |values: &[f64]| -> Result<Trend, ToolError> {
        linear(&years, values, level, Autocorrelation::Ar1)
            .map_err(|error| ToolError::no_data(error.to_string()))
    };
    let (both, first, second) = (fit(&difference)?, fit(&shared(&x))?, fit(&shared(&y))?);
    let units = format!("{} (10 year)-1", if one.units.is_empty() { "1" } else { &one.units });
    let text = format!("trend of the difference, n_eff of Santer et al. (2000){}", preparation.text());
    let mut findings = Findings::by(text)
        .over(one)
        .during(joined.axis.window())
        .from(both.n)
        .relative_to(preparation.baseline())
        .interval(
            "difference",
            both.slope * 10.0,
            [both.ci_low * 10.0, both.ci_high * 10.0],
            level,
            &units,
            &format!("trend of `{}` less that of `{}`", one.name, two.name),
        )
        .number("stderr", both.stderr * 10.0, &units, "its standard error")
        .number("p_value", both.p_value, "1", "two-sided p value of no difference")
        .number("slope1", first.slope * 10.0, &units, &format!("trend of `{}`", one.name))
        .number("slope2", second.slope * 10.0, &units, &format!("trend of `{}`", two.name))
        .number("r1", both.r1, "1", "lag-1 autocorrelation of the residuals of the difference")
        .number("n_eff", both.n_eff, "1", "effective number of independent values")
        .count("n", both.n, "values that both have")
        .notes(preparation.note());
    if both.n_eff <= 2.0 {
        findings =
            findings.note("the residuals hold no more than two independent values, so there is no interval");
    }
    Ok(findings.document(Kind::Statistic, format!("{}_{}_trend_difference", one.name, two.name)))
}
