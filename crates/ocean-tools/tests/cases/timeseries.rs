//! Series from fields and from series.

use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { ask, field, series, .. } = inputs;
    Some(match tool {
        "compute_area_weighted_mean" => vec![
            ("reference", json!({"data": field})),
            (
                "in place",
                json!({"data": ask, "weighting": "cos_lat", "region": {"lon": [160, 200], "lat": [-2, 2]}}),
            ),
        ],
        "compute_volume_weighted_mean" | "compute_volume_integral" => vec![
            ("column", json!({"data": ocean("thetao")})),
            ("layer", json!({"data": ocean("o2"), "depth": {"range": [10, 120]}, "time": ["2001", "2001"]})),
        ],
        "compute_area_integral" => vec![
            ("flat", json!({"data": field})),
            ("level", json!({"data": ocean("chl"), "depth": {"at": 50}})),
        ],
        "compute_masked_mean_timeseries" => {
            let low = json!({"data": ocean("o2"), "threshold": 180.0, "comparison": "lt"});
            let (_, low) = bench.step("build_threshold_mask", low).await;
            vec![("low oxygen", json!({"data": ocean("thetao"), "mask": low}))]
        }
        "compute_masked_area_fraction_timeseries" => {
            let warm = json!({"data": field, "threshold": 27.0, "comparison": "gt"});
            let (_, warm) = bench.step("build_threshold_mask", warm).await;
            let inside = json!({"reference": field, "polygon_points": [[170, -5], [190, -5], [180, 5]]});
            let (_, inside) = bench.step("build_polygon_mask", inside).await;
            vec![
                ("whole", json!({"event_mask": warm})),
                ("inside", json!({"event_mask": warm, "analysis_mask": inside, "min_valid_fraction": 0.5})),
            ]
        }
        "extract_point_timeseries" => vec![
            ("nearest", json!({"data": field, "lon": -179.0, "lat": 1.0})),
            ("linear", json!({"data": field, "lon": 179.0, "lat": 1.0, "method": "linear"})),
            ("land", json!({"data": field, "lon": 150.5, "lat": -4.5})),
            ("wet", json!({"data": field, "lon": 150.5, "lat": -4.5, "wet_only": true})),
        ],
        "extract_timeseries" => vec![
            ("point", json!({"data": ocean("thetao"), "lon": -38.2, "lat": 31.9})),
            (
                "median",
                json!({"data": ocean("o2"), "spatial_aggregation": "median", "depth_aggregation": "max"}),
            ),
            (
                "box",
                json!({"data": field, "region": {"lon": [160, 200], "lat": [-2, 2]}, "spatial_aggregation": "max"}),
            ),
        ],
        "extract_regional_mean" => vec![
            ("column", json!({"data": ocean("thetao")})),
            (
                "surface",
                json!({"data": ocean("thetao"), "depth_aggregation": "surface", "weighting": "equal"}),
            ),
        ],
        "detide_series" => {
            let tide = bench.keep(&super::inference::tide());
            vec![
                ("godin", json!({"timeseries": tide})),
                ("lanczos", json!({"timeseries": tide, "method": "lanczos"})),
                ("harmonic", json!({"timeseries": tide, "method": "harmonic", "latitude": 45.0})),
            ]
        }
        "merge_observations" => {
            let tide = bench.keep(&super::inference::tide());
            vec![
                ("priority", json!({"series": [series, series]})),
                ("mean", json!({"series": [tide, tide], "method": "mean", "remove_bias": false})),
            ]
        }
        "resample_timeseries" => vec![
            ("years", json!({"timeseries": series, "freq": "YS"})),
            ("seasons", json!({"timeseries": series, "freq": "QS-DEC", "method": "median"})),
        ],
        _ => return None,
    })
}
