//! `remove_seasonal_cycle`: a series without its mean annual cycle.

use core::f64::consts::PI;

use leg_core::{EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::{cos, sin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::compute_climatology::Period;
use crate::argument::{ArtifactArgument, WindowArgument};
use crate::baseline::Baseline;
use crate::computation::Computation;
use crate::kernels::climatology::Climatology;
use crate::kernels::least_squares::solve;
use crate::kernels::percentile_climatology::circular_mean;
use crate::kernels::series_stats::SeriesStats;
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;
use crate::{Datasets, evidence};

/// Subtracts the mean annual cycle.
pub(crate) struct RemoveSeasonalCycle;

/// Arguments of `remove_seasonal_cycle`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// How the cycle is found.
    #[serde(default)]
    method: Method,
    /// Harmonics of the year, for harmonic.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 12))]
    harmonics: usize,
    /// Two dates inside the record, both inclusive; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Width in days of the running mean over the days of the year, for doy; 1 for none.
    #[serde(default = "month")]
    #[schemars(range(min = 1, max = 121))]
    smooth_days: usize,
    /// Leave the mean of the cycle in.
    #[serde(default)]
    keep_mean: bool,
}

fn three() -> usize {
    3
}

fn month() -> usize {
    31
}

/// How the cycle is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// month for steps of a month and more; for shorter ones doy with 30 years and more, else harmonic.
    #[default]
    Auto,
    /// Means of the days of the year, smoothed.
    Doy,
    /// Means of the months.
    Month,
    /// Least squares of harmonics of the year.
    Harmonic,
}

impl Computation for RemoveSeasonalCycle {
    const NAME: &'static str = "remove_seasonal_cycle";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).unit("=timeseries");
        ToolSpec::new("climatology", "A series without its mean annual cycle.", port)
            .description(
                "Value less the cycle found over the baseline, its mean included unless keep_mean. month: means of the \
                 months; doy: means of the days of the year (29 February is a day of its own) and a running mean over them \
                 round the year; harmonic: constant and harmonics of the year by least squares. auto takes harmonics for \
                 daily and finer series of less than 30 years, because a mean of few values a day takes signal with it.",
            )
            .evidence(&[&evidence::SERIES[..], &["cycle_range", "explained"]].concat())
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        let baseline = Baseline::resolve(arguments.baseline.as_ref().map(|window| &window.0), &series.axis)?;
        let cycle = Cycle::of(arguments, &series, &baseline)?;
        Ok(output(arguments, &series, &baseline, &cycle))
    }
}

/// The cycle at every time of a series.
struct Cycle {
    values: Vec<f64>,
    mean: f64,
    text: String,
}

impl Cycle {
    fn of(arguments: &Arguments, series: &Series, baseline: &Baseline) -> Result<Self, ToolError> {
        let axis = &series.axis;
        if matches!(axis.step(), TimeStep::Months(months) if months >= 12) || axis.is_empty() {
            return Err(ToolError::invalid(
                "the series has one value a year or less, so it has no annual cycle",
            ));
        }
        let years = axis.times().last().map_or(0, |last| last.year) - axis.times()[0].year + 1;
        let monthly = matches!(axis.step(), TimeStep::Months(_));
        let method = match arguments.method {
            Method::Auto if monthly => Method::Month,
            Method::Auto if years >= 30 => Method::Doy,
            Method::Auto => Method::Harmonic,
            stated => stated,
        };
        if method == Method::Harmonic {
            return Self::harmonic(arguments.harmonics, series, baseline);
        }
        let period = if method == Method::Doy { Period::Daily } else { Period::Monthly };
        period.fits(axis)?;
        let own = Climatology::of(period.cycle(), axis, &series.values, &baseline.inside);
        let mut means = own.mean;
        let mut text = format!("{} means", period.as_str());
        if method == Method::Doy && arguments.smooth_days > 1 {
            if arguments.smooth_days.is_multiple_of(2) {
                return Err(ToolError::invalid("smooth_days must be odd, such as 31"));
            }
            means = circular_mean(&means, arguments.smooth_days);
            text = format!("{text}, running mean of {} days", arguments.smooth_days);
        }
        let present: Vec<f64> = means.iter().copied().filter(|value| !value.is_nan()).collect();
        let mean = present.iter().sum::<f64>() / present.len() as f64;
        let values = period.cycle().bin_of(axis).iter().map(|bin| means[*bin]).collect();
        Ok(Self { values, mean, text })
    }

    fn harmonic(harmonics: usize, series: &Series, baseline: &Baseline) -> Result<Self, ToolError> {
        // A harmonic needs more than two values a period.
        if let TimeStep::Months(months) = series.axis.step()
            && 2 * harmonics as u64 * u64::from(months) >= 12
        {
            return Err(ToolError::invalid(format!(
                "{harmonics} harmonics of the year need shorter steps than {months} months; lower harmonics"
            )));
        }
        let years = series.axis.years();
        let columns = |years: &[f64]| -> Vec<Vec<f64>> {
            let mut columns = vec![vec![1.0; years.len()]];
            for harmonic in 1..=harmonics {
                let turn = 2.0 * PI * harmonic as f64;
                columns.push(years.iter().map(|year| cos(turn * year)).collect());
                columns.push(years.iter().map(|year| sin(turn * year)).collect());
            }
            columns
        };
        let inside = |at: &usize| baseline.inside[*at] && !series.values[*at].is_nan();
        let rows: Vec<usize> = (0..years.len()).filter(inside).collect();
        let take = |values: &[f64]| rows.iter().map(|at| values[*at]).collect::<Vec<f64>>();
        let found = if rows.len() > 2 * harmonics + 1 {
            solve(&columns(&take(&years)), &take(&series.values))
        } else {
            None
        };
        let factors = found.ok_or_else(|| {
            ToolError::invalid(format!(
                "{} values in the baseline do not tell {harmonics} harmonics of the year apart; lower harmonics",
                rows.len()
            ))
        })?;
        let all = columns(&years);
        let at = |row: usize| all.iter().zip(&factors).map(|(column, factor)| column[row] * factor).sum();
        let text = format!("{harmonics} harmonics of the year by least squares");
        Ok(Self { values: (0..years.len()).map(at).collect(), mean: factors[0], text })
    }
}

fn output(arguments: &Arguments, series: &Series, baseline: &Baseline, cycle: &Cycle) -> ToolOutput {
    let kept = if arguments.keep_mean { cycle.mean } else { 0.0 };
    let mut own = series.clone();
    own.values = series.values.iter().zip(&cycle.values).map(|(value, cycle)| value - cycle + kept).collect();
    own.name = format!("{}_deseasonalised", series.name);
    if !arguments.keep_mean {
        own.standard_name = None;
    }
    let rest = if arguments.keep_mean { ", its mean left in" } else { "" };
    let method = format!("series without its annual cycle ({}){rest}", cycle.text);
    own.attributes.insert("method".to_owned(), json!(method));
    own.attributes.insert("baseline".to_owned(), json!(baseline.label));
    let mut drafts = evidence::of_series(&own.axis, &own.values, &own.units, &method, Some(&baseline.label));
    let (before, after) = (SeriesStats::of(&series.values), SeriesStats::of(&own.values));
    let range = cycle.values.iter().copied().filter(|value| !value.is_nan()).fold(None, |best, value| {
        let (low, high) = best.unwrap_or((value, value));
        Some((f64::min(low, value), f64::max(high, value)))
    });
    let range = range.map_or(f64::NAN, |(low, high)| high - low);
    drafts.push(
        EvidenceDraft::new(
            "cycle_range",
            range,
            &own.units,
            &format!("largest less smallest value of the cycle: {}", cycle.text),
        )
        .baseline(baseline.label.clone()),
    );
    drafts.push(
        EvidenceDraft::new(
            "explained",
            1.0 - after.std * after.std / (before.std * before.std),
            "1",
            &format!("share of variance that the cycle took: {}", cycle.text),
        )
        .baseline(baseline.label.clone()),
    );
    let lost =
        own.values.iter().zip(&series.values).filter(|(after, before)| after.is_nan() && !before.is_nan());
    let lost = lost.count();
    let lost = (lost > 0).then(|| format!("{lost} values have no mean in the cycle and are missing"));
    ToolOutput::of(own.to_artifact())
        .with_evidence(drafts)
        .with_notes(baseline.note.clone().into_iter().chain(lost))
}
