//! Profiles: gradients, overturns, mixing.

use serde_json::json;

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let water = json!({"temp": ocean("thetao"), "salt": ocean("so")});
    let density = match tool {
        "compute_density_gradient_profile" | "compute_thorpe_scale" => {
            bench.step("compute_density", water.clone()).await.1
        }
        _ => json!(null),
    };
    Some(match tool {
        "compute_density_gradient_profile" => vec![
            ("region", json!({"density": density, "region": {"lon": [-40, -37], "lat": [30, 33]}})),
            (
                "point",
                json!({"density": density, "method": "point", "lon": -38, "lat": 32, "time": ["2001", "2001"]}),
            ),
        ],
        "compute_thorpe_scale" => vec![("stable", json!({"density": density, "noise": 0.0005}))],
        "compute_diffusivity_finescale" => {
            let levels: Vec<f64> = (1..60).map(|at| 6.0 * f64::from(at)).collect();
            let fine = |variable: &str| json!({"data": ocean(variable), "levels": levels});
            let (_, temp) = bench.step("regrid_vertical", fine("thetao")).await;
            let (_, salt) = bench.step("regrid_vertical", fine("so")).await;
            let (_, n2) =
                bench.step("compute_brunt_vaisala_frequency", json!({"temp": temp, "salt": salt})).await;
            vec![
                ("strain", json!({"n2": n2, "window": 150})),
                ("wavelengths", json!({"n2": n2, "window": 200, "wavelengths": [200, 60], "r_omega": 7})),
            ]
        }
        _ => return None,
    })
}
