//! Water masses: diagrams, layers, extremes, mixtures.

use serde_json::json;

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let (temp, salt, oxygen) = (ocean("thetao"), ocean("so"), ocean("o2"));
    let water = json!({"temp": temp, "salt": salt});
    let density = match tool {
        "compute_isopycnal_layer_mean" | "identify_salinity_extremum" => {
            bench.step("compute_density", water.clone()).await.1
        }
        _ => json!(null),
    };
    Some(match tool {
        "compute_isopycnal_layer_mean" => vec![
            ("inside", json!({"data": salt, "density": density, "sigma0_upper": 26.2, "sigma0_lower": 27.0})),
            (
                "cut",
                json!({"data": temp, "density": density, "sigma0_upper": 20, "sigma0_lower": 28, "layers": "bounds"}),
            ),
        ],
        "identify_salinity_extremum" => vec![
            ("maximum", json!({"salt": salt, "density": density})),
            ("minimum", json!({"salt": temp, "kind": "min", "depth_range": [0, 200]})),
        ],
        "compute_watermass_fraction" => vec![
            (
                "two properties",
                json!({"temp": temp, "salt": salt, "sources": [
                    {"name": "warm", "temp": 22, "salt": 35.2}, {"name": "cold", "temp": 5, "salt": 35.0},
                    {"name": "mid", "temp": 12, "salt": 35.3}]}),
            ),
            (
                "oxygen",
                json!({"temp": temp, "salt": salt, "oxygen": oxygen, "weights": [2, 1, 1, 4], "sources": [
                    {"name": "warm", "temp": 22, "salt": 35.2, "oxygen": 240},
                    {"name": "cold", "temp": 5, "salt": 35.0, "oxygen": 120}]}),
            ),
        ],
        "compute_nutrient_ratio" => vec![
            ("plain", json!({"nitrate": oxygen, "phosphate": oxygen})),
            (
                "original",
                json!({"nitrate": oxygen, "phosphate": oxygen, "form": "gruber_sarmiento", "density": 1027}),
            ),
        ],
        "compute_ts_diagram" => vec![
            ("all", json!({"temp": temp, "salt": salt})),
            (
                "sample",
                json!({"temp": temp, "salt": salt, "color_field": oxygen, "max_points": 100, "seed": 3}),
            ),
            ("head", json!({"temp": temp, "salt": salt, "max_points": 100, "sampling": "head"})),
        ],
        _ => return None,
    })
}
