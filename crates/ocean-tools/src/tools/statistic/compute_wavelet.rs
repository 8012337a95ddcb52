//! `compute_wavelet`: power of a series by period and time.

use leg_core::{Artifact, Coord, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::compute_spectrum::{DetrendArgument, whole};
use super::findings::Findings;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::correlation::autocorrelation;
use crate::kernels::spectrum::detrended;
use crate::kernels::steps;
use crate::kernels::time_axis::{TimeAxis, TimeStep, month_number, month_start};
use crate::kernels::wavelet::{Wavelet, transform};
use crate::series::{Series, with_times};

/// Transforms a series to wavelets.
pub(crate) struct ComputeWavelet;

/// Arguments of `compute_wavelet`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// The wavelet; Morlet's with a nondimensional frequency of 6.
    #[serde(default)]
    wavelet: WaveletArgument,
    /// Distance of the scales as a power of two.
    #[serde(default = "eighth")]
    #[schemars(range(min = 0.01, max = 1.0))]
    dj: f64,
    /// What is taken out of the series first.
    #[serde(default = "constant")]
    detrend: DetrendArgument,
    /// Lag-1 autocorrelation of the red noise; that of the series if absent.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 0.999))]
    lag1: Option<f64>,
    /// Level of the test.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    significance_level: f64,
    /// Longest gap in steps that is filled by a straight line.
    #[serde(default = "three")]
    #[schemars(range(max = 1000))]
    max_gap: usize,
}

fn eighth() -> f64 {
    0.125
}

fn constant() -> DetrendArgument {
    DetrendArgument::Constant
}

fn ninety_five() -> f64 {
    0.95
}

fn three() -> usize {
    3
}

/// The wavelet.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WaveletArgument {
    /// Morlet.
    #[default]
    Morlet,
}

impl Computation for ComputeWavelet {
    const NAME: &'static str = "compute_wavelet";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Power of a series by period and time.", Port::of(Kind::Spectrum))
            .description(
                "Continuous Morlet transform about the mean, scales from 2 steps up to the length of the series, padded \
                 with zeros (Torrence and Compo 1998). power: |W|2; rectified_power: that over the scale in steps, with \
                 which periods can be compared (Liu et al. 2007); significance: level of red noise of the same variance; \
                 cone: the longest period free of the ends at each time; global_power: mean over time with its own \
                 level. Evidence counts only what lies inside the cone. Periods are in days (a month is 365.2425/12 days), \
                 or in steps when the step is unknown.",
            )
            .evidence(&[
                "peak_period", "peak_power", "peak_over_level", "strongest_period", "strongest_power",
                "significant_share", "r1", "variance", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let WaveletArgument::Morlet = arguments.wavelet;
    let (values, note) = whole(&series.axis, &series.values, arguments.max_gap)?;
    let values = detrended(&values, arguments.detrend.detrend());
    let n = values.len();
    let found = transform(&values, arguments.dj).ok_or_else(|| {
        ToolError::no_data(format!("a wavelet transform needs at least 8 values and the series has {n}"))
    })?;
    let axis = even_axis(&series.axis, n)?;
    let mean = values.iter().sum::<f64>() / n as f64;
    let variance = values.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / n as f64;
    let r1 = arguments.lag1.unwrap_or_else(|| autocorrelation(&values, 1).max(0.0));
    let [local, global] = found.levels(variance, r1, arguments.significance_level);
    let (days, unit) = match steps::step_days(&series.axis) {
        Some(days) => (days, "day"),
        None => (1.0, "1"),
    };
    let squared = format!("({})2", series.units);
    // By the rectified mean, which does not favour long periods.
    let peak = (0..found.period.len())
        .filter(|at| found.cone.iter().any(|cone| *cone >= found.period[*at]))
        .fold(None, |best: Option<usize>, own| match best {
            Some(best) if found.global[best] / found.scale[best] >= found.global[own] / found.scale[own] => {
                Some(best)
            }
            _ => Some(own),
        });
    let inside = || {
        (0..found.period.len())
            .flat_map(|row| (0..n).map(move |at| (row, at)))
            .filter(|(row, at)| found.period[*row] <= found.cone[*at])
    };
    let strongest = inside().fold(None, |best: Option<(usize, usize)>, own| match best {
        Some(best)
            if found.power[best.0][best.1] / found.scale[best.0]
                >= found.power[own.0][own.1] / found.scale[own.0] =>
        {
            Some(best)
        }
        _ => Some(own),
    });
    let all = inside().count();
    let above = inside().filter(|(row, at)| found.power[*row][*at] > local[*row]).count();
    let at = |values: &[f64], place: Option<usize>| place.map_or(f64::NAN, |place| values[place]);
    let row = strongest.map(|own| own.0);
    let power = strongest.map_or(f64::NAN, |(row, at)| found.power[row][at]);
    let text = format!("Morlet wavelet transform, red noise of r1 {r1:.3}");
    let mut findings = Findings::by(text)
        .over(series)
        .from(n)
        .number(
            "peak_period",
            at(&found.period, peak) * days,
            unit,
            "period of the largest rectified mean power",
        )
        .number("peak_power", at(&found.global, peak), &squared, "mean power at that period")
        .number(
            "peak_over_level",
            at(&found.global, peak) / at(&global, peak),
            "1",
            "that over the level of red noise for the mean",
        )
        .number(
            "strongest_period",
            at(&found.period, row) * days,
            unit,
            "period of the largest rectified power at one time inside the cone",
        )
        .number("strongest_power", power, &squared, "power there")
        .number(
            "significant_share",
            if all > 0 { above as f64 / all as f64 } else { f64::NAN },
            "1",
            "share of periods and times inside the cone above the level of red noise",
        )
        .number("r1", r1, "1", "lag-1 autocorrelation of the noise")
        .number("variance", variance, &squared, "variance of the series")
        .count("n", n, "values, filled ones included")
        .fact("significance_level", arguments.significance_level)
        .notes(note);
    if let Some((_, at)) = strongest {
        findings = findings.fact("strongest_time", axis.label(at));
    }
    Ok(findings.onto(artifact(&series.name, &squared, (days, unit), &found, [local, global], &axis)))
}

/// The times of every step.
fn even_axis(axis: &TimeAxis, n: usize) -> Result<TimeAxis, ToolError> {
    if axis.len() == n {
        return Ok(axis.clone());
    }
    let error =
        || ToolError::invalid("the series has no even step; bring it to one with `resample_timeseries`");
    let first = *axis.times().first().ok_or_else(error)?;
    let start = *axis.nanoseconds().first().ok_or_else(error)?;
    let times = (0..n).map(|at| match axis.step() {
        TimeStep::Months(months) => {
            let after = i64::try_from(at).ok()? * i64::from(months);
            Some(month_start(month_number(&first) + after))
        }
        TimeStep::Seconds(seconds) => {
            axis.calendar().instant(start + at as i128 * i128::from(seconds) * 1_000_000_000).ok()
        }
        TimeStep::Unknown => None,
    });
    let times = times.collect::<Option<Vec<_>>>().ok_or_else(error)?;
    let whole =
        TimeAxis::new(axis.calendar(), times).map_err(|error| ToolError::invalid(error.to_string()))?;
    Ok(whole.with_step(axis.step()))
}

fn artifact(
    name: &str,
    squared: &str,
    (days, unit): (f64, &str),
    found: &Wavelet,
    [local, global]: [Vec<f64>; 2],
    axis: &TimeAxis,
) -> Artifact {
    let (periods, times) = (found.period.len(), found.cone.len());
    let array = |name: &str, units: &str, dims: &[&str], values: Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: dims.iter().map(|dim| (*dim).to_owned()).collect(),
        shape: dims.iter().map(|dim| if *dim == "period" { periods } else { times }).collect(),
        values,
    };
    let rectified = found
        .power
        .iter()
        .zip(&found.scale)
        .flat_map(|(row, scale)| row.iter().map(move |power| power / scale))
        .collect();
    let plane = ["period", "time"];
    let period: Vec<f64> = found.period.iter().map(|own| own * days).collect();
    // The labels of monthly times have the name of the periods' axis, which comes last.
    let artifact = Artifact::document(Kind::Spectrum, format!("{name}_wavelet"), Value::Null);
    with_times(artifact, axis)
        .with_coord("period", Coord::numbers(&period, unit, "period"))
        .with_variable(array("power", squared, &plane, found.power.concat()))
        .with_variable(array("rectified_power", squared, &plane, rectified))
        .with_variable(array("significance", squared, &["period"], local))
        .with_variable(array("global_power", squared, &["period"], found.global.clone()))
        .with_variable(array("global_significance", squared, &["period"], global))
        .with_variable(array("cone", unit, &["time"], found.cone.iter().map(|own| own * days).collect()))
}
