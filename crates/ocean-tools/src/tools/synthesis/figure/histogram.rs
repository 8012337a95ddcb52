//! Histograms of one or two quantities.

use leg_core::{ToolError, Variable};
use ocean_chart::{Histogram2dSpec, HistogramSet, HistogramSpec, Palette, ValueMark};
use serde_json::Value;

use super::source::{Measure, Source, drawn, numbers, people};
use super::take::{length, take};

/// Draws the bins of an array.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let main = source.main()?;
    match main.dims.as_slice() {
        [dim] => one(source, main, dim),
        [y, x] => two(source, main, y, x),
        _ => Err(source.lacks("an array along one or two axes of bins")),
    }
}

fn one(source: &Source<'_>, main: &Variable, dim: &str) -> Result<String, ToolError> {
    let (label, units) = name_of(source, main, dim)?;
    let edges = edges(source, main, dim)?;
    let y_label = match main.units.as_str() {
        "1" | "" if main.name.contains("count") => String::new(),
        _ => people(&main.name),
    };
    let text = |key: &str| source.fact(key).and_then(Value::as_f64);
    let marks: Vec<ValueMark<'_>> = [("mean", "mean"), ("median", "median"), ("p90", "90th percentile")]
        .into_iter()
        .filter_map(|(key, label)| Some(ValueMark { value: text(key)?, label }))
        .collect();
    drawn(
        HistogramSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            x_label: &label,
            units: &units,
            edges: &edges,
            sets: &[HistogramSet { label: "", values: &main.values }],
            y_label: &y_label,
            y_units: &main.units,
            marks: &marks,
        }
        .to_svg(),
    )
}

fn two(source: &Source<'_>, main: &Variable, y: &str, x: &str) -> Result<String, ToolError> {
    let (x_label, x_units) = name_of(source, main, x)?;
    let (y_label, y_units) = name_of(source, main, y)?;
    let values = take(main, &[y, x], 0).ok_or_else(|| source.lacks("values"))?;
    let mut colours = source.colours(main);
    if colours.palette == Palette::Auto {
        colours.palette = Palette::Matter;
    }
    drawn(
        Histogram2dSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            x_label: &x_label,
            x_units: &x_units,
            x_edges: &edges(source, main, x)?,
            y_label: &y_label,
            y_units: &y_units,
            y_edges: &edges(source, main, y)?,
            counts: &values,
            quantity: &people(&main.name),
            units: &main.units,
            colours,
            marks: &[],
        }
        .to_svg(),
    )
}

/// What the bins along a dimension are of, with its units.
fn name_of(source: &Source<'_>, main: &Variable, dim: &str) -> Result<(String, String), ToolError> {
    let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
    let is_plain = matches!(dim, "bin" | "bins" | "x" | "y" | "x_bin" | "y_bin");
    let text = |key: String| source.fact(&key).and_then(Value::as_str).map(str::to_owned);
    let units = match axis.measure {
        Measure::Number { units, .. } => units,
        Measure::Depth => "m".to_owned(),
        _ => String::new(),
    };
    let standard = source.artifact.coords.get(dim).and_then(|coord| coord.standard_name.clone());
    let label = text(format!("{dim}_label")).or(standard);
    let own = if is_plain { source.artifact.name.clone() } else { dim.to_owned() };
    Ok((people(&label.unwrap_or(own)), units))
}

/// The edges of the bins along a dimension: a coordinate or attribute of that name, or half-way between centres.
fn edges(source: &Source<'_>, main: &Variable, dim: &str) -> Result<Vec<f64>, ToolError> {
    let count = length(main, dim).unwrap_or(0);
    let artifact = source.artifact;
    let names = [format!("{dim}_edges"), format!("{dim}_edge"), "edges".to_owned(), "bin_edges".to_owned()];
    for name in &names {
        let listed =
            |value: &Value| -> Option<Vec<f64>> { value.as_array()?.iter().map(Value::as_f64).collect() };
        let found = artifact.coords.get(name).map(numbers);
        let found = found.or_else(|| source.fact(name).and_then(listed));
        let found = found.or_else(|| artifact.variable(name).map(|variable| variable.values.clone()));
        if let Some(edges) = found.filter(|edges| edges.len() == count + 1) {
            return Ok(edges);
        }
    }
    let centres = source.axis(dim, count)?.values;
    let step = match centres.as_slice() {
        [] => return Err(source.lacks("bins")),
        [_] => 1.0,
        [first, second, ..] => second - first,
    };
    let inner = centres.windows(2).map(|pair| f64::midpoint(pair[0], pair[1]));
    let mut edges = vec![centres[0] - step / 2.0];
    edges.extend(inner);
    let last = centres[count - 1];
    edges.push(last + (last - edges[count - 1]));
    Ok(edges)
}
