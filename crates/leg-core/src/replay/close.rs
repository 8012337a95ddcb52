//! Whether two results differ in their last digits only.
//!
//! A copy of a dataset with other chunks, or another family of processors, may add up in another order.

use serde_json::Value;

use crate::run::CallResult;
use crate::{Artifact, Evidence, ObjectStore, ObjectStoreExt as _};

/// Relative difference up to which two numbers are the same result.
pub(crate) const TOLERANCE: f64 = 1e-10;

/// Whether two results have the same form and numbers that agree.
pub(crate) fn agree(one: &CallResult, other: &CallResult, objects: &dyn ObjectStore) -> bool {
    let outputs = one.outputs.len() == other.outputs.len()
        && one.outputs.iter().zip(&other.outputs).all(|((name, a), (same, b))| {
            name == same
                && (a.digest == b.digest
                    || match (objects.get_artifact(&a.digest), objects.get_artifact(&b.digest)) {
                        (Ok(a), Ok(b)) => artifacts(&a, &b),
                        _ => false,
                    })
        });
    outputs
        && one.notes == other.notes
        && one.evidence.len() == other.evidence.len()
        && one.evidence.iter().zip(&other.evidence).all(|(a, b)| evidence(a, b))
}

fn evidence(a: &Evidence, b: &Evidence) -> bool {
    let same = |a: &Option<Value>, b: &Option<Value>| match (a, b) {
        (Some(a), Some(b)) => values(a, b),
        (a, b) => a == b,
    };
    a.key == b.key
        && a.unit == b.unit
        && a.datum == b.datum
        && a.when == b.when
        && a.n == b.n
        && values(&a.value, &b.value)
        && same(&a.place, &b.place)
        && same(&a.uncertainty, &b.uncertainty)
}

fn artifacts(a: &Artifact, b: &Artifact) -> bool {
    let head = a.kind == b.kind && a.name == b.name && a.coords == b.coords && a.payload == b.payload;
    let attributes = a.attributes.len() == b.attributes.len()
        && a.attributes
            .iter()
            .zip(&b.attributes)
            .all(|((key, one), (same, other))| key == same && values(one, other));
    head && attributes
        && values(&a.content, &b.content)
        && a.variables.len() == b.variables.len()
        && a.variables.iter().zip(&b.variables).all(|(a, b)| {
            (&a.name, &a.units, &a.dims, &a.shape) == (&b.name, &b.units, &b.dims, &b.shape)
                && a.values.len() == b.values.len()
                && a.values.iter().zip(&b.values).all(|(a, b)| numbers(*a, *b))
        })
}

fn values(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(one), Value::Number(other)) => match (one.as_f64(), other.as_f64()) {
            (Some(one), Some(other)) => numbers(one, other),
            _ => one == other,
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| values(a, b))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, a)| other.get(key).is_some_and(|b| values(a, b)))
        }
        (a, b) => a == b,
    }
}

fn numbers(a: f64, b: f64) -> bool {
    (a.is_nan() && b.is_nan()) || (a - b).abs() <= TOLERANCE * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_last_digits_may_differ_and_nothing_else() {
        assert!(values(&json!([1.0, {"a": 2.0}]), &json!([1.000_000_000_000_1, {"a": 2.0}])));
        assert!(!values(&json!(1.0), &json!(1.000_000_1)));
        assert!(!values(&json!([1.0]), &json!([1.0, 2.0])));
        assert!(!values(&json!("1"), &json!(1)));
        assert!(numbers(f64::NAN, f64::NAN) && !numbers(f64::NAN, 1.0));
        assert!(numbers(0.0, -0.0) && !numbers(0.0, 1e-300));
    }
}
