//! Selections and reductions of real files.

use ndarray::Array4;
use ocean_data::dataset::{Dataset, Window, kerchunk_references};
use ocean_data::field::reduce::{
    AreaMeanOptions, PointMethod, PointOptions, TimeStatistic, Weighting, area_mean_series, point_series,
    time_reduce_map,
};
use ocean_data::field::{Selection, WalkControl};
use serde_json::json;

use super::{LIMIT, assert_near, cases, folder, open};

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
fn files_of_two_years_and_of_two_months_are_joined() {
    let Some(folder) = folder() else { return };
    let list =
        |names: [&str; 2]| names.map(|name| folder.join("data").join(name).display().to_string()).join(",");
    let years = Dataset::open(&list(["cobe_sst_1998.nc", "cobe_sst_1997.nc"])).unwrap();
    let joined = years.select(&Selection::of("sst")).unwrap().read(LIMIT).unwrap();
    let one = open(&folder, "cobe_sst_1998.nc").select(&Selection::of("sst")).unwrap().read(LIMIT).unwrap();
    assert_eq!(joined.dim(), (24, 1, 180, 360));
    let later = joined.slice_axis(ndarray::Axis(0), ndarray::Slice::from(12..));
    assert!(later.iter().zip(&one).all(|(a, b)| a.to_bits() == b.to_bits()));
    // The dimension of these has no times; another variable along it has them.
    let months = Dataset::open(&list(["nemo_tos_201501.nc", "nemo_tos_201502.nc"])).unwrap();
    let times = &months.times()[0];
    assert_eq!((times.name.as_str(), times.dates.len()), ("time_centered", 2));
}

#[test]
fn references_to_a_file_give_what_the_file_gives() {
    let Some(folder) = folder() else { return };
    let home = tempfile::tempdir().unwrap();
    for file in [
        "cmems_like.nc",
        "cmems_like_packed.nc",
        "cmems_like_groups.nc",
        "cmems_like_filters.nc",
        "cmems_like_nc3_64bit.nc",
        "cmems_like_cdf5.nc",
        "ersstv5_2010_2020.nc",
        "duacs_global_20190223.nc",
    ] {
        let path = folder.join("data").join(file);
        let references = kerchunk_references(&path, &path.display().to_string()).unwrap();
        let target = home.path().join(format!("{file}.json"));
        std::fs::write(&target, references.to_string()).unwrap();
        let made =
            Dataset::open(&target.display().to_string()).unwrap_or_else(|error| panic!("{file}: {error}"));
        let own = open(&folder, file);
        assert_eq!(made.identity(), own.identity(), "{file}");
        let mut seen = 0;
        for variable in own.variables() {
            let stored = |dataset: &Dataset| {
                let found = dataset.store().variables().iter().position(|v| v.name == variable.name).unwrap();
                let window = Window::all(&dataset.store().variables()[found]);
                dataset.store().read(found, &window).unwrap()
            };
            let (ours, theirs) = (stored(&own), stored(&made));
            assert!(
                ours.values.iter().zip(&theirs.values).all(|(a, b)| a.to_bits() == b.to_bits()),
                "{file}"
            );
            assert!(ours.chunks.iter().all(|chunk| chunk.raw), "{file} {}", variable.name);
            seen += 1;
        }
        assert!(seen > 0, "{file}");
    }
}
