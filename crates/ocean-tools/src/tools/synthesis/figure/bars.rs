//! Bars: a value for each of a few names, from arrays or from a document of named numbers.

use leg_core::ToolError;
use ocean_chart::{BarSet, BarSpec};
use serde_json::Value;

use super::source::{Source, drawn, people};
use super::take::length;

/// Draws the arrays of one unit along an axis of names, or the numbers of a document that share a unit.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    if source.artifact.variables.is_empty() {
        return document(source);
    }
    let main = source.main()?;
    let [dim] = main.dims.as_slice() else { return Err(source.lacks("an array along one axis")) };
    let axis = source.axis(dim, length(main, dim).unwrap_or(0))?;
    let errors = source.named(&["std", "error", "uncertainty"], main.values.len());
    let aside = ["std", "error", "uncertainty", "count", "n"];
    let shown: Vec<_> = source
        .along(&[dim.as_str()])
        .filter(|variable| variable.units == main.units && !aside.contains(&variable.name.as_str()))
        .take(5)
        .collect();
    let labels: Vec<String> = shown.iter().map(|variable| people(&variable.name)).collect();
    let sets: Vec<BarSet<'_>> = shown
        .iter()
        .zip(&labels)
        .map(|(variable, label)| BarSet {
            label: if shown.len() > 1 { label } else { "" },
            values: &variable.values,
            errors: errors
                .filter(|_| variable.name == main.name)
                .map_or(&[][..], |errors| errors.values.as_slice()),
        })
        .collect();
    let names: Vec<String> = axis.names.iter().map(|name| people(name)).collect();
    chart(source, &source.quantity(main), &main.units, &names, &sets)
}

/// Draws the named numbers of a document, `{"name": {"value": number, "unit": text}}`; those of the most common unit.
/// Numbers without a unit may be of anything and have no common axis.
fn document(source: &Source<'_>) -> Result<String, ToolError> {
    let content =
        source.artifact.content.as_object().ok_or_else(|| source.lacks("named numbers with their units"))?;
    let unit = |value: &Value| {
        let unit = value.get("unit").or_else(|| value.get("units")).and_then(Value::as_str);
        unit.unwrap_or_default().to_owned()
    };
    let number = |value: &Value| value.get("value").and_then(Value::as_f64);
    let all: Vec<(&String, f64, String)> =
        content.iter().filter_map(|(name, value)| Some((name, number(value)?, unit(value)))).collect();
    let count = |wanted: &str| all.iter().filter(|(.., unit)| unit == wanted).count();
    // The first of equally common units.
    let units = all.iter().map(|(.., unit)| unit).rev().max_by_key(|unit| count(unit));
    let units = units.ok_or_else(|| source.lacks("named numbers with their units"))?;
    let shown: Vec<_> = all.iter().filter(|(.., unit)| unit == units).collect();
    let names: Vec<String> = shown.iter().map(|(name, ..)| people(name)).collect();
    let values: Vec<f64> = shown.iter().map(|(_, value, _)| *value).collect();
    chart(source, "", units, &names, &[BarSet { label: "", values: &values, errors: &[] }])
}

fn chart(
    source: &Source<'_>,
    y_label: &str,
    units: &str,
    names: &[String],
    sets: &[BarSet<'_>],
) -> Result<String, ToolError> {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    drawn(
        BarSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            y_label,
            units,
            names: &names,
            sets,
        }
        .to_svg(),
    )
}
