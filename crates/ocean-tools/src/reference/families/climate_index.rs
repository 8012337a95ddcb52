//! Climate indices: climatology, anomaly, events.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::series_inputs::{baseline, box_mean};
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;
use crate::reference::facts::{every, step_of};

/// The family `climate_index`.
#[derive(Debug)]
pub(super) struct ClimateIndex;

const RULE: &str = "3-month centred mean >= +0.5 / <= -0.5 for >= 5 months";

#[async_trait]
impl Adapter for ClimateIndex {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "climate_index"
            && ["Nino index with monthly climatology", "monthly climatology and anomaly of an index series"]
                .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        case.params.one_of("weights", &["cos(latitude)"])?;
        case.params.one_of("event_rule", &[RULE])?;
        let file = case.input.text("file")?;
        let (session, series) = if case.input.get("column").is_some() {
            bench.open_column(file, case.input.text("column")?)?
        } else {
            let session = bench.open_one(file)?;
            let mean = box_mean(&session, case.input.text("variable")?, case.input.region()?).await?;
            (session, mean.reference)
        };
        let ask = json!({ "timeseries": series, "baseline": baseline(&case.params)? });
        let climatology = session.call("compute_climatology", ask.clone()).await?;
        let anomaly = session.call("compute_anomaly", ask).await?;
        let events = session.call("detect_index_events", json!({ "timeseries": anomaly.reference })).await?;
        let mut answer = answer(case, &climatology, &anomaly, &events)?;
        if case.wants("published_anomaly_corr") {
            // The file has the anomalies of its makers beside each index.
            let column = format!("{}anom", case.input.text("column")?);
            let published = session.keep(&crate::reference::csv::series(&bench.path(file), &column)?)?;
            let ask = json!({ "model": anomaly.reference, "observed": published, "weighting": "equal" });
            let found = session.call("compute_skill_metrics", ask).await?;
            answer["published_anomaly_rms_difference"] = json!(found.number("rmse")?);
            answer["published_anomaly_corr"] = json!(found.number("correlation")?);
        }
        Ok(answer)
    }
}

fn answer(case: &Case, climatology: &Step, anomaly: &Step, events: &Step) -> Result<Value, String> {
    let values = anomaly.values("")?;
    let months = &anomaly.artifact()?.coords.get("period").ok_or("no periods")?.values;
    let extreme = |name: &str| -> Result<Value, String> {
        let draft = anomaly.draft(name)?;
        Ok(json!({ "value": draft.value, "month": draft.when }))
    };
    let mut order: Vec<usize> = (0..values.len()).filter(|at| !values[*at].is_nan()).collect();
    order.sort_by(|a, b| values[*b].total_cmp(&values[*a]));
    let top: Vec<Value> =
        order.iter().take(5).map(|at| json!({ "month": months[*at], "value": values[*at] })).collect();
    let mut listed = events.content("events")?.clone();
    for event in listed.as_array_mut().into_iter().flatten() {
        event["months"] = event["steps"].clone();
    }
    let mut answer = Map::from_iter([
        ("climatology_jan_to_dec".to_owned(), json!(climatology.values("")?)),
        ("anomaly_max".to_owned(), extreme("max")?),
        ("anomaly_min".to_owned(), extreme("min")?),
        ("anomaly_std_ddof1".to_owned(), json!(anomaly.number("std")?)),
        ("std_ddof1".to_owned(), json!(anomaly.number("std")?)),
        ("top5".to_owned(), json!(top)),
        ("events".to_owned(), listed),
    ]);
    for (key, step) in case.expected_keys().filter_map(|key| Some((key, step_of(key)?))) {
        answer.insert(key.to_owned(), json!(every(values, step)));
    }
    Ok(answer.into())
}
