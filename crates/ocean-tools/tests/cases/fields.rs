//! Fields put together, cut in depth and filled.

use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { field, .. } = inputs;
    Some(match tool {
        "assemble_dataset" => {
            let (_, map) = bench.step("compute_spatial_field", json!({"data": ocean("zos")})).await;
            vec![
                ("lazy", json!({"variables": {"temp": ocean("thetao"), "salt": ocean("so")}})),
                ("array", json!({"variables": {"level": map, "u": ocean("uo")}})),
            ]
        }
        "select_vertical" => vec![
            ("surface", json!({"data": ocean("thetao"), "mode": "surface", "retain_depth": true})),
            ("nearest", json!({"data": ocean("thetao"), "mode": "fixed_depth", "depth_value": 60})),
            (
                "linear",
                json!({"data": ocean("thetao"), "mode": "fixed_depth", "depth_value": 60, "method": "linear"}),
            ),
            ("levels", json!({"data": ocean("o2"), "mode": "depth_range", "depth_range": [10, 120]})),
            (
                "layer",
                json!({"data": ocean("o2"), "mode": "depth_range", "depth_range": [10, 120], "aggregation": "mean"}),
            ),
            ("bottom", json!({"data": ocean("thetao"), "mode": "bottom"})),
            ("band", json!({"data": ocean("thetao"), "mode": "bottom_band", "band_thickness_m": 80})),
            (
                "height",
                json!({"data": ocean("thetao"), "mode": "fixed_depth", "depth_value": 40, "relative_to": "bottom"}),
            ),
        ],
        "build_isobath_mask" => vec![
            (
                "levels",
                json!({"reference": ocean("thetao"), "isobath_depth": 250, "comparison": "shallower_or_equal"}),
            ),
            (
                "stated",
                json!({"bathymetry": {"variable": "zos", "dataset": "ocean", "time": ["2000-01", "2000-01"]}, "isobath_depth": 0.1, "comparison": "deeper_or_equal", "invert": true}),
            ),
        ],
        "fill_gaps" => vec![
            ("lines", json!({"data": ocean("thetao")})),
            ("laplace", json!({"data": ocean("thetao"), "method": "laplace"})),
            (
                "modes",
                json!({"data": {"variable": "thetao", "dataset": "ocean", "depth": "surface"}, "method": "dineof", "modes": 2}),
            ),
        ],
        "compute_distance_to_coast" => {
            vec![
                ("water", json!({"reference": ocean("thetao")})),
                ("both", json!({"reference": field, "sign": true})),
            ]
        }
        "concat_time" => {
            let part = |from: &str, to: &str| json!({"variable": "sst", "time": [from, to]});
            vec![
                ("apart", json!({"fields": [part("2001-02", "2001-06"), part("2000-01", "2000-12")]})),
                (
                    "overlap",
                    json!({"fields": [part("2000-01", "2000-12"), part("2000-10", "2001-03")], "duplicates": "last"}),
                ),
            ]
        }
        _ => return None,
    })
}
