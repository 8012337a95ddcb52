//! Budgets of tracers and fluxes at the surface.

use serde_json::{Value, json};

use super::{Case, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench) -> Option<Vec<Case>> {
    let with = |members: Value| {
        let mut arguments = json!({"data": ocean("thetao"), "u": ocean("uo"), "v": ocean("vo")});
        if let (Some(own), Value::Object(members)) = (arguments.as_object_mut(), members) {
            own.extend(members);
        }
        arguments
    };
    let surface = |variable: &str| json!({"variable": variable, "dataset": "ocean", "depth": "surface"});
    Some(match tool {
        "compute_local_tendency" => vec![
            ("times", json!({"data": ocean("thetao")})),
            ("surface", json!({"data": ocean("so"), "depth": "surface", "time": ["2001", "2001"]})),
        ],
        "compute_horizontal_advection" => vec![("column", with(json!({})))],
        "compute_vertical_advection" => {
            vec![("column", json!({"data": ocean("thetao"), "w_data": ocean("wo")}))]
        }
        "compute_tracer_advection_map" => vec![
            ("mean", with(json!({"depth": {"range": [0, 60]}}))),
            ("largest", with(json!({"depth": "surface", "time_aggregation": "max"}))),
        ],
        "compute_tracer_horizontal_advection_timeseries" => vec![
            ("column", with(json!({"depth": {"range": [0, 60]}, "coasts": "one_sided"}))),
            ("surface", with(json!({"depth": "surface", "weighting": "equal", "time": ["2001", "2001"]}))),
        ],
        "compute_partial_tracer_budget" => vec![
            ("region", with(json!({"w_data": ocean("wo"), "depth": {"range": [0, 120]}}))),
            ("cells", with(json!({"depth": "surface", "aggregation": "none", "time": ["2001", "2001"]}))),
        ],
        "compute_budget_residual" | "compare_budget_term_magnitudes" => {
            let ask = with(json!({"w_data": ocean("wo"), "depth": {"range": [0, 120]}}));
            // Where there is no budget there is nothing to call with.
            let Ok(budget) = bench.try_call("compute_partial_tracer_budget", ask).await else {
                return Some(vec![("two", json!({}))]);
            };
            let term = |name: &str| bench.keep(&budget.artifacts[name]);
            let mut arguments = json!({
                "local_tendency": term("tendency"), "horizontal_advection": term("horizontal_advection"),
            });
            let two = arguments.clone();
            arguments["vertical_advection"] = term("vertical_advection");
            if tool == "compare_budget_term_magnitudes" {
                arguments["residual"] = term("residual");
            }
            vec![("two", two), ("all", arguments)]
        }
        "compute_mixed_layer_heat_budget" => {
            let mut arguments = json!({
                "temp": ocean("thetao"), "u": ocean("uo"), "v": ocean("vo"), "mld": ocean("mlotst"),
                "qnet": ocean("hfds"),
            });
            let plain = arguments.clone();
            arguments["w"] = ocean("wo");
            arguments["shortwave"] = ocean("rsntds");
            arguments["water_type"] = json!("IB");
            arguments["entrainment"] = json!("both");
            vec![("plain", plain), ("all", arguments)]
        }
        "compute_surface_heat_flux" => vec![(
            "bulk",
            json!({
                "sst": surface("thetao"), "t2": ocean("tas"),
                "q2": ocean("huss"), "u10": surface("uo"), "v10": surface("vo"), "swdn": ocean("rsntds"),
                "lwdn": ocean("rlds"),
            }),
        )],
        "compute_flux_form_budget" => {
            let terms = json!({"all": surface("uo"), "flow": surface("vo"), "mixing": surface("wo")});
            vec![(
                "surface",
                json!({"terms": terms, "tendency": "all", "volume": ocean("volcello"), "time": ["2001", "2001"]}),
            )]
        }
        "compute_air_sea_co2_flux" => {
            vec![(
                "surface",
                json!({
                    "pco2_sea": ocean("spco2"), "pco2_air": ocean("spco2"), "wind2": ocean("sfcwind2"),
                    "temp": surface("thetao"), "salt": surface("so"),
                }),
            )]
        }
        _ => return None,
    })
}
