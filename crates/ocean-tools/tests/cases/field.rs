//! Maps and their statistics.

use serde_json::json;

use super::{Case, Inputs, ocean};

pub(crate) fn cases(tool: &str, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { field, .. } = inputs;
    Some(match tool {
        "compute_spatial_field" => vec![
            ("mean", json!({"data": field})),
            ("median", json!({"data": field, "time_aggregation": "median", "time": ["2001", "2001"]})),
        ],
        "compute_spatial_statistics" => vec![
            ("area", json!({"data": field, "time": ["2001-01", "2001-01"]})),
            ("volume", json!({"data": ocean("thetao"), "weighting": "equal", "quantiles": [0.1, 0.9]})),
        ],
        "compute_zonal_mean" => vec![
            ("times", json!({"data": field})),
            ("column", json!({"data": ocean("so"), "time": ["2001-01", "2001-01"]})),
        ],
        _ => return None,
    })
}
