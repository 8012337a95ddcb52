//! Plans and files to run them on.

use serde_json::{Value, json};

/// A plan of one track.
pub(crate) fn plan(steps: &Value, result: &str) -> String {
    let track = json!({ "id": "main", "goal": "test", "steps": steps, "result": { "$ref": result } });
    json!({ "version": 1, "question": "How warm was it?", "tracks": [track] }).to_string()
}

/// Selects the demo ocean's surface temperature of two years in the coastal box.
pub(crate) fn load() -> Value {
    json!({ "id": "field", "tool": "load_dataset", "args": {
        "variable": "temperature", "region": { "lon": [111, 117], "lat": [20, 22.5] },
        "time": ["2015", "2016"], "depth": "surface"
    } })
}

/// The area mean of `field`.
pub(crate) fn mean() -> Value {
    json!({ "id": "mean", "tool": "compute_area_weighted_mean", "args": { "data": { "$ref": "field" } } })
}

/// A plan that works on the demo ocean.
pub(crate) fn good() -> String {
    plan(&json!([load(), mean()]), "mean")
}

/// Months of the hand-made file.
pub(crate) const MONTHS: usize = 24;

/// A `NetCDF` classic file: `sst(time, lat, lon)` of two years on a grid of 3 by 4, made by hand.
pub(crate) fn netcdf() -> Vec<u8> {
    let lat = [-10.0, 0.0, 10.0];
    let lon = [100.0, 110.0, 120.0, 130.0];
    let days: Vec<f64> = (0..MONTHS).map(|month| (month / 12 * 365 + month % 12 * 30) as f64).collect();
    let sst: Vec<f64> = (0..MONTHS * 12).map(|at| 20.0 + (at % 7) as f64 / 3.0).collect();
    let variables: [(&str, &[u32], &str, &[f64]); 4] = [
        ("time", &[0], "days since 2010-01-15", &days),
        ("lat", &[1], "degrees_north", &lat),
        ("lon", &[2], "degrees_east", &lon),
        ("sst", &[0, 1, 2], "degC", &sst),
    ];
    let header = |begins: [usize; 4]| {
        let mut out = b"CDF\x01\0\0\0\0".to_vec();
        numbers(&mut out, &[10, 3]);
        for (name, length) in [("time", MONTHS), ("lat", 3), ("lon", 4)] {
            word(&mut out, name);
            numbers(&mut out, &[u32::try_from(length).unwrap()]);
        }
        numbers(&mut out, &[0, 0, 11, 4]);
        for ((name, dims, units, values), begin) in variables.iter().zip(begins) {
            word(&mut out, name);
            numbers(&mut out, &[u32::try_from(dims.len()).unwrap()]);
            numbers(&mut out, dims);
            numbers(&mut out, &[12, 1]);
            word(&mut out, "units");
            numbers(&mut out, &[2]);
            word(&mut out, units);
            let bytes = u32::try_from(values.len() * 8).unwrap();
            numbers(&mut out, &[6, bytes, u32::try_from(begin).unwrap()]);
        }
        out
    };
    let mut begins = [header([0; 4]).len(); 4];
    for at in 1..4 {
        begins[at] = begins[at - 1] + variables[at - 1].3.len() * 8;
    }
    let mut out = header(begins);
    for value in variables.iter().flat_map(|variable| variable.3) {
        out.extend(value.to_be_bytes());
    }
    out
}

fn numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    for number in numbers {
        out.extend(number.to_be_bytes());
    }
}

/// A name: its length, its bytes, zeros up to four.
fn word(out: &mut Vec<u8>, text: &str) {
    numbers(out, &[u32::try_from(text.len()).unwrap()]);
    out.extend(text.bytes());
    out.resize(out.len().next_multiple_of(4), 0);
}

/// The mean of `sst` over the whole file.
pub(crate) fn whole_mean(args: &Value) -> String {
    let mut mean = mean();
    for (key, value) in args.as_object().unwrap() {
        mean["args"][key] = value.clone();
    }
    let load = json!({ "id": "field", "tool": "load_dataset", "args": { "variable": "sst" } });
    plan(&json!([load, mean]), "mean")
}

/// The values of a step of a run's document.
pub(crate) fn values(document: &Value, step: &str) -> Vec<f64> {
    let artifact = artifact(document, step);
    artifact["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// The artifact of a step of a run's document.
pub(crate) fn artifact<'a>(document: &'a Value, step: &str) -> &'a Value {
    let artifacts = document["artifacts"].as_array().unwrap();
    artifacts
        .iter()
        .find(|artifact| artifact["step"] == step)
        .unwrap_or_else(|| panic!("no artifact of `{step}`"))
}

/// The largest relative difference of two series.
pub(crate) fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs() / b.abs().max(f64::MIN_POSITIVE)).fold(0.0, f64::max)
}
