//! Trends, indices and what is tested.

use serde_json::json;

use super::{Case, Inputs};

pub(crate) fn cases(tool: &str, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { ask, field, series, .. } = inputs;
    Some(match tool {
        "compute_trend" => vec![
            ("linear", json!({"timeseries": series})),
            ("hac", json!({"timeseries": series, "autocorrelation": "hac", "per": "year"})),
            ("robust", json!({"timeseries": series, "method": "theil_sen", "deseasonalise": false})),
        ],
        "compute_climate_index" => vec![
            ("nino4", json!({"sst": field, "index": "nino4"})),
            ("oni", json!({"sst": ask, "index": "oni", "baseline": ["2000", "2002"]})),
        ],
        _ => return None,
    })
}
