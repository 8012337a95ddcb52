//! Tools of the family `data` on a small ocean, against numbers that are worked out here.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

#[expect(dead_code, reason = "other tests need the rest")]
mod fixture;
#[path = "fixture/grid.rs"]
#[expect(dead_code, reason = "the months are needed, the grid is not")]
mod grid;
#[path = "fixture/ocean.rs"]
mod ocean;

use fixture::{Bench, draft, number, values};
use leg_core::{Kind, ToolErrorKind};
use ocean_tools::Datasets;
use serde_json::{Value, json};

fn bench() -> Bench {
    Bench::over(Datasets::default().with_dataset("ocean", ocean::dataset()).unwrap())
}

fn all(variable: &str) -> Value {
    json!({ "variable": variable })
}

#[tokio::test]
async fn a_dataset_feeds_tools_that_take_two_fields() {
    let bench = bench();
    let (made, dataset) = bench
        .step("assemble_dataset", json!({"variables": {"temp": all("thetao"), "salt": all("so")}}))
        .await;
    assert_eq!(made.artifacts["result"].kind, Kind::Dataset);
    assert!(made.artifacts["result"].variables.is_empty(), "lazy fields stay lazy");
    let apart = bench.call("compute_density", json!({"temp": all("thetao"), "salt": all("so")})).await;
    for arguments in
        [json!({"data": dataset}), json!({"data": dataset, "temp_var": "temp", "salt_var": "salt"})]
    {
        let together = bench.call("compute_density", arguments).await;
        assert_eq!(
            together.artifacts["result"].encode().unwrap(),
            apart.artifacts["result"].encode().unwrap()
        );
    }
    let n2 = bench.call("compute_brunt_vaisala_frequency", json!({"dataset": dataset})).await;
    assert!(number(&n2, "mean") > 0.0);
    // Arrays that were computed are members too.
    let (_, temp) = bench.step("extract_4d_subset", json!({"data": all("thetao")})).await;
    let (_, mixed) =
        bench.step("assemble_dataset", json!({"variables": {"temp": temp, "salt": all("so")}})).await;
    let together = bench.call("compute_density", json!({"data": mixed})).await;
    assert_eq!(values(&together).len(), values(&apart).len());
    assert!((number(&together, "mean") - number(&apart, "mean")).abs() < 1e-9);
    let missing =
        bench.try_call("compute_density", json!({"data": mixed, "temp_var": "t"})).await.unwrap_err();
    assert!(missing.message.contains("salt, temp"), "{}", missing.message);
    let whole = bench.try_call("compute_spatial_field", json!({"data": mixed})).await.unwrap_err();
    assert!(whole.message.contains("one field is needed"), "{}", whole.message);
}

#[tokio::test]
async fn fields_that_do_not_fit_are_not_put_together() {
    let bench = bench();
    for (other, named) in [
        (json!({"variable": "so", "region": {"lon": [-40, -37], "lat": [30, 34]}}), "longitudes"),
        (json!({"variable": "so", "time": ["2001", "2001"]}), "times"),
        (json!({"variable": "so", "depth": {"range": [0, 100]}}), "depths"),
    ] {
        let arguments = json!({"variables": {"temp": all("thetao"), "salt": other}});
        let error = bench.try_call("assemble_dataset", arguments).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
        assert!(error.message.contains(&format!("their {named} differ")), "{}", error.message);
    }
}

#[tokio::test]
async fn the_part_of_a_column_is_the_one_that_was_asked_for() {
    let bench = bench();
    // Levels 5, 20, 50, 100, 200, 400 m; 4 levels wet in the fourth column, 3 fewer than all in the fifth.
    let whole = bench.call("extract_4d_subset", json!({"data": all("so")})).await;
    let at = |t: usize, z: usize, y: usize, x: usize| values(&whole)[((t * 6 + z) * 5 + y) * 6 + x];
    let ask = |more: Value| {
        let mut ask = json!({"data": all("so")});
        ask.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        ask
    };
    let surface = bench.call("select_vertical", ask(json!({"mode": "surface"}))).await;
    assert_eq!(values(&surface).len(), 24 * 5 * 6);
    assert_eq!(values(&surface)[0].to_bits(), at(0, 0, 0, 0).to_bits());
    assert!((number(&surface, "level_depth") - 5.0).abs() < 1e-12);
    let linear = bench
        .call("select_vertical", ask(json!({"mode": "fixed_depth", "depth_value": 60, "method": "linear"})))
        .await;
    assert!((values(&linear)[0] - (0.8 * at(0, 2, 0, 0) + 0.2 * at(0, 3, 0, 0))).abs() < 1e-12);
    let layer = bench
        .call(
            "select_vertical",
            ask(json!({"mode": "depth_range", "depth_range": [0, 50], "aggregation": "mean"})),
        )
        .await;
    // Bounds 12.5, 35, 75: 12.5 m, 22.5 m and 15 m of the first three levels.
    let mean = (12.5 * at(0, 0, 0, 0) + 22.5 * at(0, 1, 0, 0) + 15.0 * at(0, 2, 0, 0)) / 50.0;
    let first = draft(&layer, "n").value.clone();
    assert!(first.as_u64().unwrap() > 0);
    assert!((values(&layer)[0] - mean).abs() < 1e-9, "{} {mean}", values(&layer)[0]);
    let bottom = bench.call("select_vertical", ask(json!({"mode": "bottom"}))).await;
    for (x, level) in [(0, 5), (3, 4), (4, 2)] {
        assert_eq!(values(&bottom)[x].to_bits(), at(0, level, 0, x).to_bits());
        let depths = &bottom.artifacts["result"].variables[1];
        assert!((depths.values[x] - [5.0, 20.0, 50.0, 100.0, 200.0, 400.0][level]).abs() < 1e-12);
    }
    assert!(values(&bottom)[5].is_nan(), "land has no bottom");
    let band =
        bench.call("select_vertical", ask(json!({"mode": "bottom_band", "band_thickness_m": 20}))).await;
    // The fifth column ends at 75 m: 55 to 75 m are within the level at 50 m.
    assert!((values(&band)[4] - at(0, 2, 0, 4)).abs() < 1e-12);
    let error = bench.try_call("select_vertical", ask(json!({"mode": "fixed_depth"}))).await.unwrap_err();
    assert!(error.message.contains("depth_value"), "{}", error.message);
}

#[tokio::test]
async fn depths_are_inferred_or_stated_and_it_is_said_which() {
    let bench = bench();
    let ask = json!({"reference": all("thetao"), "isobath_depth": 150, "comparison": "shallower_or_equal"});
    let mask = bench.call("build_isobath_mask", ask).await;
    // Floors: 500 m, 500 m, 500 m, 300 m, 75 m, land.
    let expected = [0.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(values(&mask)[..5], expected);
    assert!(values(&mask)[5].is_nan());
    assert!((number(&mask, "fraction") - 0.2).abs() < 1e-12);
    assert!(mask.notes.iter().any(|note| note.contains("deepest level")), "{:?}", mask.notes);
}

#[tokio::test]
async fn distances_are_great_circles_to_the_nearest_land() {
    let bench = bench();
    let coast =
        bench.call("compute_distance_to_coast", json!({"reference": all("thetao"), "sign": true})).await;
    // Land is the column at 35 W; the nearest cell is on the same parallel only near the equator.
    let radians = std::f64::consts::PI / 180.0;
    let away = |y: usize, x: usize| {
        (0..5)
            .map(|row| {
                let (a, b) = ((30.0 + y as f64) * radians, (30.0 + f64::from(row)) * radians);
                let half = ((a - b) / 2.0).sin().powi(2)
                    + a.cos() * b.cos() * ((5.0 - x as f64) * radians / 2.0).sin().powi(2);
                2.0 * 6371.0 * half.sqrt().asin()
            })
            .fold(f64::INFINITY, f64::min)
    };
    for (y, x) in [(0, 0), (2, 3), (4, 4)] {
        assert!((values(&coast)[y * 6 + x] - away(y, x)).abs() < 1e-6);
    }
    assert!((values(&coast)[5] + away(0, 4)).abs() < 30.0 && values(&coast)[5] < 0.0);
}

#[tokio::test]
async fn a_record_cut_in_two_is_joined_again() {
    let bench = bench();
    let part = |from: &str, to: &str| json!({"variable": "thetao", "time": [from, to]});
    let joined = bench
        .call("concat_time", json!({"fields": [part("2001-01", "2001-12"), part("2000-01", "2000-12")]}))
        .await;
    let whole = bench.call("extract_4d_subset", json!({"data": all("thetao")})).await;
    let bits =
        |output: &leg_core::ToolOutput| values(output).iter().map(|own| own.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&joined), bits(&whole));
    let twice = json!({"fields": [part("2000-01", "2000-12"), part("2000-12", "2001-03")]});
    let error = bench.try_call("concat_time", twice.clone()).await.unwrap_err();
    assert!(error.message.contains("both have 2000-12-01"), "{}", error.message);
    let mut allowed = twice;
    allowed["duplicates"] = json!("first");
    let joined = bench.call("concat_time", allowed).await;
    assert!(
        (number(&joined, "n_duplicates") - 1.0).abs() < 1e-12
            && (number(&joined, "n_times") - 15.0).abs() < 1e-12
    );
    let gap = bench
        .call("concat_time", json!({"fields": [part("2000-01", "2000-03"), part("2000-09", "2000-12")]}))
        .await;
    assert!((number(&gap, "n_gaps") - 1.0).abs() < 1e-12);
}

#[tokio::test]
async fn the_missing_value_is_filled_and_its_error_is_known() {
    let bench = bench();
    let filled = bench.call("fill_gaps", json!({"data": all("thetao")})).await;
    assert!((number(&filled, "n_filled") - 1.0).abs() < 1e-12);
    let whole = bench.call("extract_4d_subset", json!({"data": all("thetao")})).await;
    let index = |t: usize| ((t * 6 + 1) * 5 + 2) * 6 + 2;
    let expected = f64::midpoint(values(&whole)[index(4)], values(&whole)[index(6)]);
    assert!((values(&filled)[index(5)] - expected).abs() < 1e-12);
    assert!(number(&filled, "rms_error") < 0.5);
    let modes = bench.call("fill_gaps", json!({"data": all("thetao"), "method": "dineof"})).await;
    // The record has two modes: a mean and a season.
    assert!(number(&modes, "rms_error") < 0.05, "{}", number(&modes, "rms_error"));
}

#[tokio::test]
async fn a_region_has_the_mean_of_its_volume_and_the_median_of_its_cells() {
    let bench = bench();
    let volume = bench.call("compute_volume_weighted_mean", json!({"data": all("thetao")})).await;
    let regional = bench.call("extract_regional_mean", json!({"data": all("thetao")})).await;
    for (a, b) in values(&volume).iter().zip(values(&regional)) {
        assert!((a - b).abs() < 1e-9);
    }
    let surface = json!({"variable": "thetao", "depth": "surface"});
    let equal = bench
        .call(
            "extract_timeseries",
            json!({"data": surface, "spatial_aggregation": "median", "weighting": "equal"}),
        )
        .await;
    let field = bench.call("extract_4d_subset", json!({"data": surface})).await;
    let mut cells: Vec<f64> = values(&field)[..30].iter().copied().filter(|own| !own.is_nan()).collect();
    cells.sort_by(f64::total_cmp);
    assert_eq!(cells.len(), 25);
    assert!((values(&equal)[0] - cells[12]).abs() < 1e-12);
    let point = bench.call("extract_timeseries", json!({"data": surface, "lon": 322.2, "lat": 31.4})).await;
    assert_eq!(values(&point)[0].to_bits(), values(&field)[6 + 2].to_bits());
    let error = bench.try_call("extract_timeseries", json!({"data": surface, "lon": 3})).await.unwrap_err();
    assert!(error.message.contains("lon and lat"), "{}", error.message);
}

#[tokio::test]
async fn observations_meet_the_field_at_their_place_depth_and_time() {
    let bench = bench();
    let whole = bench.call("extract_4d_subset", json!({"data": all("thetao")})).await;
    let at = |t: usize, z: usize, y: usize, x: usize| values(&whole)[((t * 6 + z) * 5 + y) * 6 + x];
    let rows = json!([
        // 35 m is half-way between 20 and 50 m; the place is nearest the cell at 38 W, 31 N.
        [322.1, 31.05, 35.0, "2000-03-01T06:00:00Z", 285.0],
        // On land: the nearest wet cell, at 36 W, is 56 km away.
        [-35.4, 32.0, 5.0, "2000-03-01T00:00:00Z", 290.0],
        [-38.0, 31.0, 5.0, "2000-03-20T00:00:00Z", 290.0],
        [-38.0, 31.0, 900.0, "2000-03-01T00:00:00Z", 290.0],
        [-38.0, 31.0, 5.0, "2000-03-01T00:00:00Z", null]
    ]);
    let table = leg_core::Artifact::document(
        Kind::Table,
        "bottles",
        json!({"columns": ["lon", "lat", "depth", "time", "temp"], "units": ["", "", "m", "", "K"], "rows": rows}),
    );
    let ask = json!({"data": all("thetao"), "observations": bench.keep(&table)});
    let (matched, pairs) = bench.step("match_observations", ask).await;
    for (name, n) in [
        ("n_observations", 4.0),
        ("n_matched", 1.0),
        ("n_too_far", 1.0),
        ("n_no_time", 1.0),
        ("n_no_depth", 1.0),
    ] {
        assert!((number(&matched, name) - n).abs() < 1e-12, "{name}");
    }
    let row = matched.artifacts["result"].content["rows"][0].clone();
    let expected = f64::midpoint(at(2, 1, 1, 2), at(2, 2, 1, 2));
    assert!((row[5].as_f64().unwrap() - expected).abs() < 1e-12);
    assert!((row[4].as_f64().unwrap() - 11.85).abs() < 1e-9, "kelvins become degrees");
    assert!((row[7].as_f64().unwrap() + 6.0).abs() < 1e-12);
    assert!(
        bench.try_call("compute_skill_metrics", json!({"pairs": pairs})).await.is_err(),
        "one pair is none"
    );
    // A field against itself is perfect, and grouped by depth too.
    let ask = json!({"data": all("thetao"), "observations": {"variable": "thetao", "time": ["2001-02", "2001-02"]}});
    let (_, pairs) = bench.step("match_observations", ask).await;
    let skill = bench.call("compute_skill_metrics", json!({"pairs": pairs, "group_by": "depth"})).await;
    assert!(number(&skill, "rmse").abs() < 1e-12 && (number(&skill, "n_groups") - 6.0).abs() < 1e-12);
    let error = bench
        .try_call(
            "compute_skill_metrics",
            json!({"model": all("thetao"), "observed": {"variable": "thetao", "region": {"lon": [-40, -36], "lat": [30, 34]}}}),
        )
        .await
        .unwrap_err();
    assert!(error.message.contains("different longitudes"), "{}", error.message);
}

/// What an exported file holds by xarray: shapes, sums and attributes, as one line of JSON.
const PEER: &str = r#"
import json, sys, xarray, numpy
d = xarray.open_dataset(sys.argv[1])
out = {"convention": d.attrs["Conventions"], "history": d.attrs["history"]}
for name, v in d.data_vars.items():
    out[name] = {"dims": list(v.dims), "shape": list(v.shape), "units": v.attrs.get("units"),
                 "standard_name": v.attrs.get("standard_name"), "sum": float(v.sum()), "n": int(v.count())}
out["time"] = [str(t)[:10] for t in d["time"].values[:2]]
out["depth"] = [float(z) for z in d["depth"].values]
out["bounds"] = d["depth"].attrs.get("bounds")
print(json.dumps(out))
"#;

#[tokio::test]
async fn an_exported_file_is_read_by_us_and_by_xarray() {
    let bench = bench();
    let (_, dataset) = bench
        .step("assemble_dataset", json!({"variables": {"temp": all("thetao"), "salt": all("so")}}))
        .await;
    let written = bench.call("export_netcdf", json!({"artifact": dataset})).await;
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("out.nc");
    std::fs::write(&path, &written.artifacts["result"].payload).unwrap();
    let again = Bench::over(Datasets::from_flags(&[format!("ocean={}", path.display())]).unwrap());
    let wanted = bench.call("extract_4d_subset", json!({"data": all("thetao")})).await;
    let found = again.call("extract_4d_subset", json!({"data": all("temp")})).await;
    let bits =
        |output: &leg_core::ToolOutput| values(output).iter().map(|own| own.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&found), bits(&wanted));
    assert_eq!(found.artifacts["result"].coords, wanted.artifacts["result"].coords);
    let Some(python) = std::env::var_os("LEG_PEER_PYTHON") else {
        return;
    };
    let ended = std::process::Command::new(python).arg("-c").arg(PEER).arg(&path).output().unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let peer: Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(peer["convention"], "CF-1.11");
    assert!(peer["history"].as_str().unwrap().contains("b3:"));
    assert_eq!(peer["temp"]["dims"], json!(["time", "depth", "lat", "lon"]));
    assert_eq!(peer["temp"]["shape"], json!([24, 6, 5, 6]));
    assert_eq!(peer["temp"]["units"], "degC");
    assert_eq!(peer["temp"]["standard_name"], "sea_water_potential_temperature");
    let present: Vec<f64> = values(&wanted).iter().copied().filter(|own| !own.is_nan()).collect();
    assert_eq!(peer["temp"]["n"], json!(present.len()));
    assert!((peer["temp"]["sum"].as_f64().unwrap() - present.iter().sum::<f64>()).abs() < 1e-8);
    assert_eq!(peer["time"], json!(["2000-01-01", "2000-02-01"]));
    assert_eq!(peer["depth"], json!([5.0, 20.0, 50.0, 100.0, 200.0, 400.0]));
}
