//! Comparing an answer with the expected one.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// Faults that are told.
const SHOWN: usize = 3;

/// How near is near enough: `|a − b| ≤ atol + rtol |b|`.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Tolerance {
    #[serde(default)]
    rtol: f64,
    #[serde(default)]
    atol: f64,
    /// For a member of this name, at any depth.
    #[serde(default)]
    per_key: BTreeMap<String, KeyTolerance>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyTolerance {
    rtol: Option<f64>,
    atol: Option<f64>,
    /// Not to be tested.
    #[serde(default)]
    informative: bool,
}

impl Tolerance {
    /// Reads the JSON form; absent is exact.
    ///
    /// # Errors
    /// A message.
    pub(super) fn read(value: Option<&Value>) -> Result<Self, String> {
        let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(Self::default()) };
        Self::deserialize(value).map_err(|error| format!("`tolerance`: {error}"))
    }
}

/// What came out.
#[derive(Debug, Default)]
pub(super) struct Compared {
    /// Largest deviation over what is allowed there.
    pub(super) deviation: f64,
    /// What does not agree.
    pub(super) faults: Vec<String>,
}

impl Compared {
    /// The first faults, and how many more there are.
    pub(super) fn message(&self) -> String {
        let shown = self.faults.iter().take(SHOWN).cloned().collect::<Vec<_>>().join("; ");
        match self.faults.len().saturating_sub(SHOWN) {
            0 => shown,
            more => format!("{shown}; and {more} more"),
        }
    }
}

/// Compares each member of `expected` with that of `actual`; members that are not expected are left out.
pub(super) fn compare(expected: &Value, actual: &Value, tolerance: &Tolerance) -> Compared {
    let mut compared = Compared::default();
    let own = KeyTolerance { rtol: Some(tolerance.rtol), atol: Some(tolerance.atol), informative: false };
    walk(expected, Some(actual), &Place { path: String::new(), key: "", own }, tolerance, &mut compared);
    compared
}

struct Place<'a> {
    path: String,
    /// The nearest member's name.
    key: &'a str,
    own: KeyTolerance,
}

fn walk(
    expected: &Value,
    actual: Option<&Value>,
    place: &Place<'_>,
    tolerance: &Tolerance,
    out: &mut Compared,
) {
    if place.own.informative {
        return;
    }
    let Some(actual) = actual else {
        out.faults.push(format!("`{}` is not answered", place.path));
        return;
    };
    match (expected, actual) {
        (Value::Object(members), Value::Object(_)) => {
            for (key, value) in members {
                let own = match tolerance.per_key.get(key) {
                    Some(given) => KeyTolerance {
                        rtol: given.rtol.or(place.own.rtol),
                        atol: given.atol.or(place.own.atol),
                        informative: given.informative,
                    },
                    None => place.own,
                };
                let inner = Place { path: format!("{}/{key}", place.path), key, own };
                walk(value, actual.get(key), &inner, tolerance, out);
            }
        }
        (Value::Array(wanted), Value::Array(found)) => {
            if wanted.len() != found.len() {
                out.faults.push(format!("`{}` has {} values, not {}", place.path, found.len(), wanted.len()));
                return;
            }
            for (index, (value, own)) in wanted.iter().zip(found).enumerate() {
                let inner = Place { path: format!("{}/{index}", place.path), key: place.key, own: place.own };
                walk(value, Some(own), &inner, tolerance, out);
            }
        }
        (Value::Number(wanted), Value::Number(found)) => {
            let (b, a) = (wanted.as_f64().unwrap_or(f64::NAN), found.as_f64().unwrap_or(f64::NAN));
            number(a, b, is_count(wanted.is_f64(), place.key, tolerance), place, out);
        }
        _ if expected == actual => {}
        _ => out.faults.push(format!("`{}` is {}, not {}", place.path, short(actual), short(expected))),
    }
}

fn number(a: f64, b: f64, exact: bool, place: &Place<'_>, out: &mut Compared) {
    let allowed =
        if exact { 0.0 } else { place.own.atol.unwrap_or(0.0) + place.own.rtol.unwrap_or(0.0) * b.abs() };
    let off = (a - b).abs();
    let deviation = if off == 0.0 {
        0.0
    } else if allowed > 0.0 {
        off / allowed
    } else {
        f64::INFINITY
    };
    if deviation.is_finite() {
        out.deviation = out.deviation.max(deviation);
    }
    if deviation > 1.0 || deviation.is_nan() {
        out.faults.push(format!("`{}` is {a}, not {b} (allowed ± {allowed:e})", place.path));
    }
}

/// Whether a number counts something, so that it is exact unless its member has a tolerance of its own.
fn is_count(is_float: bool, key: &str, tolerance: &Tolerance) -> bool {
    let counts = key == "n"
        || key.starts_with("n_")
        || matches!(key, "count" | "counts" | "shape" | "argmin" | "argmax");
    !is_float && counts && !tolerance.per_key.contains_key(key)
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() > 60 { text.chars().take(57).chain("...".chars()).collect() } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tolerance() -> Tolerance {
        let json = json!({"rtol": 0.01, "atol": 0.0, "per_key": {"p": {"atol": 0.5}, "extra": {"informative": true}}});
        Tolerance::read(Some(&json)).unwrap()
    }

    #[test]
    fn each_expected_member_is_compared() {
        let expected =
            json!({"n": 3, "mean": 10.0, "p": 0.1, "extra": 7, "list": [1.0, null], "inner": {"p": 1.0}});
        let good =
            json!({"n": 3, "mean": 10.09, "p": 0.6, "list": [1.0, null], "inner": {"p": 1.4}, "more": 1});
        let compared = compare(&expected, &good, &tolerance());
        assert!(compared.faults.is_empty(), "{}", compared.message());
        assert!((compared.deviation - 0.998).abs() < 0.01, "{}", compared.deviation);
        for (key, wrong) in [
            ("n", json!(4)),
            ("mean", json!(10.2)),
            ("p", json!(0.7)),
            ("list", json!([1.0, 2.0])),
            ("list", json!([1.0])),
            ("inner", json!({})),
            ("mean", json!("10")),
            ("mean", Value::Null),
        ] {
            let mut bad = good.clone();
            bad[key] = wrong;
            assert_eq!(compare(&expected, &bad, &tolerance()).faults.len(), 1, "{bad}");
        }
    }

    #[test]
    fn a_tolerance_of_a_member_opens_a_count() {
        let exact = Tolerance::read(Some(&json!({"rtol": 0.5}))).unwrap();
        let open = Tolerance::read(Some(&json!({"rtol": 0.1, "per_key": {"n": {"rtol": 0.5}}}))).unwrap();
        assert!(!compare(&json!({"n": 4}), &json!({"n": 5}), &exact).faults.is_empty());
        assert!(compare(&json!({"n": 4}), &json!({"n": 5}), &open).faults.is_empty());
        assert!(Tolerance::read(Some(&json!({"reltol": 1}))).is_err());
    }
}
