//! Numbers that can be found in two ways are the same: what is gathered in one pass over a field, and what the tools for
//! series and maps make of its parts.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod fixture;
#[path = "fixture/grid.rs"]
mod grid;
#[path = "fixture/ocean.rs"]
mod ocean;

use fixture::{Bench, draft, number, values, when};
use grid::Grid;
use leg_core::ToolOutput;
use ocean_tools::Datasets;
use serde_json::{Value, json};

fn bench() -> Bench {
    Bench::over(Datasets::default().with_dataset("ocean", ocean::dataset()).unwrap())
}

/// Three years of days on 3 x 4 cells, one of them land and one with a gap.
fn daily() -> Grid {
    Grid {
        calendar: "standard",
        days: (0..1_096).map(f64::from).collect(),
        lat: vec![10.0, 11.0, 12.0],
        lon: vec![120.0, 121.0, 122.0, 123.0],
        values: Vec::new(),
        time_chunk: 100,
    }
    .fill(|t, y, x| {
        if (y, x) == (0, 3) || ((y, x) == (2, 2) && (200..215).contains(&t)) {
            return f64::NAN;
        }
        let day = t as f64;
        25.0 + 3.0 * (day / 58.0).sin() + ((7 * t + 3 * y + x) % 11) as f64 / 10.0
    })
}

fn array<'a>(output: &'a ToolOutput, name: &str) -> &'a [f64] {
    let artifact = &output.artifacts["result"];
    &artifact.variables.iter().find(|own| own.name == name).unwrap_or_else(|| panic!("no `{name}`")).values
}

#[track_caller]
fn same(one: &[f64], two: &[f64]) {
    assert_eq!(one.len(), two.len());
    assert!(one.iter().any(|value| !value.is_nan()), "nothing is compared");
    for (one, two) in one.iter().zip(two) {
        assert!(
            one.is_nan() && two.is_nan() || (one - two).abs() <= 1e-12 * one.abs().max(1.0),
            "{one} {two}"
        );
    }
}

fn thetao() -> Value {
    json!({"variable": "thetao", "dataset": "ocean", "depth": "column"})
}

#[tokio::test]
async fn the_threshold_of_a_cell_is_that_of_its_series() {
    let dir = tempfile::tempdir().unwrap();
    let bench = Bench::new(&[format!("grid={}", daily().write(dir.path()).display())]);
    let (_, cells) = bench.step("load_dataset", json!({"variable": "sst"})).await;
    let options = json!({"percentile": 90, "baseline": ["2000", "2002"]});
    let with = |name: &str, value: Value| {
        let mut arguments = options.clone();
        arguments[name] = value;
        arguments
    };
    let all = bench.call("compute_percentile_climatology", with("data", cells.clone())).await;
    // One cell like others, and the one with the gap.
    for (cell, lat, lon) in [(0, 10.0, 120.0), (10, 12.0, 122.0)] {
        let place = json!({"data": cells, "lat": lat, "lon": lon});
        let (_, series) = bench.step("extract_point_timeseries", place).await;
        let one = bench.call("compute_percentile_climatology", with("timeseries", series)).await;
        for name in ["threshold", "mean"] {
            let own: Vec<f64> = array(&all, name).iter().skip(cell).step_by(12).copied().collect();
            same(&own, array(&one, name));
        }
    }
    assert!(array(&all, "mean").iter().skip(3).step_by(12).all(|value| value.is_nan()));
    let both = with("data", json!(null));
    assert!(bench.try_call("compute_percentile_climatology", both).await.is_err());
}

#[tokio::test]
async fn a_climatology_has_the_same_means_with_its_spread_and_without() {
    let bench = bench();
    let with = bench.call("compute_field_climatology", json!({"data": thetao()})).await;
    let without = bench.call("compute_field_climatology", json!({"data": thetao(), "spread": false})).await;
    same(values(&with), values(&without));
    assert_eq!(without.artifacts["result"].variables.len(), 1);
    // One value in the middle is missing: its month has one year.
    let counts = array(&with, "count");
    assert_eq!(counts.iter().filter(|n| n.to_bits() == 1.0_f64.to_bits()).count(), 1);
    assert_eq!(when(&with, "max"), when(&without, "max"));
}

#[tokio::test]
async fn the_mean_heat_is_the_mean_of_the_maps() {
    let bench = bench();
    for (layers, coverage) in [("midpoint", 1.0), ("bounds", 0.4), ("trapezoid", 0.5)] {
        let ask = json!({"temp": thetao(), "depth_range": [10, 150], "layers": layers, "min_coverage": coverage,
                         "reference_temperature": 2.0});
        let (_, maps) = bench.step("compute_ocean_heat_content", ask.clone()).await;
        let mean = bench.call("compute_spatial_field", json!({"data": maps})).await;
        let mut at_once = ask;
        at_once["time_mean"] = json!(true);
        let own = bench.call("compute_ocean_heat_content", at_once).await;
        same(values(&own), values(&mean));
        assert!(
            draft(&own, "mean").method.contains("time mean of the heat content"),
            "{}",
            draft(&own, "mean").method
        );
        assert!(number(&own, "total") > 0.0);
    }
}

#[tokio::test]
async fn patterns_of_anomalies_are_those_of_a_field_whose_cycle_is_taken_out() {
    let bench = bench();
    let ask = json!({"variable": "thetao", "dataset": "ocean", "depth": "surface"});
    let (_, cycle) = bench.step("compute_field_climatology", json!({"data": ask})).await;
    let (_, anomalies) =
        bench.step("compute_field_anomaly", json!({"data": ask, "climatology": cycle})).await;
    let one = bench
        .call("perform_eof_analysis", json!({"data": anomalies, "deseasonalise": false, "n_modes": 1}))
        .await;
    let two =
        bench.call("perform_eof_analysis", json!({"data": ask, "cycle": "monthly", "n_modes": 1})).await;
    assert!((number(&one, "explained_1") - number(&two, "explained_1")).abs() < 1e-9);
    assert!((number(&one, "pattern_max") - number(&two, "pattern_max")).abs() < 1e-9);
}
