//! Means over area and volume.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::{argmax, argmin, every, step_of};
use crate::reference::selection::selection_of;

/// The family `area_mean`.
#[derive(Debug)]
pub(super) struct AreaMean;

#[async_trait]
impl Adapter for AreaMean {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        [
            "area-weighted mean time series",
            "area-weighted spatial statistics",
            "zonal mean",
            "volume-weighted mean",
        ]
        .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "area-weighted spatial statistics" => statistics(case, bench).await,
            "zonal mean" => zonal(case, bench).await,
            "volume-weighted mean" => volume(case, bench).await,
            _ => series(case, bench).await,
        }
    }
}

async fn series(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("weights", &["cos(latitude)"])?;
    case.params.one_of("box", &["inclusive of cell centres"])?;
    if case.params.get("skip_missing").is_some_and(|value| value != true) {
        return Err("`params/skip_missing` must be true".to_owned());
    }
    let session = bench.open_one(case.input.text("file")?)?;
    let selection = selection_of(&case.input, bench)?;
    let mean = session
        .call("compute_area_weighted_mean", json!({ "data": selection, "weighting": "cos_lat" }))
        .await?;
    let values = mean.values("")?;
    let mut answer = Map::new();
    answer.insert("n".to_owned(), json!(values.len()));
    answer.insert("values".to_owned(), json!(values));
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

async fn statistics(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("weights", &["cos(latitude)"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    // The members of the expected values name the quantiles: `quantile_05_50_95_weighted`.
    let wanted: Vec<f64> = case
        .expected_keys()
        .filter_map(|key| key.strip_prefix("quantile_"))
        .flat_map(|key| key.split('_'))
        .filter_map(|part| part.parse::<f64>().ok())
        .map(|percent| percent / 100.0)
        .collect();
    let mut quantiles = wanted;
    quantiles.sort_by(f64::total_cmp);
    quantiles.dedup();
    let call =
        json!({ "data": selection_of(&case.input, bench)?, "weighting": "cos_lat", "quantiles": quantiles });
    let found = session.call("compute_spatial_statistics", call).await?;
    let mut answer = Map::new();
    for name in ["mean", "std", "sum_weights", "min", "max", "rms", "n"] {
        answer.insert(name.to_owned(), json!(found.number(name)?));
    }
    let rows = found.artifact()?.content["rows"].as_array().cloned().unwrap_or_default();
    for key in case.expected_keys().filter(|key| key.starts_with("quantile_")) {
        let column = if key.ends_with("_unweighted") { 2 } else { 1 };
        let values: Vec<Value> = rows.iter().map(|row| row[column].clone()).collect();
        answer.insert(key.to_owned(), json!(values));
    }
    Ok(answer.into())
}

async fn zonal(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let found =
        session.call("compute_zonal_mean", json!({ "data": selection_of(&case.input, bench)? })).await?;
    let mut values = found.values("")?.to_vec();
    // Ours run from south to north, the case's as the file has them.
    if bench.is_northern_first(&case.input)? {
        values.reverse();
    }
    Ok(json!({ "n": values.len(), "values": values }))
}

async fn volume(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("weights", &["cos(latitude) x layer thickness"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let selection = selection_of(&case.input, bench)?;
    if case.params.get("layer_edges").is_some() {
        let edges = case.params.numbers("layer_edges")?;
        bench.has_layer_edges(&case.input, &edges)?;
    }
    let found = session
        .call("compute_area_weighted_mean", json!({ "data": selection, "weighting": "cos_lat" }))
        .await?;
    Ok(json!({ "values": found.values("")? }))
}
