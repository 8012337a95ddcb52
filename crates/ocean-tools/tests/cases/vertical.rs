//! Columns: layers, surfaces and heights.

use serde_json::json;

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let (temp, salt) = (ocean("thetao"), ocean("so"));
    let water = json!({"temp": temp, "salt": salt});
    let density = match tool {
        "extract_isopycnal_surface"
        | "identify_mixed_layer_depth"
        | "identify_pycnocline_depth"
        | "compute_potential_energy_anomaly" => bench.step("compute_density", water.clone()).await.1,
        _ => json!(null),
    };
    Some(match tool {
        "compute_dynamic_height" => {
            vec![
                ("shallow", json!({"temp": temp, "salt": salt, "reference_pressure": 150.0})),
                ("depth", json!({"temp": temp, "salt": salt, "reference_depth": 90})),
            ]
        }
        "compute_steric_height" => {
            vec![("layer", json!({"temp": temp, "salt": salt, "pressure_range": [10.0, 150.0]}))]
        }
        "compute_barrier_layer_thickness" => vec![("usual", water)],
        "compute_ocean_heat_content" => vec![
            ("potential", json!({"temp": temp, "depth_range": [0, 100]})),
            ("mean", json!({"temp": temp, "depth_range": [0, 100], "time_mean": true})),
            (
                "conservative",
                json!({"temp": temp, "salt": salt, "depth_range": [0, 100], "layers": "trapezoid"}),
            ),
        ],
        "compute_vertical_integral" | "compute_layer_mean" => vec![
            ("layer", json!({"data": temp, "depth_range": [0, 100]})),
            (
                "bounds",
                json!({"data": temp, "depth_range": [0, 500], "layers": "bounds", "min_coverage": 0.1}),
            ),
        ],
        "compute_potential_energy_anomaly" => {
            vec![("layer", json!({"density": density, "depth_range": [0, 100]}))]
        }
        "extract_isopycnal_surface" => vec![
            ("temperature", json!({"data": temp, "density": density, "target_sigma0": 27.0})),
            ("last", json!({"data": temp, "density": density, "target_sigma0": 27.0, "occurrence": "last"})),
        ],
        "identify_mixed_layer_depth" => vec![
            ("density", json!({"density": density})),
            ("temperature", json!({"temp": temp, "threshold": 0.5})),
        ],
        "identify_isotherm_depth" => vec![("ten", json!({"temp": temp, "value": 10.0}))],
        "identify_thermocline_depth" => vec![
            ("usual", json!({"temp": temp})),
            ("plain", json!({"temp": temp, "refine": false, "below_depth": 50.0})),
        ],
        "identify_pycnocline_depth" => vec![("usual", json!({"density": density, "min_gradient": 0.001}))],
        "identify_halocline_depth" => vec![("usual", json!({"salt": salt, "min_gradient": 0.00001}))],
        "regrid_vertical" => vec![
            ("linear", json!({"data": temp, "levels": [10, 30, 75]})),
            ("monotone", json!({"data": temp, "levels": [10, 30, 75], "method": "monotone_cubic"})),
            ("conservative", json!({"data": temp, "levels": [10, 30, 75], "method": "conservative"})),
        ],
        "extract_vertical_profile" => vec![
            ("mean", json!({"data": temp, "lon": -38.0, "lat": 32.0})),
            ("each", json!({"data": temp, "lon": -38.0, "lat": 32.0, "time_aggregation": "each"})),
            ("land", json!({"data": temp, "lon": -35.0, "lat": 32.0})),
        ],
        _ => return None,
    })
}
