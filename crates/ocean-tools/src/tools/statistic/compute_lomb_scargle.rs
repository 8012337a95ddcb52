//! `compute_lomb_scargle`: the spectrum of a series with gaps.

use core::f64::consts::PI;

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::pow;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_spectrum::{FrequencyUnit, along_frequency};
use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::lomb_scargle::{self, Mean};
use crate::kernels::steps;
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Fits sines to uneven data.
pub(crate) struct ComputeLombScargle;

/// Arguments of `compute_lomb_scargle`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A series; gaps and uneven times are fine.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Lowest frequency; one over the length of the record if absent.
    #[serde(default)]
    min_frequency: Option<f64>,
    /// Highest frequency; half of one over the usual step if absent.
    #[serde(default)]
    max_frequency: Option<f64>,
    /// How many frequencies, even from lowest to highest.
    #[serde(default = "two_hundred")]
    #[schemars(range(min = 2, max = 20000))]
    n_frequencies: usize,
    /// Unit of frequency.
    #[serde(default)]
    frequency_unit: FrequencyUnit,
    /// What becomes of the mean.
    #[serde(default)]
    mean: MeanArgument,
}

fn two_hundred() -> usize {
    200
}

/// What becomes of the mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MeanArgument {
    /// Fitted with each sine (Zechmeister and Kuerster 2009).
    #[default]
    Floating,
    /// Taken out first.
    Subtract,
    /// Left in.
    Keep,
}

impl Computation for ComputeLombScargle {
    const NAME: &'static str = "compute_lomb_scargle";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Spectrum of unevenly sampled data.", Port::of(Kind::Spectrum))
            .description(
                "Share of the sum of squares that a sine of each frequency takes by least squares, from 0 to 1 (Scargle \
                 1982; with a floating mean Zechmeister and Kuerster 2009). Months are even twelfths of a year, other \
                 times their elapsed days over 365.2425. p of the peak: 1 - (1 - (1 - P)^((n - 3)/2))^m for m \
                 frequencies taken as independent.",
            )
            .evidence(&["peak_frequency", "peak_period", "peak_power", "p_value", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

/// Times in the inverse of the unit of frequency.
fn times(arguments: &Arguments, series: &Series) -> Result<Vec<f64>, ToolError> {
    let axis = &series.axis;
    let months = matches!(axis.step(), TimeStep::Months(_));
    if months || arguments.frequency_unit == FrequencyUnit::Step {
        let scale = arguments.frequency_unit.steps(axis);
        return match (steps::numbers(axis), scale) {
            (Some(numbers), Some(scale)) => Ok(numbers.iter().map(|number| *number as f64 / scale).collect()),
            _ => Err(ToolError::invalid("the series has no step; set frequency_unit to per_day or per_year")),
        };
    }
    let days = if arguments.frequency_unit == FrequencyUnit::Day { 1.0 } else { 365.2425 };
    let seconds = axis.unix_seconds();
    let first = seconds.first().copied().unwrap_or(0.0);
    Ok(seconds.iter().map(|own| (own - first) / 86_400.0 / days).collect())
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let times = times(arguments, series)?;
    let (t, y) = crate::kernels::correlation::pairs(&times, &series.values);
    let n = t.len();
    let span = t.last().zip(t.first()).map_or(0.0, |(last, first)| last - first);
    if n < 4 || span <= 0.0 {
        return Err(ToolError::no_data(format!("a spectrum needs at least 4 values and the series has {n}")));
    }
    let low = arguments.min_frequency.unwrap_or(1.0 / span);
    let high = arguments.max_frequency.unwrap_or(0.5 * (n as f64 - 1.0) / span);
    if !(low > 0.0 && high > low) {
        return Err(ToolError::invalid(format!(
            "frequencies from {low} to {high} are no range above 0; set min_frequency and max_frequency"
        )));
    }
    let step = (high - low) / (arguments.n_frequencies as f64 - 1.0);
    let frequency: Vec<f64> = (0..arguments.n_frequencies).map(|at| low + step * at as f64).collect();
    let angular: Vec<f64> = frequency.iter().map(|f| 2.0 * PI * f).collect();
    let (mean, text) = match arguments.mean {
        MeanArgument::Floating => (Mean::Floating, "floating mean"),
        MeanArgument::Subtract => (Mean::Subtract, "mean taken out"),
        MeanArgument::Keep => (Mean::Keep, "mean left in"),
    };
    let power = lomb_scargle::power(&t, &y, &angular, mean);
    let peak = (0..power.len()).reduce(|best, own| if power[own] > power[best] { own } else { best });
    let at = |values: &[f64]| peak.map_or(f64::NAN, |at| values[at]);
    let single = pow(1.0 - at(&power), (n as f64 - 3.0) / 2.0);
    let p_value = 1.0 - pow(1.0 - single, power.len() as f64);
    let unit = arguments.frequency_unit.units();
    let inverse = unit.strip_suffix("-1").unwrap_or("1");
    let findings = Findings::by(format!("Lomb-Scargle periodogram, {text}"))
        .over(series)
        .from(n)
        .number("peak_frequency", at(&frequency), unit, "frequency of the largest share")
        .number("peak_period", 1.0 / at(&frequency), inverse, "its period")
        .number("peak_power", at(&power), "1", "its share of the sum of squares")
        .number("p_value", p_value, "1", "probability of such a peak in white noise")
        .count("n", n, "number of values");
    Ok(findings.onto(along_frequency(
        &format!("{}_lomb_scargle", series.name),
        &frequency,
        unit,
        [("power", "1", power)],
    )))
}
