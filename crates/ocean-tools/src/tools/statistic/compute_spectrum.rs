//! `compute_spectrum`: the power spectrum of a series.

use leg_core::{Artifact, Coord, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::joined::even;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::chi_square;
use crate::kernels::correlation::autocorrelation;
use crate::kernels::gaps::filled;
use crate::kernels::spectrum::{Detrend, Segments, Taper, detrended, red_noise, welch};
use crate::kernels::steps;
use crate::kernels::time_axis::{TimeAxis, TimeStep};
use crate::series::Series;

/// Estimates a power spectrum.
pub(crate) struct ComputeSpectrum;

/// Arguments of `compute_spectrum`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// One segment, or the mean of several.
    #[serde(default)]
    method: Method,
    /// Values a segment, for welch; 256 or the whole series if it is shorter.
    #[serde(default)]
    #[schemars(range(min = 8))]
    nperseg: Option<usize>,
    /// Values that neighbouring segments share; half of a segment if absent.
    #[serde(default)]
    noverlap: Option<usize>,
    /// Taper of a segment.
    #[serde(default)]
    window: TaperArgument,
    /// What is taken out of each segment.
    #[serde(default)]
    detrend: DetrendArgument,
    /// Unit of frequency.
    #[serde(default)]
    frequency_unit: FrequencyUnit,
    /// Longest gap in steps that is filled by a straight line.
    #[serde(default = "three")]
    #[schemars(range(max = 1000))]
    max_gap: usize,
}

fn three() -> usize {
    3
}

/// One segment, or the mean of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Mean over overlapping segments.
    #[default]
    Welch,
    /// The whole series as one.
    Periodogram,
}

/// Taper of a segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum TaperArgument {
    /// Periodic Hann window.
    #[default]
    Hann,
    /// None.
    Boxcar,
}

impl TaperArgument {
    pub(super) fn taper(self) -> Taper {
        match self {
            Self::Hann => Taper::Hann,
            Self::Boxcar => Taper::Boxcar,
        }
    }
}

/// What is taken out of each segment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum DetrendArgument {
    /// The least-squares line.
    #[default]
    Linear,
    /// The mean.
    Constant,
    /// Nothing.
    None,
}

impl DetrendArgument {
    pub(super) fn detrend(self) -> Detrend {
        match self {
            Self::Linear => Detrend::Linear,
            Self::Constant => Detrend::Constant,
            Self::None => Detrend::None,
        }
    }
}

/// Unit of frequency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) enum FrequencyUnit {
    /// Cycles a year; a year is 12 months, or 365.2425 days.
    #[default]
    #[serde(rename = "per_year")]
    Year,
    /// Cycles a day.
    #[serde(rename = "per_day")]
    Day,
    /// Cycles a step.
    #[serde(rename = "per_step")]
    Step,
}

impl FrequencyUnit {
    /// Steps in one of these.
    pub(super) fn steps(self, axis: &TimeAxis) -> Option<f64> {
        match (self, axis.step()) {
            (Self::Step, _) => Some(1.0),
            (Self::Year, TimeStep::Months(months)) => Some(12.0 / f64::from(months)),
            (Self::Year, _) => steps::step_days(axis).map(|days| 365.2425 / days),
            (Self::Day, _) => steps::step_days(axis).map(|days| 1.0 / days),
        }
    }

    pub(super) fn units(self) -> &'static str {
        match self {
            Self::Year => "year-1",
            Self::Day => "day-1",
            Self::Step => "1",
        }
    }
}

/// Fewer values have no spectrum: after a line is taken out nothing is left of two.
const LEAST: usize = 4;

/// Values on every step without gaps, and a note when some were filled.
///
/// # Errors
/// Too few values, a gap that is too long, or no even step.
pub(super) fn whole(
    axis: &TimeAxis,
    values: &[f64],
    longest: usize,
) -> Result<(Vec<f64>, Option<String>), ToolError> {
    let present = values.iter().filter(|value| !value.is_nan()).count();
    if present < LEAST {
        return Err(ToolError::no_data(format!(
            "a spectrum needs at least {LEAST} values and the series has {present}; choose a longer window or a finer step"
        )));
    }
    let even = even(axis, values)?;
    let (values, count) = filled(&even, longest).ok_or_else(|| {
        ToolError::invalid(format!(
            "the series has a gap of more than {longest} steps, or no values; raise max_gap, choose a window without \
             it, or use `compute_lomb_scargle`"
        ))
    })?;
    let note = (count > 0).then(|| format!("{count} missing values were filled by straight lines"));
    Ok((values, note))
}

impl Computation for ComputeSpectrum {
    const NAME: &'static str = "compute_spectrum";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Power spectrum of a series.", Port::of(Kind::Spectrum))
            .description(
                "One-sided density whose integral over frequency is the variance: periodogram, or the mean over tapered \
                 segments (Welch 1967). background: red noise of the lag-1 autocorrelation with the same variance \
                 (Gilman et al. 1963); level_95: that times chi-square(0.95, d)/d with d = 2 K 9/11 for K > 1 segments \
                 that overlap by half, else 2 K. Only short gaps are filled; for others use compute_lomb_scargle.",
            )
            .evidence(&[
                "peak_frequency", "peak_period", "peak_power", "peak_over_level", "n_above_level", "total_power", "r1",
                "n_segments", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let (values, note) = whole(&series.axis, &series.values, arguments.max_gap)?;
    let n = values.len();
    let length =
        if arguments.method == Method::Periodogram { n } else { arguments.nperseg.unwrap_or(256).min(n) };
    let how = Segments {
        length,
        overlap: arguments.noverlap.unwrap_or(length / 2),
        taper: arguments.window.taper(),
        detrend: arguments.detrend.detrend(),
    };
    let spectra = welch(&values, &values, how).ok_or_else(|| {
        ToolError::invalid(format!(
            "segments of {length} that share {} do not fit {n} values; lower nperseg or noverlap",
            how.overlap
        ))
    })?;
    let scale = arguments.frequency_unit.steps(&series.axis).ok_or_else(|| {
        ToolError::invalid("the step of the series is unknown; set frequency_unit to per_step")
    })?;
    let frequency: Vec<f64> = spectra.frequency.iter().map(|f| f * scale).collect();
    let power: Vec<f64> = spectra.xx.iter().map(|power| power / scale).collect();
    let width = 1.0 / length as f64;
    let flat = detrended(&values, how.detrend);
    let r1 = autocorrelation(&flat, 1);
    let variance: f64 = spectra.xx.iter().skip(1).sum::<f64>() * width;
    let background: Vec<f64> =
        red_noise(&spectra.frequency, r1.max(0.0), variance).iter().map(|value| value / scale).collect();
    let segments = spectra.segments as f64;
    let degrees = 2.0 * segments * if spectra.segments > 1 && how.overlap > 0 { 9.0 / 11.0 } else { 1.0 };
    let factor = chi_square::quantile(0.95, degrees) / degrees;
    let level: Vec<f64> = background.iter().map(|value| value * factor).collect();
    let peak = (1..power.len()).reduce(|best, own| if power[own] > power[best] { own } else { best });
    let at = |values: &[f64]| peak.map_or(f64::NAN, |at| values[at]);
    let above = (1..power.len()).filter(|&at| power[at] > level[at]).count();
    let (unit, inverse) = (arguments.frequency_unit.units(), period_unit(arguments.frequency_unit));
    let density = density_units(&series.units, arguments.frequency_unit);
    let name = if arguments.method == Method::Welch { "Welch" } else { "periodogram" };
    let findings = Findings::by(format!("{name} spectrum, {length} values a segment"))
        .over(series)
        .from(n)
        .number("peak_frequency", at(&frequency), unit, "frequency of the largest density above 0")
        .number("peak_period", 1.0 / at(&frequency), inverse, "its period")
        .number("peak_power", at(&power), &density, "its density")
        .number(
            "peak_over_level",
            at(&power) / at(&level),
            "1",
            "its density over the 95 % level of red noise",
        )
        .count("n_above_level", above, "frequencies above that level")
        .number(
            "total_power",
            power.iter().sum::<f64>() * width * scale,
            &format!("({})2", series.units),
            "integral of the density",
        )
        .number("r1", r1, "1", "lag-1 autocorrelation")
        .count("n_segments", spectra.segments, "segments")
        .count("n", n, "values, filled ones included")
        .fact("noverlap", how.overlap)
        .fact("nperseg", length)
        .notes(note);
    let arrays = [("power", power), ("background", background), ("level_95", level)];
    Ok(findings.onto(along_frequency(
        &format!("{}_spectrum", series.name),
        &frequency,
        unit,
        arrays.into_iter().map(|(name, values)| (name, density.as_str(), values)),
    )))
}

fn period_unit(unit: FrequencyUnit) -> &'static str {
    match unit {
        FrequencyUnit::Year => "year",
        FrequencyUnit::Day => "day",
        FrequencyUnit::Step => "1",
    }
}

fn density_units(units: &str, unit: FrequencyUnit) -> String {
    match unit {
        FrequencyUnit::Step => format!("({units})2"),
        _ => format!("({units})2 {}", period_unit(unit)),
    }
}

/// A spectrum artifact: arrays along frequency.
pub(super) fn along_frequency<'a>(
    name: &str,
    frequency: &[f64],
    unit: &str,
    arrays: impl IntoIterator<Item = (&'a str, &'a str, Vec<f64>)>,
) -> Artifact {
    let mut artifact = Artifact::document(Kind::Spectrum, name, serde_json::Value::Null)
        .with_coord("frequency", Coord::numbers(frequency, unit, "frequency"));
    for (name, units, values) in arrays {
        artifact = artifact.with_variable(Variable {
            name: name.to_owned(),
            standard_name: None,
            units: units.to_owned(),
            dims: vec!["frequency".to_owned()],
            shape: vec![values.len()],
            values,
        });
    }
    artifact
}
