//! Hovmöller diagrams, and any field on two axes.

use leg_core::ToolError;
use ocean_chart::HovmollerSpec;

use super::source::{Axis, Measure, Source, drawn};
use super::take::{length, take};

/// Draws the last two axes of an array, or time and the axis beside it.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    let axes = main
        .dims
        .iter()
        .map(|dim| Ok((dim.as_str(), source.axis(dim, length(main, dim).unwrap_or(0))?)))
        .collect::<Result<Vec<_>, ToolError>>()?;
    // Two axes of more than one place, if there are; time is one of them.
    let mut chosen: Vec<&(&str, Axis)> = axes.iter().filter(|(_, axis)| axis.values.len() > 1).collect();
    if chosen.len() < 2 {
        chosen = axes.iter().collect();
    }
    let is_time = |axis: &Axis| matches!(axis.measure, Measure::Time(_));
    chosen.sort_by_key(|(_, axis)| !is_time(axis));
    let [first, second, ..] = chosen.as_slice() else { return Err(source.lacks("two axes")) };
    // Longitude lies level and depth upright, whatever the other is; else time lies level.
    let rank = |axis: &Axis| match axis.measure {
        Measure::Longitude => 0,
        Measure::Time(_) => 1,
        Measure::Names(_) => 2,
        Measure::Depth => 5,
        Measure::Latitude => 4,
        _ => 3,
    };
    let ((x_dim, x), (y_dim, y)) =
        if rank(&first.1) <= rank(&second.1) { (*first, *second) } else { (*second, *first) };
    let values = take(main, &[*y_dim, *x_dim], source.at()).ok_or_else(|| source.lacks("values"))?;
    drawn(
        HovmollerSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            quantity: &source.quantity(main),
            units: &main.units,
            x: x.along(),
            y: y.along(),
            values: &values,
            colours: source.colours(main),
            shading: source.shading(),
            contours: &source.contours(false),
            marks: &[],
        }
        .to_svg(),
    )
}
