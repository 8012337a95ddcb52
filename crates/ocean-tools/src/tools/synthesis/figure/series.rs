//! Series: the arrays of one unit along one axis, their bands, episodes and thresholds.

use leg_core::{ToolError, Variable};
use ocean_chart::{Band, Level, Line, LineLook, SeriesSpec, Span};
use serde_json::Value;

use super::source::{Axis, Measure, Source, drawn, people};
use super::take::length;

/// More lines than this can't be told apart.
const MOST: usize = 7;
const LOWS: [&str; 5] = ["low", "lower", "ci_low", "ci_lower", "p05"];
const HIGHS: [&str; 5] = ["high", "upper", "ci_high", "ci_upper", "p95"];
/// Arrays that are not lines of their own.
const ASIDE: [&str; 10] =
    ["count", "n", "std", "period", "low", "lower", "ci_low", "high", "upper", "ci_high"];
/// Arrays that are references for others.
const REFERENCES: [&str; 6] = ["climatology", "threshold", "trend", "fit", "fitted", "predicted"];

/// Draws the main array, and others of its units, along its axis.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let [dim] = main.dims.as_slice() else { return Err(source.lacks("an array along one axis")) };
    let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
    let is_shown = |variable: &&Variable| {
        variable.name == main.name
            || (source.look.options.variable.is_none()
                && variable.units == main.units
                && !ASIDE.contains(&variable.name.as_str()))
    };
    let shown: Vec<&Variable> = source.along(&[dim.as_str()]).filter(is_shown).take(MOST).collect();
    let band = band(source, main);
    let is_alone = shown.len() == 1;
    let look =
        if is_alone && band.is_none() && is_index(source) { LineLook::Filled(0.0) } else { LineLook::Joined };
    let names: Vec<String> = shown.iter().map(|variable| people(&variable.name)).collect();
    let lines: Vec<Line<'_>> = shown
        .iter()
        .zip(&names)
        .map(|(variable, name)| Line {
            label: if is_alone { "" } else { name },
            x: &axis.values,
            y: &variable.values,
            band: band.as_ref().filter(|_| variable.name == main.name).map(|[low, high]| Band { low, high }),
            dashed: REFERENCES.contains(&variable.name.as_str()),
            look,
        })
        .collect();
    draw_lines(source, main, &axis, &lines)
}

/// Draws lines along an axis with the episodes, thresholds and levels of the artifact.
pub(super) fn draw_lines(
    source: &Source<'_>,
    main: &Variable,
    axis: &Axis,
    lines: &[Line<'_>],
) -> Result<String, ToolError> {
    let spans = episodes(source, axis);
    let spans: Vec<Span<'_>> =
        spans.iter().map(|(from, to, label)| Span { from: *from, to: *to, label }).collect();
    let mut levels: Vec<Level<'_>> = source
        .look
        .options
        .levels
        .iter()
        .map(|level| Level { value: level.value, label: &level.label })
        .collect();
    if let Some(value) = source.fact("threshold").and_then(Value::as_f64) {
        levels.push(Level { value, label: "threshold" });
    }
    let y_label = source.quantity(main);
    drawn(
        SeriesSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            y_label: &y_label,
            units: &main.units,
            time: axis.time(),
            lines,
            spans: &spans,
            levels: &levels,
            moments: &[],
            is_downward: is_depth(main),
        }
        .to_svg(),
    )
}

/// The depth of a layer or a surface grows downwards.
fn is_depth(variable: &Variable) -> bool {
    let name = variable.standard_name.as_deref().unwrap_or(&variable.name);
    variable.units == "m"
        && (name.contains("mixed_layer_depth") || name.contains("mixed_layer_thickness") || name == "depth")
}

/// An index or an anomaly has a zero that parts it.
fn is_index(source: &Source<'_>) -> bool {
    source.fact("index").is_some() || source.artifact.name.contains("anomaly")
}

/// The edges of a band around the main array: arrays of that name, or the mean and its standard deviation.
fn band(source: &Source<'_>, main: &Variable) -> Option<[Vec<f64>; 2]> {
    let count = main.values.len();
    if let (Some(low), Some(high)) = (source.named(&LOWS, count), source.named(&HIGHS, count)) {
        return (low.units == main.units).then(|| [low.values.clone(), high.values.clone()]);
    }
    let std = source.named(&["std", "spread"], count).filter(|std| std.units == main.units)?;
    let edge = |sign: f64| main.values.iter().zip(&std.values).map(|(mean, std)| mean + sign * std).collect();
    Some([edge(-1.0), edge(1.0)])
}

/// Episodes and events that an artifact lists, as numbers of the axis.
fn episodes(source: &Source<'_>, axis: &Axis) -> Vec<(f64, f64, String)> {
    if !matches!(axis.measure, Measure::Time(_)) {
        return Vec::new();
    }
    // Episodes are named as the evidence names times: by the period, where there is one.
    let periods: Vec<&str> = source
        .artifact
        .coords
        .get("period")
        .into_iter()
        .flat_map(|coord| &coord.values)
        .filter_map(Value::as_str)
        .collect();
    let place = |label: Option<&str>| {
        let label = label?;
        let found = periods.iter().position(|period| *period == label);
        let found = found.or_else(|| axis.names.iter().position(|name| name.starts_with(label)));
        found.and_then(|at| axis.values.get(at)).copied()
    };
    let listed = ["episodes", "events"].iter().filter_map(|key| source.fact(key)?.as_array());
    let found = listed.flatten().filter_map(|one| {
        let text = |key: &str| one.get(key).and_then(Value::as_str);
        Some((place(text("start"))?, place(text("end"))?, text("kind").unwrap_or_default().to_owned()))
    });
    found.collect()
}
