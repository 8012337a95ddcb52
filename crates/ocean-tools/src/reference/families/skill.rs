//! Models against observations.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;

/// The family `skill`.
#[derive(Debug)]
pub(super) struct Skill;

#[async_trait]
impl Adapter for Skill {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "skill" && capability == "model-data skill scores"
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        case.params.one_of("weights", &["none"])?;
        let files = [("model", case.input.text("model")?), ("observed", case.input.text("observed")?)];
        let session = bench.open(&files)?;
        let at = case.input.index("time_index")?;
        let variable = case.input.text("variable")?;
        let mut ask = json!({ "weighting": "equal" });
        for (name, _) in files {
            // The instant is a date in a selection.
            let all = json!({ "variable": variable, "dataset": name });
            let mean = session.call("compute_area_weighted_mean", json!({ "data": all })).await?;
            let times = &mean.artifact()?.coords.get("time").ok_or("no times")?.values;
            let day = times
                .get(at)
                .and_then(Value::as_str)
                .and_then(|text| text.get(..10))
                .ok_or("no such time")?;
            ask[name] = json!({ "variable": variable, "dataset": name, "time": [day, day] });
        }
        let found = session.call("compute_skill_metrics", ask).await?;
        let names = [
            ("bias", "bias"),
            ("rmse", "rmse"),
            ("mae", "mae"),
            ("crmse", "crmse"),
            ("corr", "correlation"),
            ("std_model", "std_model"),
            ("std_obs", "std_observed"),
            ("nse", "nse"),
            ("willmott", "willmott"),
        ];
        let mut answer = json!({ "n": found.content("n")? });
        for (name, own) in names {
            answer[name] = json!(found.number(own)?);
        }
        Ok(answer)
    }
}
