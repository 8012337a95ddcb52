//! Sections, and flow through lines and round regions.

use serde_json::json;

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let path = json!([[-39.5, 30.5], [-37, 33.2], [-36, 31]]);
    let box_of = json!([[-39.5, 30.5], [-37, 30.5], [-37, 33.5], [-39.5, 33.5]]);
    let (u, v, temp, salt) = (ocean("uo"), ocean("vo"), ocean("thetao"), ocean("so"));
    Some(match tool {
        "extract_transect_section" => vec![
            ("linear", json!({"data": temp, "transect_points": path, "n_samples": 30})),
            (
                "nearest",
                json!({"data": temp, "transect_points": path, "n_samples": 10, "method": "nearest",
                       "time": ["2000-03", "2000-03"], "depth": {"range": [0, 100]}}),
            ),
            ("height", json!({"data": ocean("zos"), "transect_points": path, "n_samples": 10})),
        ],
        "compute_section_hovmoller" => {
            let ask = json!({"data": temp, "transect_points": path, "n_samples": 12});
            let (_, section) = bench.step("extract_transect_section", ask).await;
            vec![
                (
                    "distance",
                    json!({"section": section, "diagram_type": "time_distance", "depth_range": [0, 80]}),
                ),
                ("level", json!({"section": section, "diagram_type": "time_distance", "fixed_depth": 30})),
                (
                    "depth",
                    json!({"section": section, "diagram_type": "time_depth", "distance_range_km": [100, 400],
                           "aggregate_method": "max"}),
                ),
                (
                    "place",
                    json!({"section": section, "diagram_type": "time_depth", "fixed_distance_km": 250}),
                ),
            ]
        }
        "compute_transport_by_layer" => vec![
            ("depth", json!({"u": u, "v": v, "transect_points": path, "layer_bounds": [0, 50, 150, 500]})),
            (
                "density",
                json!({"u": u, "v": v, "temp": temp, "salt": salt, "transect_points": path, "n_samples": 20,
                       "layer_bounds": [20, 25, 26, 30], "coordinate": "sigma0", "transport_type": "heat"}),
            ),
            (
                "salt",
                json!({"u": u, "v": v, "salt": salt, "transect_points": path, "n_samples": 20,
                       "layer_bounds": [0, 100], "transport_type": "salt", "time": ["2000-01", "2000-02"]}),
            ),
            (
                "fresh",
                json!({"u": u, "v": v, "salt": salt, "transect_points": path, "n_samples": 20,
                       "layer_bounds": [0, 100], "transport_type": "freshwater", "s_ref": 34.8}),
            ),
        ],
        "compute_transect_normal_flux_hovmoller" => vec![
            ("path", json!({"u": u, "v": v, "transect_points": path, "n_samples": 15})),
            (
                "meridian",
                json!({"u": u, "transect_points": [[-38, 30], [-38, 34]], "depth": {"range": [0, 60]},
                       "positive": "north_east"}),
            ),
        ],
        "compute_closed_boundary_flux" => vec![
            ("volume", json!({"u": u, "v": v, "boundary": box_of, "n_samples": 60})),
            (
                "tracer",
                json!({"u": u, "v": v, "boundary": box_of, "tracer": temp, "depth": {"range": [0, 100]}}),
            ),
        ],
        _ => return None,
    })
}
