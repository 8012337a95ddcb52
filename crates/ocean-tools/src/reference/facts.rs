//! The forms in which cases state arrays.

use std::path::Path;

use ocean_data::{Dataset, Field, Selection};
use serde_json::{Value, json};

/// `{shape, n_valid, mean, std, min, max}` over the finite values; the standard deviation is the population's.
pub(super) fn digest(values: &[f64], shape: &[usize]) -> Value {
    let valid: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let n = valid.len() as f64;
    let mean = valid.iter().sum::<f64>() / n;
    let variance = valid.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n;
    let (low, high) =
        valid.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    let or_null = |value: f64| if valid.is_empty() { Value::Null } else { json!(value) };
    json!({
        "shape": shape,
        "n_valid": valid.len(),
        "mean": or_null(mean),
        "std": or_null(variance.sqrt()),
        "min": or_null(low),
        "max": or_null(high),
    })
}

/// Every `step`-th value from the first; missing is null.
pub(super) fn every(values: &[f64], step: usize) -> Vec<Value> {
    values.iter().step_by(step.max(1)).map(|value| json!(value)).collect()
}

/// The position of the largest value; of equal ones the first.
pub(super) fn argmax(values: &[f64]) -> Option<usize> {
    best(values, |own, best| own > best)
}

/// The position of the smallest value; of equal ones the first.
pub(super) fn argmin(values: &[f64]) -> Option<usize> {
    best(values, |own, best| own < best)
}

fn best(values: &[f64], better: fn(f64, f64) -> bool) -> Option<usize> {
    let present = values.iter().copied().enumerate().filter(|(_, value)| !value.is_nan());
    present.reduce(|best, own| if better(own.1, best.1) { own } else { best }).map(|(at, _)| at)
}

/// The `N` of a member named `every_Nth`, `every_N`, `…_everyN`.
pub(super) fn step_of(key: &str) -> Option<usize> {
    let tail = key.rsplit_once("every")?.1.trim_start_matches('_');
    let digits: String = tail.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// The ISO 8601 text of a variable's time at a position.
///
/// # Errors
/// A message.
pub(super) fn time_at(path: &Path, variable: &str, index: usize) -> Result<String, String> {
    let field = whole(path, variable)?;
    let times = field.times().map(ocean_data::field::TimeAxis::iso).unwrap_or_default();
    times.get(index).cloned().ok_or_else(|| format!("`{variable}` has no time {index}"))
}

/// A variable's depth in metres at a position.
///
/// # Errors
/// A message.
pub(super) fn depth_at(path: &Path, variable: &str, index: usize) -> Result<f64, String> {
    let field = whole(path, variable)?;
    let depth = field.depths().and_then(|axis| axis.values.get(index).copied());
    depth.ok_or_else(|| format!("`{variable}` has no level {index}"))
}

/// A variable's longitude at a position.
///
/// # Errors
/// A message.
pub(super) fn lon_at(path: &Path, variable: &str, index: usize) -> Result<f64, String> {
    let field = whole(path, variable)?;
    let lon = field.lons().and_then(|axis| axis.values.get(index).copied());
    lon.ok_or_else(|| format!("`{variable}` has no longitude {index}"))
}

/// The axes of a variable; one that it lacks is empty.
#[derive(Debug)]
pub(super) struct Axes {
    /// Depths in metres, top first.
    pub(super) depth: Vec<f64>,
    /// Latitudes.
    pub(super) lat: Vec<f64>,
    /// Longitudes.
    pub(super) lon: Vec<f64>,
}

/// The axes of a variable.
///
/// # Errors
/// A message.
pub(super) fn axes_of(path: &Path, variable: &str) -> Result<Axes, String> {
    let field = whole(path, variable)?;
    let of =
        |axis: Option<&ocean_data::field::SpaceAxis>| axis.map_or_else(Vec::new, |axis| axis.values.clone());
    Ok(Axes { depth: of(field.depths()), lat: of(field.lats()), lon: of(field.lons()) })
}

/// All of a variable.
fn whole(path: &Path, variable: &str) -> Result<Field, String> {
    let dataset = Dataset::open(&path.display().to_string()).map_err(|error| error.to_string())?;
    dataset.select(&Selection::of(variable)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_have_the_forms_of_the_cases() {
        let values = [1.0, f64::NAN, 3.0];
        let digest = digest(&values, &[3]);
        assert_eq!(
            digest,
            json!({"shape": [3], "n_valid": 2, "mean": 2.0, "std": 1.0, "min": 1.0, "max": 3.0})
        );
        assert_eq!(every(&values, 2), [json!(1.0), json!(3.0)]);
        assert_eq!((argmax(&values), argmin(&values), argmax(&[f64::NAN])), (Some(2), Some(0), None));
        assert_eq!(
            (step_of("every_12th"), step_of("row_mid_every6"), step_of("n")),
            (Some(12), Some(6), None)
        );
    }
}
