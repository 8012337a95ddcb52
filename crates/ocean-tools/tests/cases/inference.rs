//! Tides, tests and relations of series.

use leg_core::Artifact;
use serde_json::json;

use super::statistic::series_of;
use super::{Case, Inputs};
use crate::fixture::Bench;

/// Forty days of hours with two waves and a gap.
pub(crate) fn tide() -> Artifact {
    let hours = 960_u32;
    let times = (0..hours).map(|hour| {
        let (month, day) = if hour < 744 { (1, hour / 24 + 1) } else { (2, hour / 24 - 30) };
        format!("2000-{month:02}-{day:02}T{:02}:00:00Z", hour % 24)
    });
    let mut series = series_of(times, "PT1H");
    let variable = &mut series.variables[0];
    "sea_level".clone_into(&mut variable.name);
    "m".clone_into(&mut variable.units);
    variable.values = (0..hours)
        .map(|hour| {
            let t = f64::from(hour);
            if (500..503).contains(&hour) { f64::NAN } else { (t * 0.5059).cos() + 0.3 * (t * 0.2625).sin() }
        })
        .collect();
    series
}

/// Four years of months that depend on a factor.
fn months(factor: u32) -> Artifact {
    let times = (0..48).map(|at| format!("{}-{:02}-01T00:00:00Z", 2000 + at / 12, at % 12 + 1));
    let mut series = series_of(times, "P1M");
    series.variables[0].values =
        (0..48_u32).map(|at| f64::from(at * at * factor % 17) + 0.05 * f64::from(at)).collect();
    series
}

pub(crate) fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let series = &inputs.series;
    Some(match tool {
        "compute_harmonic_tides" => {
            let tide = bench.keep(&tide());
            vec![
                ("auto", json!({"timeseries": tide, "latitude": 45.0})),
                (
                    "named",
                    json!({"timeseries": tide, "latitude": -3.0, "constituents": ["m2", "K1"], "nodal": false}),
                ),
            ]
        }
        "compute_trend_gls" => vec![
            ("plain", json!({"timeseries": series})),
            ("bent", json!({"timeseries": series, "harmonics": 1, "order": 2, "acceleration": true})),
        ],
        "compute_trend_difference" => {
            let other = bench.keep(&months(7));
            vec![(
                "two",
                json!({"timeseries1": bench.keep(&months(3)), "timeseries2": other, "deseasonalise": true}),
            )]
        }
        "compute_partial_correlation" => vec![(
            "one control",
            json!({"x": bench.keep(&months(3)), "y": bench.keep(&months(7)), "controls": [bench.keep(&months(5))]}),
        )],
        "compute_multiple_regression" => {
            let drivers = json!([bench.keep(&months(5)), bench.keep(&months(7))]);
            let response = bench.keep(&months(3));
            vec![
                ("standardised", json!({"response": response, "drivers": drivers})),
                (
                    "raw",
                    json!({"response": response, "drivers": drivers, "standardise": false, "detrend": true}),
                ),
            ]
        }
        "compute_effective_sample_size" => vec![
            ("one", json!({"timeseries": series})),
            ("two", json!({"timeseries": bench.keep(&months(3)), "timeseries2": bench.keep(&months(5))})),
        ],
        "bootstrap_confidence" => {
            let (one, two) = (bench.keep(&months(3)), bench.keep(&months(5)));
            vec![
                ("mean", json!({"timeseries": series, "statistic": "mean", "n": 200})),
                ("trend", json!({"timeseries": one, "statistic": "trend", "n": 200, "block": 4})),
                ("median", json!({"timeseries": one, "statistic": "quantile", "n": 200, "seed": 7})),
                (
                    "correlation",
                    json!({"timeseries": one, "timeseries2": two, "statistic": "correlation", "n": 200}),
                ),
            ]
        }
        "compute_wavelet" => vec![("months", json!({"timeseries": bench.keep(&months(3)), "dj": 0.25}))],
        "detect_change_point" => {
            let one = bench.keep(&months(3));
            vec![
                ("pettitt", json!({"timeseries": one})),
                ("stars", json!({"timeseries": one, "method": "stars", "cutoff_length": 6})),
                ("pelt", json!({"timeseries": one, "method": "pelt", "penalty": 20.0})),
            ]
        }
        "qc_flag_series" => vec![(
            "all",
            json!({"timeseries": bench.keep(&tide()), "gross_range": [-1.2, 1.2], "spike": 0.3, "rate": 0.6}),
        )],
        _ => return None,
    })
}
