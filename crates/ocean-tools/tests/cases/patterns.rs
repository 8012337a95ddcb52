//! Patterns, groups and distributions of fields.

use leg_core::{Artifact, Coord, Kind, Variable};
use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

/// A wave on 12 x 16 cells.
fn plane() -> Artifact {
    let variable = Variable {
        name: "wave".to_owned(),
        standard_name: None,
        units: "m".to_owned(),
        dims: vec!["lat".to_owned(), "lon".to_owned()],
        shape: vec![12, 16],
        values: (0..192_u32).map(|at| (f64::from(at / 16) * 0.8 + f64::from(at % 16) * 1.3).sin()).collect(),
    };
    let side = |from: f64, n: u32| (0..n).map(|at| from + 0.25 * f64::from(at)).collect::<Vec<f64>>();
    Artifact::array(Kind::Map, "wave", variable)
        .with_coord("lat", Coord::numbers(&side(30.0, 12), "degrees_north", "latitude"))
        .with_coord("lon", Coord::numbers(&side(-40.0, 16), "degrees_east", "longitude"))
}

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { ask, field, series, .. } = inputs;
    Some(match tool {
        "apply_fdr_control" => {
            let (_, trend) = bench.step("compute_field_trend", json!({"data": field})).await;
            vec![("trend", json!({"p_values": trend, "alpha": 0.2}))]
        }
        "compute_2d_histogram" => vec![
            ("ocean", json!({"data_x": ocean("thetao"), "data_y": ocean("so"), "n_bins": 6})),
            (
                "counts",
                json!({"data_x": field, "data_y": ask, "n_bins": 4, "normalize": false, "x_range": [25, 30],
                       "weighting": "equal"}),
            ),
        ],
        "compute_percentile_field" => vec![
            ("all", json!({"data": field, "percentiles": [10, 90]})),
            ("months", json!({"data": ocean("thetao"), "by": "month"})),
            ("series", json!({"data": series, "by": "season"})),
        ],
        "cluster_regions" => vec![
            ("means", json!({"data": field, "k": 3})),
            (
                "profiles",
                json!({"data": ocean("thetao"), "k": 2, "method": "gmm", "time": ["2001-03", "2001-03"]}),
            ),
        ],
        "compute_wavenumber_spectrum" => {
            let plane = bench.keep(&plane());
            vec![
                ("isotropic", json!({"data": plane})),
                ("rows", json!({"data": plane, "direction": "lon", "taper": "boxcar"})),
            ]
        }
        "compute_phase_speed" => {
            let ask = json!({"data": field, "diagram_type": "time_lon"});
            let (_, diagram) = bench.step("compute_hovmoller", ask).await;
            vec![
                ("all", json!({"hovmoller": diagram, "latitude": -1.0})),
                ("west", json!({"hovmoller": diagram, "speed_range": [-5.0, 0.0], "latitude": 2.0})),
            ]
        }
        "compute_mca" => vec![(
            "itself",
            json!({"field1": field, "field2": ask, "n_modes": 2, "deseasonalise": false, "n_surrogates": 9}),
        )],
        _ => return None,
    })
}
