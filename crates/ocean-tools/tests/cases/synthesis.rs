//! Figures and tables.

use serde_json::json;

use super::{Case, Inputs};

pub(crate) fn cases(tool: &str, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { series, climatology, map, trend, .. } = inputs;
    Some(match tool {
        "render_figure" => vec![
            ("series", json!({"artifact": series, "width": 400})),
            ("climatology", json!({"artifact": climatology, "width": 400})),
            ("map", json!({"artifact": map, "palette": "thermal", "range": "full", "width": 400})),
        ],
        "export_netcdf" => vec![("series", json!({"artifact": series})), ("map", json!({"artifact": map}))],
        "export_table" => vec![
            ("series", json!({"artifact": series})),
            ("map", json!({"artifact": map, "format": "json"})),
            ("statistic", json!({"artifact": trend})),
        ],
        _ => return None,
    })
}
