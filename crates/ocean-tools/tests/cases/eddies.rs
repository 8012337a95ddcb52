//! Potential vorticity, modes, eddies, circulation, upwelling, drift.

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
    Some(match tool {
        "compute_potential_vorticity" => {
            let density = density(bench).await;
            vec![
                ("planetary", json!({"density": density, "form": "planetary"})),
                ("vertical", with(json!({"density": density}))),
                ("full", with(json!({"density": density, "form": "full", "coasts": "one_sided"}))),
            ]
        }
        "compute_rossby_radius" | "compute_vertical_modes" => {
            // Any field in s-2 serves the contract; that of the parameter is positive in places.
            let (_, n2) = bench.step("compute_okubo_weiss", with(json!({"normalise": false}))).await;
            let method = if tool == "compute_rossby_radius" { "method" } else { "n_modes" };
            let other = if tool == "compute_rossby_radius" { json!("eigen") } else { json!(2) };
            vec![("default", json!({"n2": n2})), ("other", json!({"n2": n2, method: other}))]
        }
        "compute_eddy_flux" => vec![
            ("climatology", with(json!({"data": ocean("thetao")}))),
            ("record", with(json!({"data": ocean("so"), "mean": "record", "depth": "surface"}))),
        ],
        "compute_energy_conversion" => vec![
            ("barotropic", with(json!({"depth": "surface"}))),
            ("both", with(json!({"w": ocean("wo"), "density": density(bench).await}))),
        ],
        "compute_circulation" => {
            let path = json!([[-39.5, 30.5], [-37.5, 30.5], [-37.5, 32.5], [-39.5, 32.5]]);
            vec![
                ("column", with(json!({"path": path, "n_samples": 40, "depth": {"range": [0, 60]}}))),
                ("surface", with(json!({"path": path, "depth": "surface", "time": ["2001", "2001"]}))),
            ]
        }
        "compute_upwelling_index_sst" => {
            let sst = json!({"variable": "thetao", "dataset": "ocean", "depth": "surface"});
            vec![
                ("index", json!({"sst": sst, "offshore_km": [200, 500]})),
                ("plain", json!({"sst": sst, "offshore_km": [200, 500], "deseasonalise": false})),
            ]
        }
        "compute_ftle" => {
            let ask = |direction: &str| {
                with(
                    json!({"depth": "surface", "start": "2000-06-01", "days": 3, "direction": direction, "dt_minutes": 360}),
                )
            };
            vec![("backward", ask("backward")), ("forward", ask("forward"))]
        }
        "advect_particles" => {
            let release = json!([[-39, 31], [-38, 32.2], [-35.1, 33]]);
            let ask = |diffusivity: u32| {
                with(
                    json!({"depth": "surface", "start": "2000-06-01T12:00:00", "days": 5, "release": release,
                            "diffusivity": diffusivity, "seed": 3}),
                )
            };
            vec![("still", ask(0)), ("stirred", ask(100))]
        }
        _ => return None,
    })
}

/// The density of the ocean.
async fn density(bench: &Bench) -> Value {
    let water = json!({"temp": ocean("thetao"), "salt": ocean("so")});
    bench.step("compute_density", water).await.1
}
