//! Means over area and volume.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::{argmax, argmin, every, step_of};

/// The family `area_mean`.
#[derive(Debug)]
pub(super) struct AreaMean;

#[async_trait]
impl Adapter for AreaMean {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        capability == "area-weighted mean time series"
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        series(case, bench).await
    }
}

async fn series(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("weights", &["cos(latitude)"])?;
    case.params.one_of("box", &["inclusive of cell centres"])?;
    if case.params.get("skip_missing").is_some_and(|value| value != true) {
        return Err("`params/skip_missing` must be true".to_owned());
    }
    let session = bench.open_one(case.input.text("file")?)?;
    let mut selection = json!({ "variable": case.input.text("variable")? });
    if let Some(region) = case.input.region()? {
        selection["region"] = region;
    }
    let mean = session
        .call("compute_area_weighted_mean", json!({ "data": selection, "weighting": "cos_lat" }))
        .await?;
    let values = mean.values("")?;
    let mut answer = Map::new();
    answer.insert("n".to_owned(), json!(values.len()));
    for name in ["first", "last", "mean", "min", "max"] {
        answer.insert(name.to_owned(), json!(mean.number(name)?));
    }
    answer.insert("argmin".to_owned(), json!(argmin(values)));
    answer.insert("argmax".to_owned(), json!(argmax(values)));
    for (key, step) in case.expected_keys().filter_map(|key| Some((key, step_of(key)?))) {
        answer.insert(key.to_owned(), json!(every(values, step)));
    }
    answer.insert("n_cells_box".to_owned(), mean.artifact()?.attributes["cells"].clone());
    answer.insert("n_valid_first".to_owned(), json!(mean.values("count")?.first()));
    Ok(answer.into())
}
