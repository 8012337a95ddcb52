//! Real files against values computed by other software.
//!
//! Runs when `LEG_CONFORMANCE` names the folder that has `data/` and `reference/`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

mod damage;
mod decode;
mod fields;
mod grids;
mod index;

use std::path::{Path, PathBuf};

use ocean_data::dataset::Dataset;
use serde_json::Value;

const LIMIT: u64 = 1 << 30;

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LEG_CONFORMANCE").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: LEG_CONFORMANCE is not set");
    }
    folder
}

fn cases(folder: &Path, family: &str) -> Vec<Value> {
    let text = std::fs::read(folder.join(format!("reference/{family}.json"))).unwrap();
    let document: Value = serde_json::from_slice(&text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

fn open(folder: &Path, file: &str) -> std::sync::Arc<Dataset> {
    let path = folder.join("data").join(file);
    Dataset::open(&path.display().to_string()).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Whether two numbers agree within the case's tolerance.
fn near(case: &Value, got: f64, wanted: f64) -> bool {
    let tolerance = |key: &str| case["tolerance"][key].as_f64().unwrap_or(0.0);
    (got - wanted).abs() <= tolerance("atol") + tolerance("rtol") * wanted.abs()
}

fn assert_near(case: &Value, what: &str, got: f64, wanted: &Value) {
    let wanted = wanted.as_f64().unwrap_or(f64::NAN);
    let ok = near(case, got, wanted) || (got.is_nan() && wanted.is_nan());
    assert!(ok, "{} {what}: {got} instead of {wanted}", case["id"]);
}
