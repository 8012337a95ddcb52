//! Whether a variable holds the same in two stores.

use crate::cf::{Attribute, Axis, Calendar, Packing, TimeUnits};
use crate::dataset::numbers::read_numbers;
use crate::dataset::store::{ReadError, Store, StoredVariable};

/// Larger arrays are compared by their shape alone.
const MAX_COMPARED: usize = 20_000_000;
/// Coordinates of one grid may be written in single and in double precision.
const TOLERANCE: f64 = 1e-6;

/// Attributes that say how numbers are coded.
pub(crate) const CODING: [&str; 7] =
    ["scale_factor", "add_offset", "_FillValue", "missing_value", "valid_min", "valid_max", "valid_range"];

/// The text of an attribute.
pub(crate) fn text<'a>(variable: &'a StoredVariable, key: &str) -> Option<&'a str> {
    variable.attributes.get(key).and_then(Attribute::as_text)
}

/// The time units of a variable, when it has them.
pub(crate) fn time_units(variable: &StoredVariable) -> Option<TimeUnits> {
    let calendar = Calendar::parse(text(variable, "calendar").unwrap_or("standard")).ok()?;
    TimeUnits::parse(text(variable, "units")?, calendar).ok()
}

/// How the grid variable at `i` of one store differs from that at `j` of another, in words; `None` when it does not.
pub(crate) fn difference(
    one: &dyn Store,
    i: usize,
    other: &dyn Store,
    j: usize,
) -> Result<Option<String>, ReadError> {
    let (a, b) = (&one.variables()[i], &other.variables()[j]);
    let name = &a.name;
    if a.shape() != b.shape() {
        return Ok(Some(format!("`{name}` has the shape {:?} and not {:?}", b.shape(), a.shape())));
    }
    if !a.element.is_numeric() || !b.element.is_numeric() || a.len() > MAX_COMPARED {
        return Ok(None);
    }
    let times = (time_units(a), time_units(b));
    if times.0.is_none() && text(a, "units") != text(b, "units") {
        let units = |variable| text(variable, "units").unwrap_or("none").to_owned();
        return Ok(Some(format!("`{name}` has the units `{}` and not `{}`", units(b), units(a))));
    }
    let (left, right) = (read_numbers(one, i)?, read_numbers(other, j)?);
    let instants = |units: &TimeUnits, values: &[f64]| {
        values.iter().map(|&value| units.to_nanoseconds(value).ok()).collect::<Vec<_>>()
    };
    if let (Some(ours), Some(theirs)) = &times {
        let same = instants(ours, &left) == instants(theirs, &right);
        return Ok((!same).then(|| format!("the times of `{name}` are others")));
    }
    let far = |a: f64, b: f64| (a - b).abs() > TOLERANCE * a.abs().max(1.0) || a.is_nan() != b.is_nan();
    let first = left.iter().zip(&right).position(|(&a, &b)| far(a, b));
    Ok(first.map(|at| format!("`{name}` is {} and not {} at position {at}", right[at], left[at])))
}

/// Whether a variable places data in space.
pub(crate) fn is_grid(variable: &StoredVariable) -> bool {
    let axis = Axis::detect(&variable.name, &variable.attributes).map(|found| found.0);
    matches!(axis, Some(Axis::Depth | Axis::Latitude | Axis::Longitude))
}

/// Whether two variables code their numbers alike, in the same units.
pub(crate) fn is_coded_alike(a: &StoredVariable, b: &StoredVariable) -> bool {
    let packing =
        |variable: &StoredVariable| Packing::from_attributes(&variable.attributes, variable.fill_value);
    packing(a) == packing(b)
        && text(a, "units") == text(b, "units")
        && text(a, "calendar") == text(b, "calendar")
}
