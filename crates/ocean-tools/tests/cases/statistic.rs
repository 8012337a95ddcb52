//! Trends, indices and what is tested.

use leg_core::{Artifact, Coord, Kind, Variable};
use serde_json::json;

use super::{Case, Inputs};
use crate::fixture::Bench;

/// A series at these times.
pub(crate) fn series_of(times: impl Iterator<Item = String>, step: &str) -> Artifact {
    let times: Vec<String> = times.collect();
    let values: Vec<f64> =
        (0_u32..).take(times.len()).map(|i| 20.0 + f64::from(i * 7 % 11) + 0.01 * f64::from(i)).collect();
    let variable = Variable {
        name: "sst".to_owned(),
        standard_name: None,
        units: "degC".to_owned(),
        dims: vec!["time".to_owned()],
        shape: vec![values.len()],
        values,
    };
    Artifact::array(Kind::Series, "sst", variable)
        .with_coord("time", Coord::texts(times))
        .with_attribute("time_step", step)
}

/// Two patterns on 2 x 3 cells over two years of months.
fn waves() -> Artifact {
    let values = (0_u32..144).map(|i| {
        let (t, cell) = (f64::from(i / 6), i % 6);
        let (one, two) = ((t * 0.9).sin(), 0.5 * (t * 0.37).cos());
        if cell < 3 { one + 0.2 * two } else { two - 0.1 * one * f64::from(cell) }
    });
    let variable = Variable {
        name: "wave".to_owned(),
        standard_name: None,
        units: "m".to_owned(),
        dims: vec!["time".to_owned(), "lat".to_owned(), "lon".to_owned()],
        shape: vec![24, 2, 3],
        values: values.collect(),
    };
    let months = (0..24).map(|i| format!("{}-{:02}-01T00:00:00Z", 2000 + i / 12, i % 12 + 1));
    Artifact::array(Kind::Field, "wave", variable)
        .with_coord("time", Coord::texts(months))
        .with_coord("lat", Coord::numbers(&[0.0, 10.0], "degrees_north", "latitude"))
        .with_coord("lon", Coord::numbers(&[0.0, 10.0, 20.0], "degrees_east", "longitude"))
}

/// The days of 2000 and 2001.
pub(crate) fn days() -> impl Iterator<Item = String> {
    let long = |year: i32, month: i32| match month {
        2 => 28 + i32::from(year == 2000),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    (2000..2002).flat_map(|year| (1..13).map(move |month| (year, month))).flat_map(move |(year, month)| {
        (1..=long(year, month)).map(move |day| format!("{year}-{month:02}-{day:02}T00:00:00Z"))
    })
}

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { ask, field, series, map, .. } = inputs;
    let long = bench.keep(&series_of((1990..2020).map(|year| format!("{year}-01-01T00:00:00Z")), "P1Y"));
    let days = bench.keep(&series_of(days(), "P1D"));
    let waves = bench.keep(&waves());
    let ask_modes = json!({"data": waves, "n_modes": 2, "deseasonalise": false});
    let (_, modes) = bench.step("perform_eof_analysis", ask_modes).await;
    Some(match tool {
        "compute_trend" => vec![
            ("linear", json!({"timeseries": series})),
            ("hac", json!({"timeseries": series, "autocorrelation": "hac", "per": "year"})),
            ("robust", json!({"timeseries": series, "method": "theil_sen", "deseasonalise": false})),
        ],
        "compute_climate_index" => vec![
            ("nino4", json!({"sst": field, "index": "nino4"})),
            ("oni", json!({"sst": ask, "index": "oni", "baseline": ["2000", "2002"]})),
        ],
        "compute_field_trend" => vec![
            ("linear", json!({"data": field})),
            ("robust", json!({"data": ask, "method": "theil_sen", "per": "year", "annual_mean": true})),
        ],
        "compute_mann_kendall" => vec![
            ("default", json!({"timeseries": series})),
            ("seasonal", json!({"timeseries": series, "variant": "seasonal"})),
            ("whitened", json!({"timeseries": series, "variant": "trend_free_pre_whitening"})),
        ],
        "compute_lag_correlation" => vec![(
            "with itself",
            json!({"timeseries1": series, "timeseries2": series, "max_lag": 3, "deseasonalise": false}),
        )],
        "compute_regression_map" => vec![
            ("plain", json!({"field": field, "index_timeseries": series, "deseasonalise": false})),
            (
                "led",
                json!({"field": field, "index_timeseries": series, "lag": 2, "detrend": false,
                           "deseasonalise": false, "standardise_index": true}),
            ),
        ],
        "compute_composite_field" => vec![
            ("states", json!({"field": field, "index_timeseries": series, "deseasonalise": false})),
            ("years", json!({"field": ask, "years": [2000, 2001], "season": "JJA"})),
        ],
        "detect_index_events" => vec![("all", json!({"timeseries": series, "threshold": 30.0}))],
        "compute_spectrum" => vec![
            ("welch", json!({"timeseries": series, "nperseg": 12})),
            ("whole", json!({"timeseries": series, "method": "periodogram", "frequency_unit": "per_step"})),
        ],
        "compute_coherence" => {
            vec![("itself", json!({"timeseries1": series, "timeseries2": series, "nperseg": 12}))]
        }
        "compute_harmonic_fit" => vec![("year", json!({"timeseries": days}))],
        "compute_lomb_scargle" => vec![("default", json!({"timeseries": series}))],
        "compute_decorrelation_scale" => {
            vec![("default", json!({"timeseries": series, "deseasonalise": false}))]
        }
        "compute_histogram" => vec![
            ("field", json!({"data": field, "n_bins": 5})),
            ("map", json!({"data": map, "normalize": true, "bin_range": [20, 40], "weighting": "equal"})),
        ],
        "compute_kernel_density" => vec![("series", json!({"data": series, "at": [25, 28]}))],
        "compute_descriptive_statistics" => vec![
            ("field", json!({"data": field, "quantiles": [0.5]})),
            ("series", json!({"data": series, "weighting": "equal"})),
        ],
        "compute_extreme_return_level" => {
            let years = json!({"timeseries": long, "method": "gumbel", "return_periods": [5, 20]});
            vec![("gumbel", years), ("lowest", json!({"timeseries": long, "extreme": "min"}))]
        }
        "compute_percentile_climatology" => vec![(
            "daily",
            json!({"timeseries": days, "percentile": 10, "baseline": ["2000", "2001"], "smooth_width": 5}),
        )],
        "compute_skill_metrics" => vec![
            ("itself", json!({"model": field, "observed": ask})),
            ("maps", json!({"model": map, "observed": map, "weighting": "equal"})),
        ],
        "perform_eof_analysis" => vec![
            ("anomalies", json!({"data": field, "n_modes": 2, "deseasonalise": false})),
            ("seasons", json!({"data": field, "n_modes": 2, "cycle": "seasonal"})),
            (
                "unit norm",
                json!({"data": ask, "n_modes": 2, "deseasonalise": false, "scaling": "unit_norm",
                           "preprocessing": "standardized", "weight_by_latitude": false}),
            ),
        ],
        "compute_rotated_eof" => vec![("varimax", json!({"eof_result": modes}))],
        "reconstruct_from_eof" => vec![("first", json!({"eof_result": modes, "mode_indices": [1]}))],
        "filter_data" => vec![
            ("series", json!({"data": series, "cutoff_period": [8], "cutoff_unit": "samples", "order": 2})),
            (
                "field",
                json!({"data": field, "method": "running_mean", "window": 3, "filter_type": "highpass"}),
            ),
            ("map", json!({"data": map, "method": "gaussian", "dimension": "spatial", "sigma": 1.0})),
        ],
        _ => return None,
    })
}
