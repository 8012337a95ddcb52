//! `compute_extreme_return_level`: levels that are exceeded once in so many years.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::extremes::Extremes;
use crate::kernels::resample::{Frequency, Reduction, resample};
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Fits annual maxima.
pub(crate) struct ComputeExtremeReturnLevel;

/// Arguments of `compute_extreme_return_level`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A series of a year's extremes, or a finer one, of which those are taken.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// The distribution.
    #[serde(default)]
    method: Method,
    /// Largest values, or smallest.
    #[serde(default)]
    extreme: Extreme,
    /// Years between exceedances on average.
    #[serde(default = "usual")]
    #[schemars(length(min = 1, max = 50))]
    return_periods: Vec<f64>,
    /// Share of a year's values that there must be.
    #[serde(default = "half")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

fn usual() -> Vec<f64> {
    vec![10.0, 50.0, 100.0]
}

fn half() -> f64 {
    0.5
}

/// The distribution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Generalised extreme value.
    #[default]
    Gev,
    /// Gumbel, which is GEV of shape 0.
    Gumbel,
}

/// Largest values, or smallest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Extreme {
    /// The largest of each year.
    #[default]
    Max,
    /// The smallest of each year.
    Min,
}

impl Computation for ComputeExtremeReturnLevel {
    const NAME: &'static str = "compute_extreme_return_level";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Return levels of annual extremes.", Port::of(Kind::Statistic))
            .description(
                "Maximum likelihood fit of the extremes of calendar years (Coles 2001, chapter 3): G(z) = exp(-(1 + xi (z \
                 - mu)/sigma)^(-1/xi)); xi positive is a heavy tail. Return level of T years: G = 1 - 1/T. Smallest \
                 values are fitted with their sign turned. Years are taken as alike: a trend is not in the model.",
            )
            .evidence(&["location", "scale", "shape", "level", "level_period", "log_likelihood", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    if let Some(wrong) =
        arguments.return_periods.iter().find(|period| !(**period > 1.0 && period.is_finite()))
    {
        return Err(ToolError::invalid(format!(
            "a return period of {wrong} years is not above 1; give years above 1"
        )));
    }
    let (reduction, sign) =
        if arguments.extreme == Extreme::Max { (Reduction::Max, 1.0) } else { (Reduction::Min, -1.0) };
    let values = if series.axis.step() == TimeStep::Months(12) {
        series.values.clone()
    } else {
        resample(&series.axis, &series.values, Frequency::Year, reduction, arguments.min_coverage)
            .map_err(|error| ToolError::invalid(error.to_string()))?
            .values
    };
    let values: Vec<f64> =
        values.into_iter().filter(|value| !value.is_nan()).map(|value| sign * value).collect();
    let n = values.len();
    let fitted = (n >= 8).then(|| Extremes::fit(&values, arguments.method == Method::Gumbel)).flatten();
    let fitted = fitted.ok_or_else(|| {
        ToolError::no_data(format!(
            "a fit needs the extremes of at least 8 years that differ, and there are {n} years; take a longer series or \
             lower min_coverage"
        ))
    })?;
    let level = |period: f64| sign * fitted.level(period);
    let levels: Vec<_> = arguments
        .return_periods
        .iter()
        .map(|period| json!({"period": period, "level": level(*period)}))
        .collect();
    let longest = arguments.return_periods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (name, extreme) = (
        if arguments.method == Method::Gev { "GEV" } else { "Gumbel" },
        if arguments.extreme == Extreme::Max { "maxima" } else { "minima, sign turned" },
    );
    let findings = Findings::by(format!("{name} by maximum likelihood of annual {extreme}"))
        .over(series)
        .from(n)
        .number("location", fitted.location, &series.units, "location mu")
        .number("scale", fitted.scale, &series.units, "scale sigma")
        .number("shape", fitted.shape, "1", "shape xi, positive for a heavy tail")
        .number("level", level(longest), &series.units, "level of the longest return period")
        .number("level_period", longest, "year", "the longest return period")
        .number("log_likelihood", fitted.likelihood, "1", "logarithm of the likelihood")
        .count("n", n, "years")
        .fact("levels", levels);
    let findings = if longest > 4.0 * n as f64 {
        findings.note(format!("a return period of {longest} years is far beyond the {n} years of the record"))
    } else {
        findings
    };
    Ok(findings.document(Kind::Statistic, format!("{}_return_levels", series.name)))
}
