//! `compute_coherence`: coherence and phase of two series.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::pow;
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_spectrum::{DetrendArgument, FrequencyUnit, TaperArgument, along_frequency, whole};
use super::findings::Findings;
use super::joined::Joined;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::spectrum::{Segments, welch};
use crate::series::Series;

/// Compares two series by frequency.
pub(crate) struct ComputeCoherence;

/// Arguments of `compute_coherence`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries1: ArtifactArgument,
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries2: ArtifactArgument,
    /// Values a segment; an eighth of the series, and at least 16, if absent.
    #[serde(default)]
    #[schemars(range(min = 4))]
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

impl Computation for ComputeCoherence {
    const NAME: &'static str = "compute_coherence";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Coherence and phase of two series by frequency.", Port::of(Kind::Spectrum))
            .description(
                "Squared coherence |Pxy|2/(Pxx Pyy) with Pxy = mean of conj(X) Y over tapered segments (Welch 1967); \
                 phase in radians, positive where the second series leads. Level of chance at 95 %: 1 - 0.05^(1/(K - 1)) \
                 for K segments, overlap not counted. One segment is always coherent, so two are needed.",
            )
            .evidence(&["max_coherence", "frequency_of_max", "phase_at_max", "level_95", "n_above_level", "n_segments", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let one = Series::read(&arguments.timeseries1, context)?;
        let two = Series::read(&arguments.timeseries2, context)?;
        compute(arguments, &one, &two)
    }
}

fn compute(arguments: &Arguments, one: &Series, two: &Series) -> Result<ToolOutput, ToolError> {
    let joined = Joined::of(&[one, two], 16)?;
    let (x, note) = whole(&joined.axis, &joined.values[0], arguments.max_gap)?;
    let (y, other) = whole(&joined.axis, &joined.values[1], arguments.max_gap)?;
    let length = arguments.nperseg.unwrap_or((x.len() / 8).max(16));
    let how = Segments {
        length,
        overlap: arguments.noverlap.unwrap_or(length / 2),
        taper: arguments.window.taper(),
        detrend: arguments.detrend.detrend(),
    };
    let spectra = welch(&x, &y, how).filter(|spectra| spectra.segments > 1).ok_or_else(|| {
        ToolError::invalid(format!("two segments of {length} do not fit {} values; lower nperseg", x.len()))
    })?;
    let scale = arguments.frequency_unit.steps(&joined.axis).ok_or_else(|| {
        ToolError::invalid("the step of the series is unknown; set frequency_unit to per_step")
    })?;
    let frequency: Vec<f64> = spectra.frequency.iter().map(|f| f * scale).collect();
    let (coherence, phase) = (spectra.coherence(), spectra.phase());
    let level = 1.0 - pow(0.05, 1.0 / (spectra.segments as f64 - 1.0));
    let peak =
        (1..coherence.len()).reduce(|best, own| if coherence[own] > coherence[best] { own } else { best });
    let at = |values: &[f64]| peak.map_or(f64::NAN, |at| values[at]);
    let unit = arguments.frequency_unit.units();
    let findings = Findings::by(format!("Welch cross spectrum, {length} values a segment"))
        .over(one)
        .during(joined.axis.window())
        .from(x.len())
        .number("max_coherence", at(&coherence), "1", "largest squared coherence above frequency 0")
        .number("frequency_of_max", at(&frequency), unit, "its frequency")
        .number("phase_at_max", at(&phase), "radian", "its phase, positive where the second series leads")
        .number("level_95", level, "1", "95 % level of chance")
        .count(
            "n_above_level",
            coherence.iter().skip(1).filter(|own| **own > level).count(),
            "frequencies above it",
        )
        .count("n_segments", spectra.segments, "segments")
        .count("n", x.len(), "pairs, filled ones included")
        .notes(note.into_iter().chain(other));
    let arrays = [("coherence", "1", coherence), ("phase", "radian", phase)];
    Ok(findings.onto(along_frequency(
        &format!("{}_{}_coherence", one.name, two.name),
        &frequency,
        unit,
        arrays,
    )))
}
