//! Real files against values computed by other software.
//!
//! Runs when `LEG_CONFORMANCE` names the folder that has `data/` and `reference/`.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and its numbers are exact by construction"
)]

use std::path::{Path, PathBuf};

use ndarray::Array4;
use ocean_data::cf::{Attribute, Calendar, Packing, TimeUnits};
use ocean_data::dataset::{Dataset, Window};
use ocean_data::field::reduce::{
    AreaMeanOptions, PointMethod, PointOptions, TimeStatistic, Weighting, area_mean_series, point_series,
    time_reduce_map,
};
use ocean_data::field::{Selection, WalkControl};
use serde_json::{Value, json};

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

#[test]
fn every_file_decodes_as_its_reference_reader() {
    let Some(folder) = folder() else { return };
    for case in cases(&folder, "io_digest") {
        let file = case["input"]["file"].as_str().unwrap();
        if !folder.join("data").join(file).exists() {
            continue;
        }
        let dataset = open(&folder, file);
        let store = dataset.store();
        for (name, expected) in case["expected"].as_object().unwrap() {
            let index = store.variables().iter().position(|v| &v.name == name);
            let index = index.unwrap_or_else(|| panic!("{file} has no {name}"));
            let stored = &store.variables()[index];
            let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
            let block = store.read(index, &Window::all(stored)).unwrap();
            let mut values: Vec<f64> = block.values.iter().copied().collect();
            packing.decode_all(values.iter_mut());
            let at = format!("{name} of {file}");
            assert_eq!(json!(stored.shape()), expected["shape"], "{at}");
            let valid: Vec<(usize, f64)> =
                values.iter().copied().enumerate().filter(|v| v.1.is_finite()).collect();
            assert_eq!(json!(valid.len()), expected["n_valid"], "{at}");
            if valid.is_empty() {
                continue;
            }
            let mean = valid.iter().map(|v| v.1).sum::<f64>() / valid.len() as f64;
            let min = valid.iter().map(|v| v.1).fold(f64::INFINITY, f64::min);
            let max = valid.iter().map(|v| v.1).fold(f64::NEG_INFINITY, f64::max);
            assert_near(&case, &format!("{name} mean"), mean, &expected["mean"]);
            assert_near(&case, &format!("{name} min"), min, &expected["min"]);
            assert_near(&case, &format!("{name} max"), max, &expected["max"]);
            for (key, found) in [("first_valid", valid.first()), ("last_valid", valid.last())] {
                let &(position, value) = found.unwrap();
                assert_eq!(json!(position), expected[key][0], "{at} {key}");
                assert_near(&case, &format!("{name} {key}"), value, &expected[key][1]);
            }
        }
    }
}

#[test]
fn times_decode_as_cftime_decodes_them() {
    let Some(folder) = folder() else { return };
    for case in cases(&folder, "time_decode") {
        let id = &case["id"];
        let calendar = Calendar::parse(case["params"]["calendar"].as_str().unwrap()).unwrap();
        if let Some(items) = case["expected"]["items"].as_array() {
            for item in items {
                let units = TimeUnits::parse(item["units"].as_str().unwrap(), calendar).unwrap();
                let value = item["value"].as_f64().unwrap();
                let date = units.decode(value).unwrap();
                assert_eq!(json!(date.to_string()), item["date"], "{id} {item}");
                assert_eq!(json!(calendar.day_of_year(&date).unwrap()), item["dayofyr"], "{id} {item}");
                assert!((units.encode(&date).unwrap() - value).abs() < 1e-9, "{id} {item}");
            }
            continue;
        }
        let file = case["input"]["file"].as_str().unwrap();
        let dataset = open(&folder, file);
        let store = dataset.store();
        let name = case["input"]["variable"].as_str().unwrap();
        let index = store.variables().iter().position(|v| v.name == name).unwrap();
        let stored = &store.variables()[index];
        let text = stored.attributes.get("units").and_then(Attribute::as_text).unwrap();
        let units = TimeUnits::parse(text, calendar).unwrap();
        let block = store.read(index, &Window::all(stored)).unwrap();
        let packing = Packing::from_attributes(&stored.attributes, stored.fill_value);
        let values: Vec<f64> =
            block.values.iter().map(|&v| packing.decode(v)).filter(|v| v.is_finite()).collect();
        let n = values.len();
        assert_eq!(json!(n), case["expected"]["n"], "{id}");
        let text_of = |at: usize| {
            let date = units.decode(values[at]).unwrap();
            date.to_string().split('.').next().unwrap().to_owned()
        };
        let got = json!([text_of(0), text_of(n / 2), text_of(n - 1)]);
        assert_eq!(got, case["expected"]["first_mid_last"], "{id}");
    }
}

#[test]
fn the_same_box_is_the_same_in_every_format() {
    let Some(folder) = folder() else { return };
    let case = &cases(&folder, "subset")[0];
    let files = [
        "cmems_like.nc",
        "cmems_like_packed.nc",
        "cmems_like_missing_value_nc3.nc",
        "cmems_like_nc3_64bit.nc",
        "cmems_like_cdf5.nc",
        "cmems_like_reversed.nc",
        "cmems_like_groups.nc",
        "cmems_like_v2.zarr",
        "cmems_like_v2_packed.zarr",
        "cmems_like_v3.zarr",
        "cmems_like_v3_sharded.zarr",
    ];
    let selection = Selection::from_json(&json!({
        "variable": "temperature", "region": {"lon": [-37, -33], "lat": [32, 35]},
        "depth": {"range": [0, 100]}, "time": ["2021-02-25", "2021-03-02"]}))
    .unwrap();
    for file in files {
        let field = open(&folder, file).select(&selection).unwrap_or_else(|error| panic!("{file}: {error}"));
        let field = field.with_units("degC").unwrap();
        assert_eq!(json!(field.shape()), case["expected"]["shape"], "{file}");
        let values = field.read(LIMIT).unwrap();
        let valid: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
        assert_eq!(json!(valid.len()), case["expected"]["n_valid"], "{file}");
        let mean = valid.iter().sum::<f64>() / valid.len() as f64;
        let variance = valid.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / valid.len() as f64;
        // The packed files hold thousandths and the reversed one single-precision kelvins.
        let slack = 2e-5;
        let wanted = |key: &str| case["expected"][key].as_f64().unwrap();
        assert!((mean - wanted("mean")).abs() < slack, "{file} mean {mean}");
        assert!((variance.sqrt() - wanted("std")).abs() < slack, "{file} std");
        let (lats, lons) = (&field.lats().unwrap().values, &field.lons().unwrap().values);
        assert!(lats.windows(2).all(|w| w[1] > w[0]) && lons.windows(2).all(|w| w[1] > w[0]), "{file}");
        assert!((lons[0] + 37.0).abs() < 1e-4, "{file} starts at {}", lons[0]);
        let depths = &field.depths().unwrap().values;
        assert!(depths.windows(2).all(|w| w[1] > w[0]) && depths[0] >= 0.0, "{file}");
    }
}

#[test]
fn reordered_copies_hold_the_same_numbers_cell_by_cell() {
    let Some(folder) = folder() else { return };
    let read = |file: &str| -> Array4<f64> {
        let selection = Selection::of("zos");
        open(&folder, file).select(&selection).unwrap().read(LIMIT).unwrap()
    };
    let base = read("cmems_like.nc");
    for file in
        ["cmems_like_reversed.nc", "cmems_like_v3.zarr", "cmems_like_v3_sharded.zarr", "cmems_like_cdf5.nc"]
    {
        let other = read(file);
        assert_eq!(base.dim(), other.dim(), "{file}");
        for (a, b) in base.iter().zip(&other) {
            assert!((a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-6, "{file}: {a} and {b}");
        }
    }
}

#[test]
fn copies_in_other_formats_have_one_identity() {
    let Some(folder) = folder() else { return };
    let identity = |file: &str| open(&folder, file).identity();
    assert_eq!(identity("cmems_like_v3.zarr"), identity("cmems_like_v3_sharded.zarr"));
    assert_eq!(identity("cmems_like_v3.zarr"), identity("cmems_like_v2.zarr"));
    assert_ne!(identity("cmems_like_v3.zarr"), identity("cmems_like_reversed.nc"));
    let fingerprint = |file: &str| open(&folder, file).fingerprint().unwrap();
    assert_ne!(fingerprint("cmems_like_v3.zarr"), fingerprint("cmems_like_v3_sharded.zarr"));
}

#[test]
fn a_box_across_greenwich_is_contiguous() {
    let Some(folder) = folder() else { return };
    let case = &cases(&folder, "subset")[1];
    let selection = Selection::from_json(&json!({
        "variable": "sst", "region": {"lon": [-20, 20], "lat": [-20, 20]}}))
    .unwrap();
    let field = open(&folder, "ersstv5_2010_2020.nc").select(&selection).unwrap();
    assert_eq!(json!(field.shape()), case["expected"]["shape"]);
    let lons = &field.lons().unwrap().values;
    assert_eq!((lons[0], lons[20]), (-20.0, 20.0));
    let values = field.read(LIMIT).unwrap();
    let valid: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    assert_eq!(json!(valid.len()), case["expected"]["n_valid"]);
    assert_near(case, "mean", valid.iter().sum::<f64>() / valid.len() as f64, &case["expected"]["mean"]);
    let first: Vec<f64> = values.iter().take(441).copied().filter(|v| v.is_finite()).collect();
    let mean = first.iter().sum::<f64>() / first.len() as f64;
    assert_near(case, "time0_mean", mean, &case["expected"]["time0_mean"]);
}

#[test]
fn area_means_agree_with_xarray() {
    let Some(folder) = folder() else { return };
    let options = AreaMeanOptions { weighting: Weighting::CosLat, ..AreaMeanOptions::default() };
    let mut seen = 0;
    for case in cases(&folder, "area_mean") {
        let input = &case["input"];
        if case["id"].as_str().is_some_and(|id| id.starts_with("cmems"))
            && case["expected"]["values"].is_array()
        {
            let dataset = open(&folder, input["file"].as_str().unwrap());
            let depth = dataset.coordinates().iter().find(|c| c.name == "depth").unwrap();
            let level = input["depth_index"].as_u64().map(|at| depth.values[usize::try_from(at).unwrap()]);
            let depth = level.map_or(json!("column"), |at| json!({ "at": at }));
            let selection =
                Selection::from_json(&json!({"variable": input["variable"], "depth": depth})).unwrap();
            let field = dataset.select(&selection).unwrap();
            let result = area_mean_series(&field, options, &WalkControl::default()).unwrap();
            let expected = case["expected"]["values"].as_array().unwrap();
            assert_eq!(result.mean.len(), expected.len(), "{}", case["id"]);
            for (got, wanted) in result.mean.iter().zip(expected) {
                assert_near(&case, "value", *got, wanted);
            }
            seen += 1;
            continue;
        }
        if case["tool"] != "area-weighted mean time series" {
            continue;
        }
        let pair = |key: &str, all: [f64; 2]| match input[key].as_array() {
            Some(pair) => json!(pair),
            None => json!(all),
        };
        let selection = Selection::from_json(&json!({
            "variable": input["variable"],
            "region": {"lon": pair("lon", [0.0, 360.0]), "lat": pair("lat", [-90.0, 90.0])}}))
        .unwrap();
        let field = open(&folder, input["file"].as_str().unwrap()).select(&selection).unwrap();
        let result = area_mean_series(&field, options, &WalkControl::default()).unwrap();
        let expected = &case["expected"];
        assert_eq!(json!(result.mean.len()), expected["n"], "{}", case["id"]);
        assert_eq!(json!(result.cells), expected["n_cells_box"], "{}", case["id"]);
        assert_eq!(json!(result.valid[0]), expected["n_valid_first"], "{}", case["id"]);
        assert_near(&case, "first", result.mean[0], &expected["first"]);
        assert_near(&case, "last", *result.mean.last().unwrap(), &expected["last"]);
        let mean = result.mean.iter().sum::<f64>() / result.mean.len() as f64;
        assert_near(&case, "mean", mean, &expected["mean"]);
        for (at, wanted) in expected["every_12th"].as_array().unwrap().iter().enumerate() {
            assert_near(&case, &format!("step {}", at * 12), result.mean[at * 12], wanted);
        }
        seen += 1;
    }
    assert!(seen >= 7, "{seen} cases");
}

#[test]
fn threads_do_not_change_a_digit() {
    let Some(folder) = folder() else { return };
    let dataset = open(&folder, "cmems_like_v3.zarr");
    let field = dataset.select(&Selection::of("temperature")).unwrap();
    let run = |threads: usize, memory_bytes: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let control = WalkControl { memory_bytes, ..WalkControl::default() };
            let mean = area_mean_series(&field, AreaMeanOptions::default(), &control).unwrap();
            let map = time_reduce_map(&field, TimeStatistic::Std, &WalkControl::default()).unwrap();
            let bits: Vec<u64> = mean.mean.iter().chain(map.values.iter()).map(|v| v.to_bits()).collect();
            (bits, mean.chunks, map.chunks)
        })
    };
    let one = run(1, 1 << 29);
    assert_eq!(one, run(4, 1 << 29));
    assert_eq!(one, run(3, 1 << 16));
    assert!(one.1.raw && one.1.chunks > 0);
}

#[test]
fn reductions_agree_with_the_array() {
    let Some(folder) = folder() else { return };
    let field = open(&folder, "cmems_like_reversed.nc").select(&Selection::of("zos")).unwrap();
    let values = field.read(LIMIT).unwrap();
    let map = time_reduce_map(&field, TimeStatistic::Mean, &WalkControl::default()).unwrap();
    let [times, _, rows, columns] = field.full_shape();
    for y in 0..rows {
        for x in 0..columns {
            let series: Vec<f64> =
                (0..times).map(|t| values[[t, 0, y, x]]).filter(|v| v.is_finite()).collect();
            assert_eq!(map.count[[y, x]], series.len() as u64);
            if !series.is_empty() {
                let mean = series.iter().sum::<f64>() / series.len() as f64;
                assert!((mean - map.values[[y, x]]).abs() < 1e-12);
            }
        }
    }
    let (lat, lon) = (field.lats().unwrap().values[7], field.lons().unwrap().values[9]);
    let options = PointOptions {
        lon: lon + 360.0,
        lat,
        method: PointMethod::Nearest,
        wet_only: false,
        max_distance_km: Some(1.0),
    };
    let series = point_series(&field, &options, &WalkControl::default()).unwrap();
    assert!(series.values.iter().enumerate().all(|(t, v)| v.to_bits() == values[[t, 0, 7, 9]].to_bits()));
    let linear = PointOptions { method: PointMethod::Linear, ..options };
    let same = point_series(&field, &linear, &WalkControl::default()).unwrap();
    assert!(same.values.iter().zip(&series.values).all(|(a, b)| (a - b).abs() < 1e-9 || a.is_nan()));
}

#[test]
fn every_dataset_of_the_folder_opens_and_describes_itself() {
    let Some(folder) = folder() else { return };
    for entry in std::fs::read_dir(folder.join("data")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if ![".nc", ".cdf", ".zarr"].iter().any(|end| name.ends_with(end)) {
            continue;
        }
        let description = open(&folder, &name).inspect();
        let text = serde_json::to_string(&description).unwrap();
        println!("{name}: {text}");
        for warning in &description.warnings {
            println!("  {warning}");
        }
    }
}
