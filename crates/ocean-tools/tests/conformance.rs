//! What every tool must do, and the corners of the data: missing values, order of axes, date line, calendars.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail loudly, and a child prints its digests"
)]

#[path = "answers/water.rs"]
mod answers_of_water;
mod cases;
mod fixture;
#[path = "fixture/grid.rs"]
mod grid;
#[path = "fixture/ocean.rs"]
mod ocean;
#[path = "fixture/pacific.rs"]
mod pacific;

use std::sync::Arc;

use fixture::{Bench, draft, number, values, when};
use grid::{Grid, month_starts};
use leg_core::ToolErrorKind;
use leg_testkit::conformance::{self, ToolCase};
use ocean_tools::{Datasets, tools};
use pacific::pacific;
use serde_json::{Value, json};

#[tokio::test]
async fn every_tool_keeps_what_its_port_promises() {
    let dir = tempfile::tempdir().unwrap();
    let root = pacific().write(dir.path());
    let datasets = || {
        let flags = [format!("grid={}", root.display())];
        Datasets::from_flags(&flags).unwrap().with_dataset("ocean", ocean::dataset()).unwrap()
    };
    let bench = Bench::over(datasets());
    let inputs = cases::Inputs::new(&bench).await;
    for tool in tools::all(&Arc::new(datasets())) {
        let cases = cases::of(tool.spec().name.as_str(), &bench, &inputs).await;
        let cases: Vec<ToolCase> =
            cases.into_iter().map(|(name, arguments)| ToolCase::new(name, arguments)).collect();
        assert!(!cases.is_empty(), "`{}`", tool.spec().name);
        conformance::tool(&tool, &cases, &bench.objects).await;
    }
}

#[tokio::test]
async fn unknown_and_misspelled_arguments_are_refused_by_every_tool() {
    let bench = Bench::new(&["grid=/nowhere/grid.zarr"]);
    for tool in tools::all(&Arc::new(Datasets::default())) {
        let name = tool.spec().name.to_string();
        let error = bench.try_call(&name, json!({"no_such_argument": 1})).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments, "{name}");
    }
    for ports in
        [("compute_trend", "timeseries"), ("render_figure", "artifact"), ("compute_climate_index", "sst")]
    {
        let tool = tools::all(&Arc::new(Datasets::default()))
            .into_iter()
            .find(|t| t.spec().name.as_str() == ports.0);
        assert!(tool.unwrap().spec().port(ports.1).is_some(), "{ports:?}");
    }
}

#[tokio::test]
async fn the_order_of_latitudes_and_the_turn_of_longitudes_do_not_matter() {
    let up = pacific();
    let mut down = pacific();
    down.lat.reverse();
    down = down.fill(|_, _, _| 0.0);
    let (rows, columns) = (up.lat.len(), up.lon.len());
    down.values = (0..up.values.len())
        .map(|i| {
            let (t, y, x) = (i / (rows * columns), i / columns % rows, i % columns);
            up.values[(t * rows + rows - 1 - y) * columns + x]
        })
        .collect();
    for lon in &mut down.lon {
        *lon = if *lon > 180.0 { *lon - 360.0 } else { *lon };
    }
    let mut results = Vec::new();
    for grid in [up, down] {
        let dir = tempfile::tempdir().unwrap();
        let root = grid.write(dir.path());
        let bench = Bench::new(&[format!("grid={}", root.display())]);
        let arguments = json!({"data": {"variable": "sst", "region": {"lon": [170, -170], "lat": [-5, 5]}}});
        let (output, _) = bench.step("compute_area_weighted_mean", arguments.clone()).await;
        let map = bench.call("compute_spatial_field", arguments).await;
        results.push((
            output.artifacts["result"].encode().unwrap(),
            draft(&map, "max").place.clone(),
            number(&map, "mean"),
        ));
    }
    assert_eq!(results[0], results[1]);
}

/// The variable that makes a child of this test print digests instead of starting children.
const CHILD: &str = "OCEAN_TOOLS_DIGESTS_OF";

#[test]
fn no_result_depends_on_the_number_of_threads() {
    if let Some(root) = std::env::var_os(CHILD) {
        print_digests(&root.to_string_lossy());
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let root = pacific().write(dir.path());
    // The size of rayon's pool is fixed for a process, so each size gets one.
    let run = |threads: &str| {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "no_result_depends_on_the_number_of_threads", "--nocapture"])
            .env(CHILD, &root)
            .env("RAYON_NUM_THREADS", threads)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let digests: Vec<String> =
            text.lines().filter(|line| line.contains("b3:")).map(str::to_owned).collect();
        assert!(digests.len() > tools::all(&Arc::new(Datasets::default())).len(), "{text}");
        digests
    };
    let one = run("1");
    assert_eq!(one, run("2"));
    assert_eq!(one, run("3"));
}

/// The digests of all artifacts of all calls.
fn print_digests(root: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let datasets = Datasets::from_flags(&[format!("grid={root}")]).unwrap();
        let bench = Bench::over(datasets.with_dataset("ocean", ocean::dataset()).unwrap());
        let inputs = cases::Inputs::new(&bench).await;
        for tool in tools::all(&Arc::new(Datasets::default())) {
            let tool = tool.spec().name;
            for (case, arguments) in cases::of(tool.as_str(), &bench, &inputs).await {
                let output = bench.call(tool.as_str(), arguments).await;
                for (name, artifact) in &output.artifacts {
                    println!("\n{tool} {case} {name} {}", bench.keep(artifact)["$artifact"]);
                }
            }
        }
    });
}

#[tokio::test]
async fn a_calendar_of_360_days_keeps_its_dates_to_the_end() {
    let dir = tempfile::tempdir().unwrap();
    let grid = Grid {
        calendar: "360_day",
        days: (0..720).map(f64::from).collect(),
        lat: vec![0.0],
        lon: vec![10.0],
        values: Vec::new(),
        time_chunk: 100,
    }
    .fill(|t, _, _| (t % 30) as f64);
    let root = grid.write(dir.path());
    let bench = Bench::new(&[format!("grid={}", root.display())]);
    let (mean, series) = bench.step("compute_area_weighted_mean", json!({"data": {"variable": "sst"}})).await;
    let time = &mean.artifacts["result"].coords["time"];
    assert_eq!(time.calendar.as_deref(), Some("360_day"));
    assert_eq!(time.values[59], json!("2000-02-30T00:00:00"));
    assert_eq!(
        (when(&mean, "first"), when(&mean, "mean")),
        ("2000-01-01".into(), "2000-01-01/2001-12-30".into())
    );
    let monthly = bench
        .call("resample_timeseries", json!({"timeseries": series, "freq": "MS", "min_coverage": 1}))
        .await;
    assert_eq!(values(&monthly), [14.5; 24]);
    assert_eq!(when(&monthly, "last"), "2001-12");
    let daily = bench.call("compute_climatology", json!({"timeseries": series, "period": "daily"})).await;
    assert_eq!(values(&daily).len(), 360);
    let anomaly = bench.call("compute_anomaly", json!({"timeseries": series})).await;
    assert!(values(&anomaly).iter().all(|value| value.abs() < 1e-12));
    let trend = bench.call("compute_trend", json!({"timeseries": series})).await;
    assert!(number(&trend, "slope").is_finite());
    let figure = bench.call("render_figure", json!({"artifact": series, "width": 300})).await;
    assert_eq!(figure.renderings[0].bytes[..4], *b"\x89PNG");
}

#[tokio::test]
async fn one_value_and_no_value_are_answers_not_crashes() {
    for (days, fill) in [(vec![0.0], 3.0), (vec![0.0], f64::NAN), (month_starts(24), f64::NAN)] {
        let dir = tempfile::tempdir().unwrap();
        let n = days.len();
        let grid = Grid {
            calendar: "standard",
            days,
            lat: vec![0.0, 1.0],
            lon: vec![10.0, 11.0],
            values: Vec::new(),
            time_chunk: 1,
        }
        .fill(|_, _, _| fill);
        let root = grid.write(dir.path());
        let bench = Bench::new(&[format!("grid={}", root.display())]);
        let (mean, series) =
            bench.step("compute_area_weighted_mean", json!({"data": {"variable": "sst"}})).await;
        let present = if fill.is_nan() { 0 } else { n };
        assert_eq!(draft(&mean, "n").value, json!(present));
        assert_eq!(draft(&mean, "n_missing").value, json!(n - present));
        assert_eq!(draft(&mean, "max").value.is_null(), fill.is_nan());
        let (_, climatology) = bench.step("compute_climatology", json!({"timeseries": series})).await;
        bench.call("compute_anomaly", json!({"timeseries": series, "climatology": climatology})).await;
        bench
            .call("resample_timeseries", json!({"timeseries": series, "freq": "YS", "min_coverage": 0}))
            .await;
        let error = bench.try_call("compute_trend", json!({"timeseries": series})).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::NoData);
        let figure = bench.try_call("render_figure", json!({"artifact": series, "width": 300})).await;
        assert_eq!(figure.err().map(|error| error.kind), fill.is_nan().then_some(ToolErrorKind::NoData));
        let table = bench.call("export_table", json!({"artifact": series})).await;
        assert_eq!(draft(&table, "rows").value, json!(n));
        bench.call("compute_spatial_field", json!({"data": {"variable": "sst"}})).await;
    }
}

#[tokio::test]
async fn an_index_needs_its_box_and_a_baseline_needs_the_record() {
    let dir = tempfile::tempdir().unwrap();
    let root = pacific().write(dir.path());
    let bench = Bench::new(&[format!("grid={}", root.display())]);
    let ask = |region: Value| json!({"variable": "sst", "region": region});
    let call = |sst: Value, index: &str| json!({"sst": sst, "index": index});
    let wide = bench.call("compute_climate_index", call(json!({"variable": "sst"}), "nino4")).await;
    let exact = ask(json!({"lon": [160, -150], "lat": [-5, 5]}));
    let exact = bench.call("compute_climate_index", call(exact, "nino4")).await;
    assert_eq!(wide.artifacts["result"].encode().unwrap(), exact.artifacts["result"].encode().unwrap());
    assert!(wide.notes.iter().any(|note| note.contains("2000/2002")), "{:?}", wide.notes);
    let narrow = ask(json!({"lon": [170, -150], "lat": [-5, 5]}));
    let error = bench.try_call("compute_climate_index", call(narrow, "nino4")).await.unwrap_err();
    assert!(error.message.contains("160 to -150"), "{}", error.message);
    let error =
        bench.try_call("compute_climate_index", call(json!({"variable": "sst"}), "nino3")).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
    let mut stated = call(json!({"variable": "sst"}), "nino4");
    stated["baseline"] = json!(["1991", "2020"]);
    let error = bench.try_call("compute_climate_index", stated).await.unwrap_err();
    assert!(error.message.contains("2000-01/2002-12"), "{}", error.message);
    // The anomalies of each month of the baseline add up to nothing.
    let sum: f64 = values(&wide).iter().step_by(12).sum();
    assert!(sum.abs() < 1e-9);
}

#[tokio::test]
async fn a_recorded_field_is_not_read_from_another_dataset() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = pacific().write(one.path());
    let mut other = pacific();
    other.lon[0] -= 0.25;
    let second = other.write(two.path());
    let bench = Bench::new(&[format!("grid={}", first.display())]);
    let (output, field) = bench.step("load_dataset", json!({"variable": "sst", "dataset": "grid"})).await;
    let stranger = Bench::new(&[format!("grid={}", second.display())]);
    assert_eq!(stranger.keep(&output.artifacts["result"]), field);
    let error = stranger.try_call("compute_area_weighted_mean", json!({"data": field})).await.unwrap_err();
    assert!(error.message.contains("`grid` is not the one"), "{}", error.message);
    let nameless = Bench::new(&[format!("other={}", first.display())]);
    nameless.keep(&output.artifacts["result"]);
    let error = nameless.try_call("compute_area_weighted_mean", json!({"data": field})).await.unwrap_err();
    assert!(error.message.contains("the open ones are: other"), "{}", error.message);
    // The same data elsewhere are the same dataset.
    let copy = tempfile::tempdir().unwrap();
    let moved = Grid { time_chunk: 7, ..pacific() }.write(copy.path());
    let elsewhere = Bench::new(&[format!("grid={}", moved.display())]);
    elsewhere.keep(&output.artifacts["result"]);
    elsewhere.call("compute_area_weighted_mean", json!({"data": field})).await;
}

#[tokio::test]
async fn sources_are_named_and_no_address_is_in_a_result() {
    let dir = tempfile::tempdir().unwrap();
    let root = pacific().write(dir.path());
    let bench = Bench::new(&[format!("grid={}", root.display())]);
    let (loaded, field) = bench.step("load_dataset", json!({"variable": "sst"})).await;
    let (mean, series) = bench.step("compute_area_weighted_mean", json!({"data": field})).await;
    assert!(loaded.sources.is_empty());
    let source = &mean.sources[0];
    assert!(source.bytes > 0 && source.parts > 0);
    assert_eq!(source.address, root.display().to_string());
    let info = bench.call("get_dataset_info", json!({})).await;
    let figure = bench.call("render_figure", json!({"artifact": series, "width": 300})).await;
    for output in [&loaded, &mean, &info, &figure] {
        let stored = output.artifacts["result"].encode().unwrap();
        let text = String::from_utf8_lossy(&stored);
        assert!(!text.contains("grid.zarr"), "{text}");
    }
}

#[tokio::test]
async fn a_part_reaches_no_further_than_the_field() {
    let dir = tempfile::tempdir().unwrap();
    let root = pacific().write(dir.path());
    let bench = Bench::new(&[format!("grid={}", root.display())]);
    let (_, field) = bench
        .step("load_dataset", json!({"variable": "sst", "region": {"lon": [160, 200], "lat": [-5, 5]}, "time": ["2001", "2001"]}))
        .await;
    let inside =
        json!({"data": field, "region": {"lon": [170, 180], "lat": [-2, 2]}, "time": ["2001-03", "2001-04"]});
    let output = bench.call("compute_area_weighted_mean", inside).await;
    assert_eq!(when(&output, "mean"), "2001-03/2001-04");
    let outside = json!({"data": field, "region": {"lon": [150, 180], "lat": [-2, 2]}});
    let error = bench.try_call("compute_area_weighted_mean", outside).await.unwrap_err();
    assert!(error.message.contains("not inside the field's own region"), "{}", error.message);
    let outside = json!({"data": field, "time": ["2002", "2002"]});
    let error = bench.try_call("compute_area_weighted_mean", outside).await.unwrap_err();
    assert_eq!(error.kind, ToolErrorKind::NoData);
    let error = bench.try_call("compute_climatology", json!({"timeseries": field})).await.unwrap_err();
    assert!(error.message.contains("compute_area_weighted_mean"), "{}", error.message);
}

#[tokio::test]
async fn components_of_a_current_stand_on_one_grid_and_are_speeds() {
    let bench = Bench::over(Datasets::default().with_dataset("ocean", ocean::dataset()).unwrap());
    let ask = |variable: &str, lon: [i32; 2], lat: [i32; 2]| json!({"variable": variable, "dataset": "ocean", "region": {"lon": lon, "lat": lat}});
    let wide = |variable: &str| ask(variable, [-40, -36], [30, 34]);
    for (arguments, named) in [
        (json!({"u": wide("uo"), "v": ask("vo", [-40, -37], [30, 34])}), "their longitudes differ"),
        (json!({"u": wide("uo"), "v": wide("so")}), "`so` cannot be given in `m s-1`"),
        (
            json!({"u": ask("uo", [-40, -36], [30, 30]), "v": ask("vo", [-40, -36], [30, 30])}),
            "fewer than two latitudes",
        ),
    ] {
        let error = bench.try_call("compute_divergence", arguments).await.unwrap_err();
        assert_eq!(error.kind, ToolErrorKind::InvalidArguments);
        assert!(error.message.contains(named), "{}", error.message);
    }
    let flux = json!({"u": wide("uo"), "transect_points": [[-38, 30], [-36, 33]]});
    let error = bench.try_call("compute_volume_transport", flux).await.unwrap_err();
    assert!(error.message.contains("this line needs v too"), "{}", error.message);
}
