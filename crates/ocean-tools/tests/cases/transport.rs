//! Transports, streamfunctions and diagrams of time against space.

use serde_json::{Value, json};

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let through = |members: Value| {
        let mut arguments =
            json!({"u": ocean("uo"), "v": ocean("vo"), "transect_points": [[-38, 30], [-38, 34]]});
        if let (Some(own), Value::Object(members)) = (arguments.as_object_mut(), members) {
            own.extend(members);
        }
        arguments
    };
    let path = json!([[-39.5, 30.5], [-37, 33.2], [-36, 31]]);
    Some(match tool {
        "compute_hovmoller" => vec![
            ("longitude", json!({"data": inputs.field, "diagram_type": "time_lon"})),
            ("latitude", json!({"data": inputs.field, "diagram_type": "time_lat", "aggregate_dim": "max"})),
            (
                "depth",
                json!({"data": ocean("thetao"), "diagram_type": "time_depth", "anomaly_baseline": ["2000", "2001"],
                       "spatial_weighting": "cos_lat"}),
            ),
        ],
        "compute_volume_transport" => vec![
            ("meridian", through(json!({"depth": {"range": [0, 60]}, "positive": "north_east"}))),
            ("path", through(json!({"transect_points": path, "n_samples": 25}))),
        ],
        "compute_geostrophic_transport" => {
            let water = json!({"temp": ocean("thetao"), "salt": ocean("so"), "reference_depth": 90});
            let (_, heights) = bench.step("compute_dynamic_height", water).await;
            vec![
                ("path", json!({"dynamic_height": heights, "transect_points": path, "n_samples": 12})),
                (
                    "parallel",
                    json!({"dynamic_height": heights, "transect_points": [[-36, 32], [-40, 32]], "columns": "complete",
                           "depth": {"range": [0, 60]}, "positive": "north_east", "time": ["2001", "2001"]}),
                ),
            ]
        }
        "compute_heat_transport" => {
            vec![("path", through(json!({"transect_points": path, "temp": ocean("thetao")})))]
        }
        "compute_salt_transport" | "compute_freshwater_transport" => {
            vec![(
                "parallel",
                through(json!({"transect_points": [[-40, 32], [-36, 32]], "salt": ocean("so")})),
            )]
        }
        "compute_overturning_streamfunction" => vec![
            ("all", json!({"v": ocean("vo")})),
            ("one", json!({"v": ocean("vo"), "time": ["2001-06", "2001-06"], "sign": "southward_above"})),
        ],
        "compute_transport_streamfunction_map" => vec![
            ("mean", json!({"u": ocean("uo")})),
            ("upper", json!({"u": ocean("uo"), "depth": {"range": [0, 100]}, "zero_at": [-38, 32]})),
        ],
        "compute_distance" => vec![
            ("pair", json!({"points": [[-63.58, 44.65], [-157.87, 21.3]]})),
            ("antipodes", json!({"points": [[0, 0], [10, 60], [-170, -60], [9.8, 59.9]]})),
        ],
        _ => return None,
    })
}
