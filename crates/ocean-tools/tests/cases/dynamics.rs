//! Currents and winds.

use serde_json::{Value, json};

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let with = |members: Value| {
        let mut arguments = json!({"u": ocean("uo"), "v": ocean("vo")});
        if let (Some(own), Value::Object(members)) = (arguments.as_object_mut(), members) {
            own.extend(members);
        }
        arguments
    };
    let surface = with(json!({"depth": "surface", "time": ["2001-06", "2001-06"]}));
    let stress = |members: Value| {
        let mut arguments = json!({"taux": ocean("tauuo"), "tauy": ocean("tauvo")});
        if let (Some(own), Value::Object(members)) = (arguments.as_object_mut(), members) {
            own.extend(members);
        }
        arguments
    };
    Some(match tool {
        "compute_speed_from_uv" | "compute_kinetic_energy" => {
            vec![("column", with(json!({}))), ("surface", surface)]
        }
        "compute_divergence" => vec![("column", with(json!({"coasts": "one_sided"}))), ("surface", surface)],
        "compute_strain_rate" => vec![("column", with(json!({"component": "shear"}))), ("surface", surface)],
        "compute_okubo_weiss" => vec![("column", with(json!({"normalise": false}))), ("surface", surface)],
        "compute_rossby_number" => vec![("column", with(json!({"mask_lat": 31.5}))), ("surface", surface)],
        "compute_spatial_vorticity_map" => vec![
            ("mean", with(json!({}))),
            ("largest", with(json!({"depth_aggregation": "max", "time_aggregation": "std", "wrap": false}))),
            ("surface", surface),
        ],
        "compute_geostrophic_velocity" => vec![
            ("height", json!({"ssh": ocean("zos")})),
            ("masked", json!({"ssh": ocean("zos"), "mask_lat": 40, "time": ["2001", "2001"]})),
        ],
        "compute_wind_stress" => vec![
            ("bulk", json!({"u10": ocean("uo"), "v10": ocean("vo")})),
            (
                "relative",
                json!({"u10": ocean("uo"), "v10": ocean("vo"), "u_current": ocean("vo"), "v_current": ocean("uo"),
                       "formula": "constant", "drag_coefficient": 0.0013}),
            ),
        ],
        "compute_ekman_transport" => vec![
            ("transport", stress(json!({}))),
            ("offshore", stress(json!({"coast_angle": 10, "time": ["2001-06", "2001-06"]}))),
        ],
        "compute_ekman_pumping" => vec![
            ("times", stress(json!({}))),
            ("one", stress(json!({"time": ["2001-06", "2001-06"], "mask_lat": 31.5}))),
        ],
        "compute_eddy_kinetic_energy" => vec![
            ("record", with(json!({"depth": "surface"}))),
            ("climatology", with(json!({"mean": "climatology", "depth": {"range": [0, 60]}}))),
        ],
        "compute_derived_field" => {
            let of = |kind: &str| json!({"data": ocean("thetao"), "field_type": kind});
            let fields =
                json!({"temp": ocean("thetao"), "salt": ocean("so"), "u": ocean("uo"), "v": ocean("vo")});
            let (_, all) = bench.step("assemble_dataset", json!({"variables": fields})).await;
            let (_, sigma) =
                bench.step("compute_density", json!({"temp": ocean("thetao"), "salt": ocean("so")})).await;
            vec![
                ("horizontal", of("horizontal_gradient")),
                ("sobel", of("sobel")),
                ("vertical", of("vertical_gradient")),
                ("member", json!({"dataset": all, "variable": "temp", "field_type": "horizontal_gradient"})),
                ("vorticity", with(json!({"field_type": "vorticity", "wrap": false}))),
                ("speed", json!({"dataset": all, "field_type": "speed"})),
                ("water", json!({"dataset": all, "field_type": "buoyancy_frequency"})),
                (
                    "density",
                    json!({"density": sigma, "field_type": "buoyancy_frequency", "depth": {"range": [0, 90]}}),
                ),
            ]
        }
        "compute_richardson_number" => {
            // Any field in s-2 on the levels of the shear serves the contract.
            let (_, n2) = bench.step("compute_okubo_weiss", with(json!({"normalise": false}))).await;
            let (_, shear) = bench.step("compute_strain_rate", with(json!({}))).await;
            vec![("column", json!({"n2_data": n2, "shear": shear}))]
        }
        "compute_vertical_shear" => vec![("column", with(json!({})))],
        "compute_frontogenesis" => vec![("column", with(json!({"data": ocean("thetao")})))],
        _ => return None,
    })
}
