//! Spectra on logarithmic axes; coherence and phase, which have no decades, as plain lines.

use leg_core::{ToolError, Variable};
use ocean_chart::{SpectrumLine, SpectrumSpec, ValueMark};
use serde_json::Value;

use super::source::{Measure, Source, drawn, people};
use super::take::length;
use super::{hovmoller, series};

/// Arrays that belong to the main one.
const BACKGROUNDS: [&str; 8] = [
    "level_95",
    "red_noise",
    "red_noise_95",
    "background",
    "significance",
    "noise",
    "background_95",
    "significance_95",
];
/// Peaks named at most.
const MOST_PEAKS: usize = 6;

/// Draws a spectrum.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let [dim] = main.dims.as_slice() else { return hovmoller::draw(source) };
    if main.name.contains("coherence")
        || main.name.contains("phase")
        || source.artifact.name.contains("coherence")
    {
        return series::draw(source);
    }
    let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
    let units = match &axis.measure {
        Measure::Number { units, .. } => units.as_str(),
        _ => "",
    };
    let is_line = |variable: &&Variable| {
        variable.name != main.name
            && variable.units == main.units
            && BACKGROUNDS.contains(&variable.name.as_str())
    };
    let others: Vec<&Variable> = source.along(&[dim.as_str()]).filter(is_line).take(3).collect();
    let labels: Vec<String> = std::iter::once(source.quantity(main))
        .chain(others.iter().map(|variable| people(&variable.name)))
        .collect();
    let all = std::iter::once(main).chain(others.iter().copied());
    let lines: Vec<SpectrumLine<'_>> = all
        .zip(&labels)
        .map(|(variable, label)| SpectrumLine {
            label: if others.is_empty() { "" } else { label },
            frequency: &axis.values,
            power: &variable.values,
            dashed: variable.name != main.name,
        })
        .collect();
    let peaks = peaks(source);
    let marks: Vec<ValueMark<'_>> =
        peaks.iter().map(|(frequency, label)| ValueMark { value: *frequency, label }).collect();
    drawn(
        SpectrumSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            frequency_label: &people(dim),
            frequency_units: units,
            power_label: &people(&main.name),
            power_units: &main.units,
            lines: &lines,
            confidence: confidence(source, main),
            marks: &marks,
        }
        .to_svg(),
    )
}

/// What the true power may be as multiples of the estimate: said, or the ratio of the bounds to the estimate.
fn confidence(source: &Source<'_>, main: &Variable) -> Option<[f64; 2]> {
    let said = ["confidence", "confidence_factors", "chi2_factors"].iter().find_map(|key| {
        let pair = source.fact(key)?.as_array()?;
        Some([pair.first()?.as_f64()?, pair.get(1)?.as_f64()?])
    });
    let bounds = || {
        let count = main.values.len();
        let low = source.named(&["low", "lower", "ci_low"], count)?;
        let high = source.named(&["high", "upper", "ci_high"], count)?;
        let at = main.values.iter().position(|value| value.is_finite() && *value > 0.0)?;
        Some([low.values[at] / main.values[at], high.values[at] / main.values[at]])
    };
    said.or_else(bounds).filter(|[low, high]| *low > 0.0 && low < high && high.is_finite())
}

/// The peaks that the artifact lists.
fn peaks(source: &Source<'_>) -> Vec<(f64, String)> {
    let listed = source.fact("peaks").and_then(Value::as_array);
    let peak = |one: &Value| {
        let frequency = one.get("frequency").and_then(Value::as_f64)?;
        let name = one.get("name").or_else(|| one.get("label")).and_then(Value::as_str);
        let period = one.get("period").or_else(|| one.get("period_days")).and_then(Value::as_f64);
        let label = name.map(str::to_owned).or_else(|| period.map(|period| format!("{period:.1}")));
        Some((frequency, label.unwrap_or_default()))
    };
    listed.into_iter().flatten().filter_map(peak).take(MOST_PEAKS).collect()
}
