//! Composites.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use super::series_inputs::{baseline_of, index};
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;
use crate::reference::facts::digest;

/// The family `composite`.
#[derive(Debug)]
pub(super) struct Composite;

#[async_trait]
impl Adapter for Composite {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "composite"
            && ["composite difference with t-test", "composite with one-sample t-test"].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        case.params.one_of("test", &["Welch two-sided", "mean against 0, two-sided"])?;
        let session = bench.open_one(case.input.text("file")?)?;
        let mut field = json!({ "variable": "sst" });
        if let Some(region) = case.input.region()? {
            field["region"] = region;
        }
        if let Some(years) = case.params.get("years") {
            let ask = json!({
                "field": field, "years": years, "season": "DJF", "baseline": baseline_of(""), "alpha": 0.05,
            });
            let found = session.call("compute_composite_field", ask).await?;
            return Ok(json!({
                "mean": digest(found.values("")?, found.shape("")?),
                "n_p_below_005": found.content("n_p_below_alpha")?,
            }));
        }
        let text = case.params.text("index")?;
        let (above, below) = thresholds(text)?;
        let index = index(&session, text).await?;
        let ask = json!({
            "field": field, "index_timeseries": index.reference, "season": "DJF", "above": above, "below": below,
            "baseline": baseline_of(text), "alpha": 0.05,
        });
        difference(&session.call("compute_composite_field", ask).await?)
    }
}

fn difference(found: &Step) -> Result<Value, String> {
    let years = |key: &str| -> Result<Vec<i64>, String> {
        let list = found.content(key)?.as_array().cloned().unwrap_or_default();
        Ok(list.iter().filter_map(|year| year.as_str()?.parse().ok()).collect())
    };
    let place = found.draft("max")?.place.clone().unwrap_or_default();
    Ok(json!({
        "warm_years": years("high")?, "cold_years": years("low")?,
        "diff": digest(found.values("")?, found.shape("")?),
        "n_p_below_005": found.content("n_p_below_alpha")?,
        "max_at": {
            "lat": place["lat"], "lon": place["lon"], "t": found.number("t_at_max")?, "p": found.number("p_at_max")?,
        },
    }))
}

/// The thresholds of `… DJF mean of anomalies …; warm >= 0.8, cold <= -0.8; year is that of December`.
fn thresholds(text: &str) -> Result<(f64, f64), String> {
    let unknown = || format!("`params/index` is `{text}`, which is unknown");
    if !(text.contains("DJF mean of anomalies") && text.ends_with("year is that of December")) {
        return Err(unknown());
    }
    let after = |mark: &str| -> Option<f64> {
        let rest = text.split_once(mark)?.1.trim_start();
        rest.split([',', ';']).next()?.trim().parse().ok()
    };
    after("warm >=").zip(after("cold <=")).ok_or_else(unknown)
}
