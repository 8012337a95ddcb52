//! `compute_mann_kendall`: a test for a monotonic trend.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::mann_kendall::{Dependence, MannKendall, test_seasonal, test_with};
use crate::kernels::steps;
use crate::kernels::theil_sen;
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Tests a series for a monotonic trend.
pub(crate) struct ComputeMannKendall;

/// Arguments of `compute_mann_kendall`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// How dependence in time is taken into account.
    #[serde(default)]
    variant: Variant,
    /// Level of the decision.
    #[serde(default = "five_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    alpha: f64,
    /// Steps a cycle, for seasonal; those of a year if absent.
    #[serde(default)]
    #[schemars(range(min = 2))]
    period: Option<usize>,
}

fn five_percent() -> f64 {
    0.05
}

/// The variant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Variant {
    /// Independent values (Mann 1945, Kendall 1975).
    Original,
    /// Variance corrected by the autocorrelation of ranks (Hamed and Rao 1998).
    #[default]
    HamedRao,
    /// Variance corrected by the autocorrelation of the detrended values (Yue and Wang 2004).
    YueWang,
    /// Values less their lag-1 part.
    PreWhitening,
    /// The same without the trend, which is put back.
    TrendFreePreWhitening,
    /// Months compared with their own kind only (Hirsch et al. 1982).
    Seasonal,
}

impl Variant {
    fn dependence(self) -> Option<Dependence> {
        Some(match self {
            Self::Original => Dependence::Independent,
            Self::HamedRao => Dependence::HamedRao,
            Self::YueWang => Dependence::YueWang,
            Self::PreWhitening => Dependence::PreWhitened,
            Self::TrendFreePreWhitening => Dependence::TrendFreePreWhitened,
            Self::Seasonal => return None,
        })
    }

    fn text(self) -> &'static str {
        match self {
            Self::Original => "Mann-Kendall test, independent values",
            Self::HamedRao => "Mann-Kendall test, variance of Hamed and Rao",
            Self::YueWang => "Mann-Kendall test, variance of Yue and Wang",
            Self::PreWhitening => "Mann-Kendall test of prewhitened values",
            Self::TrendFreePreWhitening => "Mann-Kendall test after trend-free prewhitening",
            Self::Seasonal => "seasonal Mann-Kendall test",
        }
    }
}

impl Computation for ComputeMannKendall {
    const NAME: &'static str = "compute_mann_kendall";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Test of a series for a monotonic trend, with Sen's slope.", Port::of(Kind::Statistic))
            .description(
                "S = sum of sign(x_j - x_i) over i < j; z = (S -+ 1)/sqrt(var S), ties in the variance; two-sided p; \
                 tau = S over the number of pairs. Sen's slope is the median of pairwise slopes for each step, and for \
                 seasonal for each period from pairs of one season; the intercept is at the first value. Missing values \
                 are left out; seasonal keeps their places.",
            )
            .evidence(&["trend", "p_value", "z", "tau", "s", "var_s", "slope", "intercept", "n_eff", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let values: Vec<f64> = series.values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = values.len();
    if n < 4 {
        return Err(ToolError::no_data(format!(
            "the test needs at least 4 values and the series has {n}; choose a longer window"
        )));
    }
    if n > theil_sen::LIMIT {
        return Err(ToolError::invalid(format!(
            "the test looks at every pair and the series has {n} values (limit {}); resample it to months first",
            theil_sen::LIMIT
        )));
    }
    let (test, slope, intercept, per) = match arguments.variant.dependence() {
        Some(dependence) => {
            let steps = present_steps(series);
            let slope = theil_sen::slope_of(&steps, &values);
            let intercept = theil_sen::median(&values) - slope * theil_sen::median(&steps);
            (test_with(&values, &steps, slope, dependence), slope, intercept, "step")
        }
        None => seasonal(arguments, series)?,
    };
    Ok(output(arguments, series, &test, (slope, intercept), per, n))
}

/// The number of steps from the start of the record to each value: a gap is no step. Without an even step, values
/// count.
fn present_steps(series: &Series) -> Vec<f64> {
    let numbers = steps::numbers(&series.axis);
    let number = |at: usize| numbers.as_ref().map_or(at as f64, |numbers| numbers[at] as f64);
    let present = series.values.iter().enumerate().filter(|(_, value)| !value.is_nan());
    present.map(|(at, _)| number(at)).collect()
}

fn seasonal(
    arguments: &Arguments,
    series: &Series,
) -> Result<(MannKendall, f64, f64, &'static str), ToolError> {
    let period = arguments.period.or(match series.axis.step() {
        TimeStep::Months(months) if months < 12 && 12 % months == 0 => usize::try_from(12 / months).ok(),
        _ => None,
    });
    let even = steps::even(&series.axis, &series.values);
    let (Some(period), Some(even)) = (period, even) else {
        return Err(ToolError::invalid(
            "seasonal needs months or seasons in their order; resample the series to months, or state period",
        ));
    };
    let (slope, intercept) = theil_sen::seasonal(&even, period);
    Ok((test_seasonal(&even, period), slope, intercept, "period"))
}

fn output(
    arguments: &Arguments,
    series: &Series,
    test: &MannKendall,
    (slope, intercept): (f64, f64),
    per: &str,
    n: usize,
) -> ToolOutput {
    let trend = match (test.p_value < arguments.alpha, test.z > 0.0) {
        (false, _) => "no trend",
        (true, true) => "increasing",
        (true, false) => "decreasing",
    };
    let step = series.axis.step().to_iso().unwrap_or_default();
    Findings::by(arguments.variant.text())
        .over(series)
        .from(n)
        .text("trend", trend, &format!("decision at {}", arguments.alpha))
        .number("p_value", test.p_value, "1", "two-sided p value")
        .number("z", test.z, "1", "standard normal score")
        .number("tau", test.tau, "1", "Kendall's tau")
        .number("s", test.s, "1", "rising less falling pairs")
        .number("var_s", test.var_s, "1", "variance of s without a trend")
        .number("slope", slope, &series.units, &format!("Sen's slope for one {per} (step {step})"))
        .number("intercept", intercept, &series.units, "Sen's line at the first value")
        .number("n_eff", test.n_eff, "1", "effective number of values")
        .count("n", n, "number of values")
        .fact("alpha", arguments.alpha)
        .fact("slope_per", per)
        .document(Kind::Statistic, format!("{}_mann_kendall", series.name))
}
