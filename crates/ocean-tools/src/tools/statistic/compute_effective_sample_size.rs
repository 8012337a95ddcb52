//! `compute_effective_sample_size`: how many independent values a series holds.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::findings::Findings;
use super::joined::Joined;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::{correlation, steps};
use crate::series::Series;

/// Counts independent values.
pub(crate) struct ComputeEffectiveSampleSize;

/// Arguments of `compute_effective_sample_size`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Another, for the number of independent pairs.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries2: Option<ArtifactArgument>,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default)]
    deseasonalise: bool,
    /// Take the linear trend out first.
    #[serde(default)]
    detrend: bool,
}

impl Computation for ComputeEffectiveSampleSize {
    const NAME: &'static str = "compute_effective_sample_size";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Effective number of independent values.", Port::of(Kind::Statistic))
            .description(
                "n_eff = n/(1 + 2 sum (1 - k/n) r_k) for the mean of a series, and with the products of both \
                 autocorrelations in place of r_k for the correlation of two, the sum ended at the first term that is not \
                 positive (Bretherton et al. 1999, eq. 30). ar1: n (1 - r1)/(1 + r1), for two n (1 - r1 r1')/(1 + r1 r1') \
                 (eq. 31). decorrelation_time: n/n_eff steps. A trend or an annual cycle left in makes n_eff small.",
            )
            .evidence(&["n_eff", "n_eff_ar1", "decorrelation_time", "r1", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let one = Series::read(&arguments.timeseries, context)?;
        let two = arguments.timeseries2.as_ref().map(|two| Series::read(two, context)).transpose()?;
        compute(arguments, &one, two.as_ref())
    }
}

fn compute(arguments: &Arguments, one: &Series, two: Option<&Series>) -> Result<ToolOutput, ToolError> {
    let series: Vec<&Series> = std::iter::once(one).chain(two).collect();
    let joined = Joined::of(&series, 4)?;
    let preparation = Preparation::of(&joined.axis, arguments.deseasonalise, arguments.detrend, None)?;
    let x = joined.even(&preparation.apply(&joined.values[0]))?;
    let y = match joined.values.get(1) {
        Some(values) => Some(joined.even(&preparation.apply(values))?),
        None => None,
    };
    let n = correlation::pairs(&x, y.as_ref().unwrap_or(&x)).0.len();
    if n < 4 {
        return Err(ToolError::no_data(format!(
            "an autocorrelation needs at least 4 values and there are {n}; choose a longer window"
        )));
    }
    let count = n as f64;
    let r1 = correlation::autocorrelation(&x, 1);
    let (sum, ar1) = match &y {
        Some(y) => (correlation::size_sum(&x, y), correlation::size_ar1(&x, y)),
        None => (correlation::size_sum_of_one(&x), (count * (1.0 - r1) / (1.0 + r1)).min(count)),
    };
    let days = steps::step_days(&joined.axis).unwrap_or(f64::NAN);
    let what = if y.is_some() { "pairs" } else { "values" };
    Ok(Findings::by(format!("effective sample size of Bretherton et al. (1999){}", preparation.text()))
        .over(one)
        .during(joined.axis.window())
        .from(n)
        .relative_to(preparation.baseline())
        .number(
            "n_eff",
            sum,
            "1",
            &format!("effective number of independent {what}, sum of autocorrelations"),
        )
        .number("n_eff_ar1", ar1, "1", &format!("effective number of independent {what}, first-order"))
        .number("decorrelation_time", count / sum * days, "day", "time for each independent value")
        .number("r1", r1, "1", "lag-1 autocorrelation of the first series")
        .count("n", n, what)
        .notes(preparation.note())
        .document(Kind::Statistic, format!("{}_effective_size", one.name)))
}
