//! Columns: what they hold, how stable they are, and the structures in them.

use serde_json::json;

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let (temp, salt) = (ocean("thetao"), ocean("so"));
    let density = match tool {
        "analyze_vertical_structure"
        | "compute_stratification_index"
        | "compute_vertical_stability_timeseries" => {
            bench.step("compute_density", json!({"temp": temp, "salt": salt})).await.1
        }
        _ => json!(null),
    };
    let mixed = match tool {
        "compute_mixed_layer_mean"
        | "compute_mld_thermocline_offset"
        | "detect_subsurface_chlorophyll_maximum" => {
            bench.step("identify_mixed_layer_depth", json!({"temp": temp})).await.1
        }
        _ => json!(null),
    };
    let thermocline = match tool {
        "compute_mld_thermocline_offset" => {
            bench.step("identify_thermocline_depth", json!({"temp": temp})).await.1
        }
        _ => json!(null),
    };
    Some(match tool {
        "analyze_vertical_structure" => vec![
            ("mixed layer", json!({"structure_type": "mld", "data": density})),
            (
                "by name",
                json!({"structure_type": "mld", "dataset": "ocean", "variable": "thetao", "threshold": 0.5}),
            ),
            ("thermocline", json!({"structure_type": "thermocline", "data": temp, "threshold": 0.03})),
            ("pycnocline", json!({"structure_type": "pycnocline", "data": density})),
        ],
        "compute_stratification_index" => vec![
            ("difference", json!({"density": density})),
            (
                "gradient",
                json!({"density": density, "surface_depth": 10, "bottom_depth": 100, "method": "density_gradient"}),
            ),
            (
                "energy",
                json!({"density": density, "depth_range": [0, 100], "method": "potential_energy_anomaly"}),
            ),
        ],
        "compute_mixed_layer_mean" => vec![
            ("usual", json!({"data": temp, "mixed_layer_depth": mixed})),
            (
                "lines",
                json!({"data": salt, "mixed_layer_depth": mixed, "layers": "trapezoid", "min_coverage": 0.5}),
            ),
        ],
        "compute_mld_thermocline_offset" => {
            vec![("signed", json!({"mixed_layer_depth": mixed, "thermocline_depth": thermocline}))]
        }
        "compute_vertical_stability_timeseries" => vec![
            ("density", json!({"density": density, "depth_range": [0, 150], "weighting": "equal"})),
            (
                "water",
                json!({"temp": temp, "salt": salt, "region": {"lon": [-40, -38], "lat": [30, 32]},
                       "time": ["2000", "2000"]}),
            ),
        ],
        "compute_freshwater_content" => vec![
            ("isohaline", json!({"salt": salt, "s_ref": 35.03})),
            ("layer", json!({"salt": salt, "depth_range": [0, 100], "layers": "midpoint"})),
        ],
        "compute_tropical_cyclone_heat_potential" => vec![
            ("plain", json!({"temp": temp, "isotherm": 15})),
            ("water", json!({"temp": temp, "salt": salt, "isotherm": 15})),
        ],
        "detect_oxygen_minimum_zone" => vec![
            ("open", json!({"oxygen": ocean("o2"), "threshold": 150})),
            ("none", json!({"oxygen": ocean("o2")})),
        ],
        "compute_light_attenuation" => vec![("column", json!({"chlorophyll": ocean("chl")}))],
        "detect_subsurface_chlorophyll_maximum" => vec![
            ("level", json!({"chlorophyll": ocean("chl")})),
            (
                "gaussian",
                json!({"chlorophyll": ocean("chl"), "mixed_layer_depth": mixed, "min_ratio": 1.2,
                       "method": "gaussian"}),
            ),
        ],
        _ => return None,
    })
}
