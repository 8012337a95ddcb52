//! Conditions, vectors and observations.

use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { field, .. } = inputs;
    Some(match tool {
        "build_condition_mask" => vec![
            (
                "two",
                json!({"fields": {"t": ocean("thetao"), "o": ocean("o2")}, "expression": "t > 15 and o < 200 or not isfinite(o)"}),
            ),
            (
                "baseline",
                json!({"fields": {"sst": field}, "expression": "sst > percentile(sst, 90, time) and sst > mean(sst, lon) + 0.1",
                       "baseline": ["2000-01", "2001-12"], "mask_name": "hot"}),
            ),
        ],
        "rotate_vectors" => {
            let angle = leg_core::Artifact::array(
                leg_core::Kind::Map,
                "angle",
                leg_core::Variable {
                    name: "angle".to_owned(),
                    standard_name: None,
                    units: "degree".to_owned(),
                    dims: vec!["lat".to_owned(), "lon".to_owned()],
                    shape: vec![5, 6],
                    values: vec![90.0; 30],
                },
            )
            .with_coord(
                "lat",
                leg_core::Coord::numbers(&[30.0, 31.0, 32.0, 33.0, 34.0], "degrees_north", "latitude"),
            )
            .with_coord(
                "lon",
                leg_core::Coord::numbers(
                    &[-40.0, -39.0, -38.0, -37.0, -36.0, -35.0],
                    "degrees_east",
                    "longitude",
                ),
            );
            vec![("quarter turn", json!({"u": ocean("uo"), "v": ocean("vo"), "angle": bench.keep(&angle)}))]
        }
        "match_observations" => {
            let rows = json!([
                [-37.6, 31.2, 30.0, "2000-03-05T00:00:00Z", 15.0],
                [-20.0, 31.0, 30.0, "2000-03-05T00:00:00Z", 1.0]
            ]);
            let table = leg_core::Artifact::document(
                leg_core::Kind::Table,
                "bottles",
                json!({"columns": ["lon", "lat", "depth", "time", "temp"], "units": ["", "", "m", "", "degC"], "rows": rows}),
            );
            let table = bench.keep(&table);
            vec![
                (
                    "table",
                    json!({"data": ocean("thetao"), "observations": table, "max_distance_km": 100, "max_time_hours": 240}),
                ),
                (
                    "field",
                    json!({"data": ocean("thetao"), "observations": {"variable": "thetao", "dataset": "ocean", "time": ["2001-02", "2001-02"]},
                           "method": "linear"}),
                ),
            ]
        }
        _ => return None,
    })
}
