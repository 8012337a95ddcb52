//! The annual cycle and departures from it.

use serde_json::json;

use super::{Case, Inputs, ocean};
use crate::fixture::Bench;

pub(crate) async fn cases(tool: &str, bench: &Bench, inputs: &Inputs) -> Option<Vec<Case>> {
    let Inputs { field, series, climatology, .. } = inputs;
    Some(match tool {
        "compute_climatology" => vec![
            ("monthly", json!({"timeseries": series})),
            ("seasonal", json!({"timeseries": series, "period": "seasonal", "baseline": ["2001", "2002"]})),
        ],
        "compute_anomaly" => vec![
            ("given", json!({"timeseries": series, "climatology": climatology})),
            ("own", json!({"timeseries": series, "baseline": ["2000", "2001"], "standardise": true})),
        ],
        "compute_doy_climatology" => {
            let days = bench.keep(&super::statistic::series_of(super::statistic::days(), "P1D"));
            vec![
                ("both", json!({"data": days, "baseline": ["2000", "2001"]})),
                (
                    "mean only",
                    json!({"data": days, "baseline": ["2000", "2001"], "percentiles": [], "smooth_days": 1, "leap": "skip"}),
                ),
            ]
        }
        "remove_seasonal_cycle" => {
            let days = bench.keep(&super::statistic::series_of(super::statistic::days(), "P1D"));
            vec![
                ("months", json!({"timeseries": series})),
                ("harmonics", json!({"timeseries": days, "harmonics": 2, "keep_mean": true})),
                ("days", json!({"timeseries": days, "method": "doy", "baseline": ["2000", "2001"]})),
            ]
        }
        "compute_field_climatology" => vec![
            ("monthly", json!({"data": field})),
            ("means", json!({"data": field, "spread": false})),
            ("column", json!({"data": ocean("thetao"), "period": "seasonal", "baseline": ["2000", "2001"]})),
        ],
        "compute_field_anomaly" => {
            let (_, cycle) = bench.step("compute_field_climatology", json!({"data": ocean("thetao")})).await;
            vec![("column", json!({"data": ocean("thetao"), "climatology": cycle}))]
        }
        _ => return None,
    })
}
