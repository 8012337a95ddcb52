//! Numbers that are known: constant fields with holes, trends over gaps, years of 360 days.

use std::path::Path;

use ocean_tools::Datasets;
use serde_json::{Value, json};

use crate::fixture::{Bench, draft, number, values, when};
use crate::grid::{Grid, month_starts};
use crate::ocean;

fn grid(calendar: &'static str, days: Vec<f64>, value: impl Fn(usize, usize, usize) -> f64) -> Grid {
    let grid = Grid {
        calendar,
        days,
        lat: vec![-30.0, 0.0, 30.0, 60.0],
        lon: vec![10.0, 20.0, 30.0],
        values: Vec::new(),
        time_chunk: 7,
    };
    grid.fill(value)
}

fn bench(dir: &Path, grid: &Grid) -> Bench {
    Bench::new(&[format!("grid={}", grid.write(dir).display())])
}

fn sst() -> Value {
    json!({"variable": "sst"})
}

fn close(own: f64, exact: f64) -> bool {
    (own - exact).abs() <= 1e-9 * exact.abs().max(1.0)
}

#[tokio::test]
async fn a_constant_field_with_holes_has_the_constant_as_its_mean() {
    let dir = tempfile::tempdir().unwrap();
    let holes = |t: usize, y: usize, x: usize| (t, y, x) == (1, 1, 1) || t == 3 || (y, x) == (2, 2);
    let days = (0..24).map(|month| 30.0 * f64::from(month)).collect();
    let data = grid("360_day", days, |t, y, x| if holes(t, y, x) { f64::NAN } else { 7.25 });
    let bench = bench(dir.path(), &data);
    for (tool, arguments, missing) in [
        ("compute_area_weighted_mean", json!({"data": sst()}), 1),
        ("compute_spatial_field", json!({"data": sst()}), 1),
        ("compute_spatial_field", json!({"data": sst(), "time_aggregation": "median"}), 1),
        ("compute_zonal_mean", json!({"data": sst()}), 4),
        ("compute_hovmoller", json!({"data": sst(), "diagram_type": "time_lon"}), 3),
        ("compute_field_climatology", json!({"data": sst()}), 12),
        ("compute_spatial_statistics", json!({"data": sst()}), 0),
        ("compute_descriptive_statistics", json!({"data": sst()}), 0),
    ] {
        let output = bench.call(tool, arguments).await;
        for name in ["mean", "min", "max"] {
            assert!(close(number(&output, name), 7.25), "{tool}: {name} is {}", number(&output, name));
        }
        if missing > 0 {
            let gaps = values(&output).iter().filter(|value| value.is_nan()).count();
            assert_eq!(gaps, missing, "{tool}");
            assert!(values(&output).iter().all(|value| value.is_nan() || close(*value, 7.25)), "{tool}");
        }
    }
}

#[tokio::test]
async fn a_trend_over_a_gap_goes_by_time_and_not_by_place_in_the_series() {
    let dir = tempfile::tempdir().unwrap();
    // Days 0 to 59 and 300 to 359 of a leap year: 0.01 a day, so 3.66 a year.
    let days: Vec<f64> = (0..60).chain(300..360).map(f64::from).collect();
    let times = days.clone();
    let line = move |t: usize| 0.01 * times[t];
    let data = grid("standard", days, |t, y, _| if (t, y) == (70, 2) { f64::NAN } else { 5.0 + line(t) });
    let bench = bench(dir.path(), &data);
    let (_, series) = bench.step("compute_area_weighted_mean", json!({"data": sst()})).await;
    for method in ["linear", "theil_sen"] {
        let arguments =
            json!({"timeseries": series, "method": method, "per": "year", "deseasonalise": false});
        let trend = bench.call("compute_trend", arguments).await;
        let slope = number(&trend, "slope");
        assert!(close(slope, 3.66), "{method}: {slope}");
        assert_eq!(draft(&trend, "n").value, json!(120));
        let map = bench
            .call(
                "compute_field_trend",
                json!({"data": sst(), "method": method, "per": "year", "deseasonalise": false}),
            )
            .await;
        let (low, high) = (number(&map, "min"), number(&map, "max"));
        assert!(close(low, 3.66) && close(high, 3.66), "{method}: {low} {high}");
    }
}

#[tokio::test]
async fn a_step_over_a_gap_is_as_many_steps_as_it_is() {
    let dir = tempfile::tempdir().unwrap();
    let days: Vec<f64> = (0..60).chain(300..360).map(f64::from).collect();
    let times = days.clone();
    let data = grid("standard", days, |t, _, _| if t == 20 { f64::NAN } else { 5.0 + 0.01 * times[t] });
    let bench = bench(dir.path(), &data);
    let (_, series) = bench.step("compute_area_weighted_mean", json!({"data": sst()})).await;
    for variant in ["original", "hamed_rao", "yue_wang", "trend_free_pre_whitening"] {
        let test =
            bench.call("compute_mann_kendall", json!({"timeseries": series, "variant": variant})).await;
        assert!(close(number(&test, "slope"), 0.01), "{variant}: {}", number(&test, "slope"));
        assert!(close(number(&test, "intercept"), 5.0), "{variant}: {}", number(&test, "intercept"));
    }
}

#[tokio::test]
async fn events_do_not_bridge_a_gap() {
    let dir = tempfile::tempdir().unwrap();
    let mut months = month_starts(48);
    months.drain(20..22);
    let warm = |t: usize| if (16..26).contains(&t) { 2.0 } else { 0.0 };
    let data = Grid {
        lat: vec![-2.5, 2.5],
        lon: vec![195.0, 215.0, 235.0],
        ..grid("standard", months, |_, _, _| 0.0)
    };
    let bench = bench(dir.path(), &data.fill(|t, _, _| warm(t)));
    let (index, series) = bench
        .step("compute_climate_index", json!({"sst": sst(), "index": "nino34", "baseline": ["2000", "2000"]}))
        .await;
    // Of the running mean four months before the gap and six after it are warm, and the two beside it are missing.
    assert_eq!(draft(&index, "n_warm").value, json!(1));
    let events = json!({"timeseries": series, "min_steps": 4});
    let events = bench.call("detect_index_events", events).await;
    assert_eq!(draft(&events, "n_warm").value, json!(2));
}

#[tokio::test]
async fn a_year_of_360_days_is_whole_and_february_has_30_days() {
    let dir = tempfile::tempdir().unwrap();
    let data = grid("360_day", (0..720).map(f64::from).collect(), |t, _, _| (t % 360) as f64);
    let bench = bench(dir.path(), &data);
    let (mean, series) = bench.step("compute_area_weighted_mean", json!({"data": sst()})).await;
    assert_eq!(when(&mean, "mean"), "2000-01-01/2001-12-30");
    let years = json!({"timeseries": series, "freq": "YS", "min_coverage": 1});
    assert_eq!(values(&bench.call("resample_timeseries", years).await), [179.5, 179.5]);
    let months = json!({"timeseries": series, "freq": "MS", "min_coverage": 1});
    let months = bench.call("resample_timeseries", months).await;
    assert!(close(values(&months)[1], 44.5));
    let february = json!({"data": sst(), "time": ["2000-02-30", "2000-02-30"]});
    let day = bench.call("compute_area_weighted_mean", february).await;
    assert!(close(number(&day, "mean"), 59.0));
    assert_eq!(when(&day, "first"), "2000-02-30");
    let point = json!({"data": sst(), "points": [[20.0, 0.0]], "time_points": ["2000-02-30T00:00:00"]});
    assert!(close(number(&bench.call("interpolate_data", point).await, "mean"), 59.0));
}

#[tokio::test]
async fn a_missing_time_is_no_current_of_zero() {
    let bench = Bench::over(Datasets::default().with_dataset("ocean", ocean::dataset()).unwrap());
    let of = |name: &str| json!({"variable": name, "dataset": "ocean"});
    let steady = bench.call("compute_transport_streamfunction_map", json!({"u": of("uo")})).await;
    assert!(number(&steady, "min").is_finite());
    let mut variables = ocean::variables();
    for variable in &mut variables {
        if variable.name == "uo" || variable.name == "vo" {
            // The same current at all times but one.
            let first = variable.values.index_axis(ndarray::Axis(0), 0).to_owned();
            for (at, mut map) in variable.values.outer_iter_mut().enumerate() {
                map.assign(&if at == 7 { &first * f64::NAN } else { first.clone() });
            }
        }
    }
    let dataset = ocean::in_memory("memory:ocean", variables);
    let bench = Bench::over(Datasets::default().with_dataset("ocean", dataset).unwrap());
    let first = json!({"u": of("uo"), "time": ["2000-01", "2000-01"]});
    let one = bench.call("compute_transport_streamfunction_map", first).await;
    let all = bench.call("compute_transport_streamfunction_map", json!({"u": of("uo")})).await;
    for (one, all) in values(&one).iter().zip(values(&all)) {
        assert!(close(*all, *one), "{one} became {all}");
    }
    let psi = bench.call("compute_overturning_streamfunction", json!({"v": of("vo")})).await;
    let gaps = values(&psi).iter().filter(|value| value.is_nan()).count();
    assert_eq!(gaps, values(&psi).len() / 24);
    let line = json!({"u": of("uo"), "v": of("vo"), "transect_points": [[-38, 30], [-38, 34]]});
    let through = bench.call("compute_volume_transport", line).await;
    assert!(close(number(&through, "volume_mean"), number(&through, "first")));
    assert_eq!(draft(&through, "n_missing").value, json!(1));
}
