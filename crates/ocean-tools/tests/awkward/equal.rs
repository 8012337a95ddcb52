//! Whether two answers say the same.

use leg_core::{Artifact, Kind, ToolOutput, Variable};
use serde_json::{Value, json};

/// What differs between two outputs: evidence, and values on sorted axes.
pub(crate) fn differences(plain: &ToolOutput, other: &ToolOutput) -> Vec<String> {
    let mut found = Vec::new();
    let scale = scale_of(plain);
    let facts = |output: &ToolOutput| -> Vec<Value> {
        let fact = |draft: &leg_core::EvidenceDraft| {
            json!({"name": draft.name, "value": draft.value, "unit": draft.unit, "when": draft.when, "place": draft.place,
                   "n": draft.n, "baseline": draft.baseline, "uncertainty": draft.uncertainty, "datum": draft.datum})
        };
        output.evidence.iter().map(fact).collect()
    };
    let (ours, theirs) = (facts(plain), facts(other));
    if ours.len() != theirs.len() {
        found.push(format!("{} facts and {}", ours.len(), theirs.len()));
    }
    for (own, their) in ours.iter().zip(&theirs) {
        // A probability or a correlation is measured by 1.
        let scale = if own["unit"] == "1" { scale.max(1.0) } else { scale };
        if !same(own, their, "", scale) {
            found.push(format!("{own} became {their}"));
        }
    }
    for (name, artifact) in &plain.artifacts {
        match other.artifacts.get(name) {
            Some(their) => {
                found.extend(of_artifacts(artifact, their).map(|text| format!("`{name}`: {text}")));
            }
            None => found.push(format!("`{name}` is not there")),
        }
    }
    found
}

/// The largest number of an output's arrays and evidence: what rounding is measured by.
fn scale_of(output: &ToolOutput) -> f64 {
    let arrays = output.artifacts.values().filter_map(|artifact| artifact.primary());
    let arrays = arrays.flat_map(|variable| variable.values.iter().copied());
    arrays.filter(|value| value.is_finite()).fold(0.0, |most, value| value.abs().max(most))
}

fn of_artifacts(own: &Artifact, their: &Artifact) -> Option<String> {
    // What is shown or written of an artifact follows the order of its data.
    if [Kind::Figure, Kind::File].contains(&own.kind) {
        return None;
    }
    if own.kind != their.kind || own.variables.len() != their.variables.len() {
        return Some(format!("a {} became a {}", own.kind, their.kind));
    }
    for (one, two) in own.variables.iter().zip(&their.variables) {
        let units = one.units.as_str();
        let (one, two) = (sorted(own, one), sorted(their, two));
        if one.0 != two.0 {
            return Some(format!("the axes of `{}` differ: {:?} and {:?}", own.name, one.0, two.0));
        }
        let least = if units == "1" { 1.0_f64 } else { 0.0 };
        let finite = one.1.iter().filter(|value| value.is_finite());
        let scale = finite.fold(least, |most, value| most.max(value.abs()));
        let bad = (one.1.iter().zip(&two.1)).position(|(a, b)| !near(*a, *b, scale));
        if let Some(at) = bad {
            return Some(format!("value {at} of `{}`: {} became {}", one.2, one.1[at], two.1[at]));
        }
    }
    let is_table = own.kind == Kind::Table;
    (is_table && !same(&own.content, &their.content, "", 0.0))
        .then(|| format!("{} became {}", own.content, their.content))
}

/// Lengths and positions of the axes, and the values in the order of rising positions.
fn sorted(artifact: &Artifact, variable: &Variable) -> (Vec<String>, Vec<f64>, String) {
    let mut axes = Vec::new();
    let mut orders = Vec::new();
    for (dim, &length) in variable.dims.iter().zip(&variable.shape) {
        let coord = artifact.coords.get(dim);
        let positions: Option<Vec<f64>> =
            coord.filter(|_| ["depth", "lat", "lon"].contains(&dim.as_str())).map(|coord| {
                coord.values.iter().filter_map(|value| Some(turned(dim, value.as_f64()?))).collect()
            });
        let mut order: Vec<usize> = (0..length).collect();
        if let Some(positions) = positions.filter(|positions| positions.len() == length) {
            order.sort_by(|&a, &b| positions[a].total_cmp(&positions[b]));
            axes.push(format!(
                "{dim}: {:?}",
                order.iter().map(|&at| (positions[at] * 1e6).round() / 1e6).collect::<Vec<_>>()
            ));
        } else {
            axes.push(format!("{dim}: {length}"));
        }
        orders.push(order);
    }
    let mut values = Vec::with_capacity(variable.values.len());
    for at in 0..variable.values.len() {
        let (mut rest, mut from, mut step) = (at, 0, 1);
        for (order, &length) in orders.iter().zip(&variable.shape).rev() {
            from += order[rest % length] * step;
            step *= length;
            rest /= length;
        }
        values.push(variable.values[from]);
    }
    (axes, values, variable.name.clone())
}

fn turned(dim: &str, value: f64) -> f64 {
    if dim == "lon" { (value + 1e-9).rem_euclid(360.0) } else { value }
}

fn near(a: f64, b: f64, scale: f64) -> bool {
    a.to_bits() == b.to_bits()
        || (a.is_nan() && b.is_nan())
        || (a - b).abs() <= 1e-9 * a.abs().max(b.abs()) + 1e-10 * scale
}

fn same(own: &Value, their: &Value, key: &str, scale: f64) -> bool {
    match (own, their) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            let turn = if key == "lon" { ((a - b) / 360.0).round() * 360.0 } else { 0.0 };
            near(a, b + turn, if key == "lon" { 360.0 } else { scale })
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, key, scale))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, own)| b.get(key).is_some_and(|their| same(own, their, key, scale)))
        }
        _ => own == their,
    }
}
