//! Series that several families start from.

use serde_json::{Value, json};

use crate::reference::bench::{Session, Step};
use crate::reference::case::Given;

/// The baseline of a text that ends in `1971-2000`; these years when it names none.
pub(super) fn baseline_of(text: &str) -> [String; 2] {
    let years = text.split_whitespace().find_map(|word| {
        let (from, to) = word.trim_end_matches(';').split_once('-')?;
        let year = |text: &str| text.len() == 4 && text.chars().all(|c| c.is_ascii_digit());
        (year(from) && year(to)).then(|| [from.to_owned(), to.to_owned()])
    });
    years.unwrap_or_else(|| ["1971".to_owned(), "2000".to_owned()])
}

/// Two dates of a parameter `baseline`, written as texts or years.
pub(super) fn baseline(params: &Given) -> Result<Value, String> {
    window(params, "baseline")
}

/// Two dates of a parameter, written as texts or years.
pub(super) fn window(params: &Given, key: &str) -> Result<Value, String> {
    let pair = params.need(key)?.as_array().ok_or_else(|| format!("`params/{key}` is no pair"))?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(json!(pair.iter().map(text).collect::<Vec<_>>()))
}

/// The anomaly index that a text such as `nino34 anomaly 1971-2000` names.
pub(super) async fn index(session: &Session, text: &str) -> Result<Step, String> {
    let name = text.split_whitespace().next().unwrap_or_default();
    let known = ["nino12", "nino3", "nino34", "nino4"].contains(&name);
    if !(known && text.contains("anomal")) {
        return Err(format!("the series `{text}` is unknown; known is: nino34 anomaly, of a baseline"));
    }
    let arguments = json!({
        "sst": {"variable": "sst"}, "index": name, "weighting": "cos_lat", "baseline": baseline_of(text),
    });
    session.call("compute_climate_index", arguments).await
}

/// Area mean of a box, weighted by the cosine of latitude.
pub(super) async fn box_mean(
    session: &Session,
    variable: &str,
    region: Option<Value>,
) -> Result<Step, String> {
    let mut selection = json!({ "variable": variable });
    if let Some(region) = region {
        selection["region"] = region;
    }
    session.call("compute_area_weighted_mean", json!({ "data": selection, "weighting": "cos_lat" })).await
}

/// Anomalies of that mean.
pub(super) async fn box_anomaly(
    session: &Session,
    region: Option<Value>,
    baseline: Value,
) -> Result<Step, String> {
    let mean = box_mean(session, "sst", region).await?;
    session.call("compute_anomaly", json!({ "timeseries": mean.reference, "baseline": baseline })).await
}
