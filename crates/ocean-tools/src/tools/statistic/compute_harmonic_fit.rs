//! `compute_harmonic_fit`: waves of stated periods in a series.

use core::f64::consts::PI;

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::{atan2, cos, sin, sqrt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::correlation::pairs;
use crate::kernels::least_squares::solve;
use crate::series::Series;

/// Fits waves.
pub(crate) struct ComputeHarmonicFit;

/// Arguments of `compute_harmonic_fit`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A series; gaps and uneven times are fine.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// The periods; those of the year and its half if absent.
    #[serde(default = "year")]
    #[schemars(length(min = 1, max = 60))]
    periods: Vec<Wave>,
    /// Unit of the periods.
    #[serde(default)]
    period_unit: PeriodUnit,
    /// Fit a straight line too.
    #[serde(default = "yes")]
    trend: bool,
}

/// A wave.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Wave {
    /// What it is called.
    name: String,
    /// Its period.
    period: f64,
}

fn year() -> Vec<Wave> {
    let wave = |name: &str, period: f64| Wave { name: name.to_owned(), period };
    vec![wave("annual", 365.25), wave("semiannual", 182.625)]
}

fn yes() -> bool {
    true
}

/// Unit of the periods.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PeriodUnit {
    /// Days.
    #[default]
    Days,
    /// Hours.
    Hours,
}

impl Computation for ComputeHarmonicFit {
    const NAME: &'static str = "compute_harmonic_fit";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Amplitude and phase of waves of stated periods.", Port::of(Kind::Statistic))
            .description(
                "Least squares of mean + slope t + sum of a cos(2 pi t/P) + b sin(2 pi t/P), t elapsed time from the first \
                 value of the record; amplitude sqrt(a2 + b2) and phase in degrees from 0 to 360, of A cos(2 pi t/P - \
                 phase). No nodal corrections. Periods that the record cannot tell apart are refused.",
            )
            .evidence(&["mean", "slope_per_day", "amplitude_1", "phase_1", "residual_std", "explained", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    if let Some(wrong) = arguments.periods.iter().find(|wave| !(wave.period > 0.0 && wave.period.is_finite()))
    {
        return Err(ToolError::invalid(format!(
            "the period of `{}` is {}; it must be above 0",
            wrong.name, wrong.period
        )));
    }
    let seconds = series.axis.unix_seconds();
    let first = seconds.first().copied().unwrap_or(0.0);
    let days: Vec<f64> = seconds.iter().map(|own| (own - first) / 86_400.0).collect();
    let (t, y) = pairs(&days, &series.values);
    let unknowns = 1 + usize::from(arguments.trend) + 2 * arguments.periods.len();
    if t.len() <= unknowns {
        return Err(ToolError::no_data(format!(
            "{unknowns} unknowns need more values than the {} there are; give fewer periods or a longer series",
            t.len()
        )));
    }
    let unit = if arguments.period_unit == PeriodUnit::Hours { 24.0 } else { 1.0 };
    let mut columns = vec![vec![1.0; t.len()]];
    if arguments.trend {
        columns.push(t.clone());
    }
    for wave in &arguments.periods {
        let angular = 2.0 * PI * unit / wave.period;
        columns.push(t.iter().map(|t| cos(angular * t)).collect());
        columns.push(t.iter().map(|t| sin(angular * t)).collect());
    }
    let found = solve(&columns, &y).ok_or_else(|| {
        ToolError::invalid(
            "the record cannot tell these periods apart; leave out those that are near to another",
        )
    })?;
    let fitted =
        |at: usize| -> f64 { columns.iter().zip(&found).map(|(column, factor)| column[at] * factor).sum() };
    let rest: Vec<f64> = y.iter().enumerate().map(|(at, y)| y - fitted(at)).collect();
    let spread = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        sqrt(values.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / values.len() as f64)
    };
    let (before, after) = (spread(&y), spread(&rest));
    let from = 1 + usize::from(arguments.trend);
    let waves: Vec<(f64, f64)> = found[from..]
        .chunks_exact(2)
        .map(|pair| {
            (
                sqrt(pair[0] * pair[0] + pair[1] * pair[1]),
                atan2(pair[1], pair[0]).to_degrees().rem_euclid(360.0),
            )
        })
        .collect();
    let listed: Vec<_> = arguments
        .periods
        .iter()
        .zip(&waves)
        .map(|(wave, own)| json!({"name": wave.name, "period": wave.period, "amplitude": own.0, "phase": own.1}))
        .collect();
    let slope = if arguments.trend { found[1] } else { f64::NAN };
    Ok(Findings::by(format!("least squares of {} waves", waves.len()))
        .over(series)
        .from(t.len())
        .number("mean", found[0], &series.units, "constant, at the first value")
        .number("slope_per_day", slope, &format!("{} day-1", series.units), "straight line")
        .number(
            "amplitude_1",
            waves[0].0,
            &series.units,
            &format!("amplitude of {}", arguments.periods[0].name),
        )
        .number(
            "phase_1",
            waves[0].1,
            "degree",
            &format!("phase of {}, from the first value", arguments.periods[0].name),
        )
        .number("residual_std", after, &series.units, "population standard deviation of what is left")
        .number(
            "explained",
            1.0 - after * after / (before * before),
            "1",
            "share of variance that the fit takes",
        )
        .count("n", t.len(), "values used")
        .fact("waves", listed)
        .document(Kind::Statistic, format!("{}_harmonics", series.name)))
}
