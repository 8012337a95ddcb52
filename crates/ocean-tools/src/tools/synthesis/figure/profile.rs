//! Profiles: the arrays along depth, a panel for each unit; several casts as several lines.

use leg_core::{ToolError, Variable};
use ocean_chart::{DepthMark, ProfileLine, ProfilePanel, ProfileSpec};
use serde_json::Value;

use super::source::{Measure, Source, drawn, people};
use super::take::{length, take};

const MOST_PANELS: usize = 4;
const MOST_LINES: usize = 7;
const ASIDE: [&str; 6] = ["std", "count", "n", "low", "high", "thickness"];

/// A curve before it is a line: its panel's units, its name, its values and its band.
struct Curve {
    units: String,
    quantity: String,
    label: String,
    values: Vec<f64>,
    band: Option<[Vec<f64>; 2]>,
}

/// Draws profiles.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let (dim, depth) = depth_of(source, main)?;
    let curves =
        if let [_] = main.dims.as_slice() { beside(source, main, &dim) } else { casts(source, main, &dim)? };
    let lines: Vec<ProfileLine<'_>> = curves
        .iter()
        .map(|curve| ProfileLine {
            label: &curve.label,
            depth: &depth,
            values: &curve.values,
            band: curve.band.as_ref().map(|[low, high]| [low.as_slice(), high.as_slice()]),
            dashed: false,
        })
        .collect();
    let mut panels: Vec<(usize, usize)> = Vec::new();
    for (place, curve) in curves.iter().enumerate() {
        match panels.last_mut() {
            Some((first, end)) if curves[*first].units == curve.units => *end = place + 1,
            _ => panels.push((place, place + 1)),
        }
    }
    let panels: Vec<ProfilePanel<'_>> = panels
        .into_iter()
        .take(MOST_PANELS)
        .map(|(first, end)| ProfilePanel {
            x_label: &curves[first].quantity,
            units: &curves[first].units,
            lines: &lines[first..end],
        })
        .collect();
    let mark = |key: &str| source.fact(key).and_then(Value::as_f64);
    let marks: Vec<DepthMark<'_>> = [("mixed_layer_depth", "mixed layer"), ("bottom_depth", "bottom")]
        .into_iter()
        .filter_map(|(key, label)| Some(DepthMark { depth: mark(key)?, label }))
        .collect();
    drawn(
        ProfileSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            panels: &panels,
            marks: &marks,
            depth_units: "m",
        }
        .to_svg(),
    )
}

/// The vertical dimension and its depths.
fn depth_of(source: &Source<'_>, main: &Variable) -> Result<(String, Vec<f64>), ToolError> {
    for dim in &main.dims {
        let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
        if axis.measure == Measure::Depth || dim == "depth" {
            return Ok((dim.clone(), axis.values));
        }
    }
    // Any one axis will do for a profile of something else, such as density classes.
    match main.dims.as_slice() {
        [dim] => Ok((dim.clone(), source.axis(dim, main.values.len())?.values)),
        _ => Err(source.lacks("depths")),
    }
}

/// The main array and those beside it, with equal units next to each other.
fn beside(source: &Source<'_>, main: &Variable, dim: &str) -> Vec<Curve> {
    let is_shown = |variable: &&Variable| {
        variable.name == main.name
            || (source.look.options.variable.is_none() && !ASIDE.contains(&variable.name.as_str()))
    };
    let mut shown: Vec<&Variable> = source.along(&[dim]).filter(is_shown).collect();
    let order: Vec<String> = shown.iter().map(|variable| variable.units.clone()).collect();
    shown.sort_by_key(|variable| order.iter().position(|units| *units == variable.units));
    let std = source.named(&["std"], main.values.len()).filter(|std| std.units == main.units);
    let is_shared =
        |variable: &Variable| shown.iter().filter(|other| other.units == variable.units).count() > 1;
    shown
        .iter()
        .map(|variable| {
            let edge = |sign: f64, std: &Variable| -> Vec<f64> {
                variable.values.iter().zip(&std.values).map(|(mean, std)| mean + sign * std).collect()
            };
            let own_std = std.filter(|_| variable.name == main.name);
            Curve {
                units: variable.units.clone(),
                quantity: source.quantity(variable),
                label: if is_shared(variable) { people(&variable.name) } else { String::new() },
                values: variable.values.clone(),
                band: own_std.map(|std| [edge(-1.0, std), edge(1.0, std)]),
            }
        })
        .collect()
}

/// The casts along the other axis of an array.
fn casts(source: &Source<'_>, main: &Variable, dim: &str) -> Result<Vec<Curve>, ToolError> {
    let other =
        main.dims.iter().find(|other| *other != dim).ok_or_else(|| source.lacks("an axis of casts"))?;
    let count = length(main, other).unwrap_or(0);
    let names = source.axis(other, count)?.names;
    let curves = (0..count.min(MOST_LINES)).map(|at| {
        Some(Curve {
            units: main.units.clone(),
            quantity: source.quantity(main),
            label: names.get(at).cloned().unwrap_or_default(),
            values: take(main, &[dim], at)?,
            band: None,
        })
    });
    curves.collect::<Option<Vec<_>>>().ok_or_else(|| source.lacks("values"))
}
