//! Parts of a field by coordinate.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::digest;

/// The family `subset`.
#[derive(Debug)]
pub(super) struct Subset;

#[async_trait]
impl Adapter for Subset {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        ["subset by coordinate", "subset across the longitude seam"].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        if case.params.get("inclusive").is_some_and(|value| value != true) {
            return Err("`params/inclusive` must be true".to_owned());
        }
        let session = bench.open_one(case.input.text("file")?)?;
        let mut selection = json!({ "variable": case.input.text("variable")? });
        if let Some(region) = case.params.region()? {
            selection["region"] = region;
        }
        if case.params.get("depth").is_some() {
            selection["depth"] = json!({ "range": case.params.numbers("depth")? });
        }
        if let Some(time) = case.params.get("time") {
            selection["time"] = time.clone();
        }
        let found = session.call("extract_4d_subset", json!({ "data": selection })).await?;
        let (values, shape) = (found.values("")?, found.shape("")?);
        let mut answer = digest(values, shape);
        answer["n_lon"] = json!(shape.last());
        let first = values.len() / shape.first().copied().unwrap_or(1).max(1);
        answer["time0_mean"] = digest(&values[..first], &[first])["mean"].clone();
        Ok(answer)
    }
}
