//! Properties of sea water and water masses.

use serde_json::json;

use super::{Case, ocean};

pub(crate) fn cases(tool: &str) -> Option<Vec<Case>> {
    let (temp, salt, oxygen) = (ocean("thetao"), ocean("so"), ocean("o2"));
    let water = json!({"temp": temp, "salt": salt});
    let with = |key: &str, value: serde_json::Value| {
        let mut all = water.clone();
        all[key] = value;
        all
    };
    Some(match tool {
        // Any amount and any number serve the contract: the kernel is tested against its peer.
        "solve_carbonate_system" => vec![(
            "volume",
            json!({"temp": temp, "salt": salt, "par1": oxygen, "par1_type": "dic", "par2": temp, "par2_type": "ph"}),
        )],
        "compute_sound_speed"
        | "compute_thermal_haline_coefficients"
        | "compute_freezing_point_departure"
        | "compute_turner_angle"
        | "compute_brunt_vaisala_frequency"
        | "compute_oxygen_solubility" => vec![
            ("potential", water.clone()),
            ("absolute", with("salinity_kind", json!("absolute"))),
            ("in situ", with("temperature_kind", json!("in_situ"))),
        ],
        "compute_density" => vec![
            ("sigma0", water.clone()),
            ("sigma2", with("reference_pressure", json!(2000.0))),
            ("in situ", with("quantity", json!("in_situ"))),
        ],
        "compute_spiciness" => {
            vec![("surface", water.clone()), ("deep", with("reference_pressure", json!(2000)))]
        }
        "compute_sea_water_property" => vec![
            ("enthalpy", with("property", json!("enthalpy"))),
            ("gravity", with("property", json!("surface_gravity"))),
        ],
        "compute_oxygen_saturation" | "compute_apparent_oxygen_utilization" => {
            vec![("volume", with("oxygen", oxygen))]
        }
        "convert_temperature" => vec![
            ("in situ", json!({"data": temp, "salt": salt, "target_kind": "in_situ"})),
            ("conservative", json!({"data": temp, "salt": salt, "target_kind": "conservative"})),
        ],
        "convert_salinity" => vec![("absolute", json!({"data": salt, "target_kind": "absolute"}))],
        "convert_pressure_depth" => vec![
            ("pressure", json!({"data": temp, "target": "pressure"})),
            ("depth", json!({"data": temp, "target": "depth"})),
        ],
        "compute_ts_volume_census" => vec![(
            "classes",
            json!({"temp": temp, "salt": salt, "bins_t": [0, 5, 10, 15, 20, 25], "bins_s": [34, 35, 36]}),
        )],
        "compute_volume_by_class" => {
            vec![("classes", json!({"data": temp, "edges": [0, 5, 10, 15], "area": "centre"}))]
        }
        "cluster_water_masses" => vec![
            ("usual", json!({"temp": temp, "salt": salt, "k": 3})),
            ("started", json!({"temp": temp, "salt": salt, "k": 2, "every": 7, "start": [0, 20]})),
        ],
        _ => return None,
    })
}
