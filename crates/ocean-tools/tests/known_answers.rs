//! Answers that other packages gave for real data (xarray, scipy, pymannkendall).
//!
//! The data and the answers are not part of the project: `LEG_CONFORMANCE` names the folder that has them, with
//! `data/` and `reference/`. Without it each test says that it was skipped.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and says when it was skipped"
)]

mod fixture;

use std::path::PathBuf;

use fixture::{Bench, draft, number, values, when};
use leg_core::{Artifact, Coord, Kind, ToolOutput, Variable};
use ocean_tools::kernels::climatology::{Climatology, Cycle};
use ocean_tools::kernels::resample::{Frequency, Reduction, resample};
use ocean_tools::kernels::time_axis::TimeAxis;
use serde_json::{Value, json};

fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("LEG_CONFORMANCE").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: LEG_CONFORMANCE does not name the folder with data/ and reference/");
    }
    folder
}

fn cases(folder: &std::path::Path, family: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(folder.join(format!("reference/{family}.json"))).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    document["cases"].as_array().unwrap().clone()
}

/// A bench over the file of a case.
fn bench(folder: &std::path::Path, case: &Value) -> Bench {
    let file = case["input"]["file"].as_str().unwrap();
    Bench::new(&[format!("data={}", folder.join("data").join(file).display())])
}

/// The selection of a case.
fn selection(case: &Value) -> Value {
    let input = &case["input"];
    let mut selection = json!({"variable": input["variable"]});
    if !input["lat"].is_null() || !input["lon"].is_null() {
        let whole = |value: &Value, all: Value| if value.is_null() { all } else { value.clone() };
        selection["region"] = json!({"lon": whole(&input["lon"], json!([0, 360])), "lat": whole(&input["lat"], json!([-90, 90]))});
    }
    selection
}

/// Whether a number is the expected one within the tolerance of the case, or that of its key.
#[track_caller]
fn close(case: &Value, key: &str, found: f64, expected: &Value) {
    let own = &case["tolerance"]["per_key"][key];
    let tolerance =
        |name: &str| own[name].as_f64().or_else(|| case["tolerance"][name].as_f64()).unwrap_or(0.0);
    let wanted = expected.as_f64().unwrap_or_else(|| panic!("{}: {key} is {expected}", case["id"]));
    let limit = tolerance("atol") + tolerance("rtol") * wanted.abs();
    assert!((found - wanted).abs() <= limit, "{}: {key} is {found}, expected {wanted} ± {limit}", case["id"]);
}

#[track_caller]
fn all_close(case: &Value, key: &str, found: impl IntoIterator<Item = f64>, expected: &Value) {
    let expected = expected.as_array().unwrap();
    let found: Vec<f64> = found.into_iter().collect();
    assert!(found.len() >= expected.len(), "{}: {key} has {} values", case["id"], found.len());
    for (found, expected) in found.into_iter().zip(expected) {
        close(case, key, found, expected);
    }
}

#[tokio::test]
async fn area_means() {
    let Some(folder) = folder() else { return };
    let mut tested = 0;
    for case in cases(&folder, "area_mean") {
        let expected = &case["expected"];
        match case["tool"].as_str().unwrap() {
            "area-weighted mean time series" if case["input"]["depth_index"].is_null() => {
                for weighting in ["cos_lat", "area"] {
                    let output = bench(&folder, &case)
                        .call(
                            "compute_area_weighted_mean",
                            json!({"data": selection(&case), "weighting": weighting}),
                        )
                        .await;
                    for key in ["first", "last", "mean", "min", "max"] {
                        close(&case, key, number(&output, key), &expected[key]);
                    }
                    assert_eq!(draft(&output, "n").value, expected["n"]);
                    let at = |key: &str| json!(format!("/values/{}", expected[key]));
                    assert_eq!(json!(draft(&output, "min").pointer), at("argmin"));
                    assert_eq!(json!(draft(&output, "max").pointer), at("argmax"));
                    all_close(
                        &case,
                        "every_12th",
                        values(&output).iter().copied().step_by(12),
                        &expected["every_12th"],
                    );
                    let count = &output.artifacts["result"].variable("count").unwrap().values;
                    close(&case, "n_valid_first", count[0], &expected["n_valid_first"]);
                    tested += 1;
                }
            }
            "area-weighted mean time series" => {
                let level = case["input"]["depth_index"].as_u64().unwrap();
                let mut data = selection(&case);
                data["depth"] = if level == 0 { json!("surface") } else { json!({"at": 78}) };
                let output =
                    bench(&folder, &case).call("compute_area_weighted_mean", json!({"data": data})).await;
                all_close(&case, "values", values(&output).iter().copied(), &expected["values"]);
                tested += 1;
            }
            "volume-weighted mean" => {
                let mut data = selection(&case);
                data["depth"] = json!("column");
                let output =
                    bench(&folder, &case).call("compute_area_weighted_mean", json!({"data": data})).await;
                all_close(&case, "values", values(&output).iter().copied(), &expected["values"]);
                tested += 1;
            }
            // Statistics of one map: the mean and the extremes are evidence of a map.
            "area-weighted spatial statistics" => {
                let mut arguments = json!({"data": selection(&case)});
                let bench = bench(&folder, &case);
                let info = bench.call("get_dataset_info", json!({})).await;
                let from = draft(&info, "from").value.as_str().unwrap().to_owned();
                arguments["time"] = json!([from, from]);
                let output = bench.call("compute_spatial_field", arguments).await;
                for key in ["mean", "min", "max"] {
                    close(&case, key, number(&output, key), &expected[key]);
                }
                tested += 1;
            }
            _ => {}
        }
    }
    assert!(tested >= 15, "only {tested} cases were tested");
}

fn check_episodes(case: &Value, output: &ToolOutput) {
    let found = output.artifacts["result"].attributes["episodes"].as_array().unwrap();
    let expected = case["expected"]["events"].as_array().unwrap();
    assert_eq!(found.len(), expected.len(), "{}", case["id"]);
    for (found, expected) in found.iter().zip(expected) {
        for key in ["kind", "start", "end", "months", "peak"] {
            assert_eq!(found[key], expected[key], "{}: {key}", case["id"]);
        }
        close(case, "peak_value", found["peak_value"].as_f64().unwrap(), &expected["peak_value"]);
    }
}

#[tokio::test]
async fn climate_indices() {
    let Some(folder) = folder() else { return };
    for case in cases(&folder, "climate_index").iter().filter(|case| !case["input"]["variable"].is_null()) {
        let expected = &case["expected"];
        let id = case["id"].as_str().unwrap();
        let index =
            ["nino34", "nino3", "nino4"].into_iter().find(|name| id.contains(&format!("_{name}_"))).unwrap();
        for weighting in ["area", "cos_lat"] {
            let arguments = json!({
                "sst": {"variable": "sst"}, "index": index, "baseline": case["params"]["baseline"], "weighting": weighting,
            });
            let output = bench(&folder, case).call("compute_climate_index", arguments).await;
            let climatology = &output.artifacts["result"].attributes["climatology"];
            let months = climatology.as_array().unwrap().iter().map(|value| value.as_f64().unwrap());
            all_close(case, "climatology", months, &expected["climatology_jan_to_dec"]);
            for (key, name) in [("anomaly_max", "max"), ("anomaly_min", "min")] {
                close(case, key, number(&output, name), &expected[key]["value"]);
                assert_eq!(when(&output, name), expected[key]["month"], "{id}");
            }
            close(case, "std", number(&output, "std"), &expected["anomaly_std_ddof1"]);
            all_close(
                case,
                "every_24th",
                values(&output).iter().copied().step_by(24),
                &expected["every_24th"],
            );
            check_episodes(case, &output);
        }
    }
}

/// A monthly series of a column of a CSV file.
fn csv_series(folder: &std::path::Path, file: &str, column: &str) -> (Vec<String>, Vec<f64>) {
    let text = std::fs::read_to_string(folder.join("data").join(file)).unwrap();
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = header.iter().position(|name| *name == column).unwrap();
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[0].replace(' ', "T"), cells[at].parse().unwrap_or(f64::NAN))
        })
        .unzip()
}

fn series_artifact(times: &[String], values: Vec<f64>) -> Artifact {
    let variable = Variable {
        name: "x".into(),
        standard_name: None,
        units: "degC".into(),
        dims: vec!["time".into()],
        shape: vec![values.len()],
        values,
    };
    Artifact::array(Kind::Series, "x", variable).with_coord("time", Coord::texts(times.to_vec()))
}

#[tokio::test]
async fn anomalies_of_published_series() {
    let Some(folder) = folder() else { return };
    let bench = Bench::new::<&str>(&[]);
    for case in cases(&folder, "climate_index").iter().filter(|case| !case["input"]["column"].is_null()) {
        let expected = &case["expected"];
        let column = case["input"]["column"].as_str().unwrap();
        let (times, own) = csv_series(&folder, "cpc_nino_indices.csv", column);
        let series = bench.keep(&series_artifact(&times, own));
        let baseline = &case["params"]["baseline"];
        let (climatology, reference) =
            bench.step("compute_climatology", json!({"timeseries": series, "baseline": baseline})).await;
        all_close(
            case,
            "climatology",
            values(&climatology).iter().copied(),
            &expected["climatology_jan_to_dec"],
        );
        let output =
            bench.call("compute_anomaly", json!({"timeseries": series, "climatology": reference})).await;
        for (key, name) in [("anomaly_max", "max"), ("anomaly_min", "min")] {
            close(case, key, number(&output, name), &expected[key]["value"]);
            assert_eq!(when(&output, name), expected[key]["month"]);
            assert_eq!(draft(&output, name).baseline.as_deref(), Some("1991-01/2020-12"));
        }
        close(case, "std", number(&output, "std"), &expected["std_ddof1"]);
    }
}

#[tokio::test]
async fn climatologies() {
    let Some(folder) = folder() else { return };
    let all = cases(&folder, "climatology");
    let case = |id: &str| all.iter().find(|case| case["id"] == id).unwrap();
    let monthly = case("ersst_monthly");
    let bench = bench(&folder, monthly);
    let data = json!({"variable": "sst"});
    let everything = json!(["2010-01", "2020-08"]);
    // The reference's means over the globe are not weighted.
    let (_, globe) =
        bench.step("compute_area_weighted_mean", json!({"data": data, "weighting": "equal"})).await;
    let output =
        bench.call("compute_climatology", json!({"timeseries": globe, "baseline": everything})).await;
    all_close(monthly, "month_means", values(&output).iter().copied(), &monthly["expected"]["month_means"]);
    let (point, series) =
        bench.step("extract_point_timeseries", json!({"data": data, "lon": 200, "lat": 0})).await;
    assert!(number(&point, "distance") < 1e-6);
    let output =
        bench.call("compute_climatology", json!({"timeseries": series, "baseline": everything})).await;
    let expected = &monthly["expected"]["point"];
    all_close(monthly, "point", values(&output).iter().copied(), &expected["values"]);
    let std = &output.artifacts["result"].variable("std").unwrap().values;
    all_close(monthly, "std", std.iter().copied(), &expected["std_ddof1"]);
    let seasonal = case("ersst_seasonal");
    let arguments = json!({"timeseries": globe, "baseline": everything, "period": "seasonal"});
    let output = bench.call("compute_climatology", arguments).await;
    for (value, season) in values(&output).iter().zip(["DJF", "MAM", "JJA", "SON"]) {
        close(seasonal, season, *value, &seasonal["expected"][season]);
    }
    let resampled = case("ersst_resample");
    let expected = &resampled["expected"];
    let seasons = bench
        .call("resample_timeseries", json!({"timeseries": globe, "freq": "QS-DEC", "min_coverage": 0}))
        .await;
    assert_eq!(json!(values(&seasons).len()), expected["n_seasons"]);
    assert!(seasons.artifacts["result"].coords["time"].values[0].as_str().unwrap().starts_with("2009-12-01"));
    all_close(resampled, "season_means", values(&seasons).iter().copied(), &expected["season_means"]);
    let years = bench
        .call("resample_timeseries", json!({"timeseries": globe, "freq": "YS", "min_coverage": 0}))
        .await;
    all_close(resampled, "year_means", values(&years).iter().copied(), &expected["year_means"]);
}

#[tokio::test]
async fn resampling() {
    let Some(folder) = folder() else { return };
    for case in cases(&folder, "resample") {
        let expected = &case["expected"];
        let (times, own, calendar) = if let Some(column) = case["input"]["column"].as_str() {
            let (times, own) = csv_series(&folder, case["input"]["file"].as_str().unwrap(), column);
            (times, own, ocean_data::cf::Calendar::Standard)
        } else {
            let (output, _) = bench(&folder, &case)
                .step("compute_area_weighted_mean", json!({"data": selection(&case)}))
                .await;
            let artifact = &output.artifacts["result"];
            let time = &artifact.coords["time"];
            let texts = time.values.iter().map(|text| text.as_str().unwrap().to_owned()).collect();
            let calendar = time.calendar.as_deref().unwrap_or("standard");
            (texts, values(&output).to_vec(), ocean_data::cf::Calendar::parse(calendar).unwrap())
        };
        let axis = TimeAxis::parse(calendar, &times).unwrap();
        let run = |frequency, reduction| resample(&axis, &own, frequency, reduction, 0.0).unwrap();
        let month = run(Frequency::Month, Reduction::Mean);
        let season = run(Frequency::Season, Reduction::Mean);
        let year = run(Frequency::Year, Reduction::Mean);
        for (key, found) in [
            ("month_first6", &month.values),
            ("month_first12", &month.values),
            ("season", &season.values),
            ("season_first6", &season.values),
            ("year", &year.values),
            ("year_all", &year.values),
            ("first5", &year.values),
        ] {
            if !expected[key].is_null() {
                all_close(&case, key, found.iter().copied(), &expected[key]);
            }
        }
        if !expected["n_months"].is_null() {
            assert_eq!(json!(month.values.len()), expected["n_months"], "{}", case["id"]);
            let highest = run(Frequency::Year, Reduction::Max);
            if !expected["year_max"].is_null() {
                all_close(&case, "year_max", highest.values.iter().copied(), &expected["year_max"]);
                let dates: Vec<String> = highest.at.iter().map(|at| axis.label(at.unwrap())).collect();
                assert_eq!(json!(dates), expected["date_of_year_max"]);
            }
        }
        if !expected["n_weeks"].is_null() {
            let week = run(Frequency::Week, Reduction::Mean);
            assert_eq!(json!(week.values.len()), expected["n_weeks"], "{}", case["id"]);
            all_close(&case, "week_first4", week.values.iter().copied(), &expected["week_first4"]);
            let counts = month.count.iter().map(|&n| n as f64);
            all_close(&case, "month_counts_first6", counts, &expected["month_counts_first6"]);
            let highest = run(Frequency::Month, Reduction::Max);
            all_close(
                &case,
                "month_max_first6",
                highest.values.iter().copied(),
                &expected["month_max_first6"],
            );
            let starts: Vec<String> =
                season.axis.times().iter().take(4).map(ocean_data::cf::DateTime::date).collect();
            assert_eq!(json!(starts), expected["season_starts"]);
            let cycle = Climatology::of(Cycle::Monthly, &axis, &own, &vec![true; own.len()]);
            all_close(&case, "climatology_month", cycle.mean, &expected["climatology_month"]);
        }
        if !expected["last5"].is_null() {
            assert_eq!(json!(year.values.len()), expected["n"]);
            let last = year.values[year.values.len() - 5..].iter().copied();
            all_close(&case, "last5", last, &expected["last5"]);
        }
    }
}

/// The series that the trend of a case is of.
async fn trend_series(bench: &Bench, case: &Value) -> Value {
    let input = &case["input"];
    if input["lat_point"].is_number() {
        let arguments =
            json!({"data": {"variable": "sst"}, "lat": input["lat_point"], "lon": input["lon_point"]});
        return bench.step("extract_point_timeseries", arguments).await.1;
    }
    let (_, monthly) = bench
        .step("compute_area_weighted_mean", json!({"data": selection(case), "weighting": "cos_lat"}))
        .await;
    bench.step("resample_timeseries", json!({"timeseries": monthly, "freq": "YS"})).await.1
}

#[tokio::test]
async fn trends() {
    let Some(folder) = folder() else { return };
    let mut tested = 0;
    for case in cases(&folder, "trend") {
        let expected = &case["expected"];
        let tool = case["tool"].as_str().unwrap();
        if tool != "linear trend with significance" && tool != "Mann-Kendall test and Sen slope" {
            continue;
        }
        let bench = bench(&folder, &case);
        let series = trend_series(&bench, &case).await;
        let call = |method: &'static str, autocorrelation: &'static str| {
            let arguments = json!({
                "timeseries": series, "method": method, "autocorrelation": autocorrelation, "per": "year",
                "deseasonalise": false,
            });
            let bench = &bench;
            async move { bench.call("compute_trend", arguments).await }
        };
        let content =
            |output: &ToolOutput, key: &str| output.artifacts["result"].content[key].as_f64().unwrap();
        if tool == "linear trend with significance" {
            let plain = call("linear", "none").await;
            for (key, own) in [("slope", "slope"), ("p", "p_value"), ("stderr", "stderr"), ("r", "r")] {
                close(&case, key, content(&plain, own), &expected[key]);
            }
            let adjusted = call("linear", "ar1").await;
            for (key, own) in [
                ("lag1_residual_autocorr", "r1"),
                ("n_eff", "n_eff"),
                ("stderr_adjusted", "stderr"),
                ("p_adjusted", "p_value"),
            ] {
                close(&case, key, content(&adjusted, own), &expected[key]);
            }
            let robust = call("theil_sen", "none").await;
            for (key, own) in [("slope", "slope"), ("low", "ci_low"), ("high", "ci_high")] {
                close(&case, key, content(&robust, own), &expected["theil_sen"][key]);
            }
        } else {
            for (name, autocorrelation) in [("original_test", "none"), ("hamed_rao_modification_test", "ar1")]
            {
                let output = call("theil_sen", autocorrelation).await;
                close(&case, "p", content(&output, "p_value"), &expected[name]["p"]);
                close(&case, "slope", content(&output, "slope"), &expected[name]["slope"]);
                close(&case, "tau", content(&output, "tau"), &expected[name]["tau"]);
            }
        }
        tested += 1;
    }
    assert!(tested >= 5, "only {tested} cases were tested");
}
