//! Selecting, cutting, masking, sampling.

use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { ask, field, .. } = inputs;
    Some(match tool {
        "get_dataset_info" => vec![("default", json!({})), ("named", json!({"dataset": "grid"}))],
        "list_available_datasets" => vec![("all", json!({}))],
        "compute_variable_summary" => {
            vec![("all", json!({})), ("one", json!({"dataset": "ocean", "variables": ["time"]}))]
        }
        "decode_time" => vec![
            ("leap", json!({"units": "days since 2000-02-28", "values": [0, 1, 2.5]})),
            (
                "360",
                json!({"units": "hours since 1900-01-01 06:00", "calendar": "360_day", "values": [1_234_567.25]}),
            ),
        ],
        "load_dataset" => vec![
            ("all", ask.clone()),
            (
                "part",
                json!({"variable": "temperature", "time": ["2001", "2001-06"], "season": "MAM", "dataset": "grid",
                       "region": {"lon": [170, -170], "lat": [-5, 5]}}),
            ),
        ],
        "extract_4d_subset" => vec![
            (
                "map",
                json!({"data": field, "time": ["2001-01", "2001-01"], "region": {"lon": [170, -170], "lat": [-5, 5]}}),
            ),
            (
                "column",
                json!({"data": ocean("thetao"), "depth": {"range": [10, 120]}, "time_indices": [0, 5]}),
            ),
        ],
        "interpolate_data" => vec![
            ("points", json!({"data": field, "points": [[179.0, 1.0], [-179.0, -2.0]]})),
            (
                "times",
                json!({"data": field, "points": [[160.0, 1.0]], "time_points": ["2001-02-03T12:00:00Z"], "method": "nearest"}),
            ),
        ],
        "regrid_conservative" => {
            let target = json!({"nlon": 4, "nlat": 3, "lon0": 160.0, "dlon": 5.0, "lat0": -3.0, "dlat": 3.0});
            ["conservative", "bilinear", "nearest"]
                .map(|method| (method, json!({"data": field, "target": target, "method": method})))
                .to_vec()
        }
        "convert_units" => vec![
            ("kelvin", json!({"data": field, "target_unit": "K"})),
            ("oxygen", json!({"data": ocean("o2"), "target_unit": "mL L-1", "substance": "O2"})),
        ],
        "build_threshold_mask" => vec![
            ("warm", json!({"data": field, "threshold": 27.0, "comparison": "gt"})),
            (
                "named",
                json!({"data": ocean("o2"), "threshold": 130.0, "comparison": "le", "mask_name": "low_oxygen"}),
            ),
        ],
        "build_polygon_mask" => vec![
            ("triangle", json!({"reference": field, "polygon_points": [[170, -5], [190, -5], [180, 5]]})),
            (
                "outside",
                json!({"reference": field, "polygon_points": [[170, -5], [-170, -5], [180, 5]], "invert": true}),
            ),
        ],
        "build_named_region_mask" => vec![("box", json!({"reference": field, "name": "nino4"}))],
        "combine_masks" => {
            let warm = json!({"data": field, "threshold": 26.0, "comparison": "gt"});
            let (_, warm) = bench.step("build_threshold_mask", warm).await;
            let inside = json!({"reference": field, "polygon_points": [[170, -5], [190, -5], [180, 5]]});
            let (_, inside) = bench.step("build_polygon_mask", inside).await;
            ["and", "or", "xor"]
                .map(|operation| {
                    (operation, json!({"masks": [inside, warm], "operation": operation, "invert": true}))
                })
                .to_vec()
        }
        "apply_mask" => {
            let inside = json!({"reference": field, "polygon_points": [[170, -5], [190, -5], [180, 5]]});
            let (_, inside) = bench.step("build_polygon_mask", inside).await;
            vec![
                ("blank", json!({"data": field, "mask": inside})),
                ("fill", json!({"data": field, "mask": inside, "fill_value": 0.0})),
            ]
        }
        "compute_coverage" => {
            ["time", "space", "depth"].map(|by| (by, json!({"data": ocean("thetao"), "by": by}))).to_vec()
        }
        "compute_cell_metrics" => {
            vec![("flat", json!({"reference": field})), ("layers", json!({"reference": ocean("thetao")}))]
        }
        "compute_bottom_index" => vec![("shelf", json!({"data": ocean("thetao")}))],
        _ => return None,
    })
}
