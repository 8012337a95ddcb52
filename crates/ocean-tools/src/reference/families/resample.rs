//! Calendar means of series.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::{Bench, Session, Step};
use crate::reference::case::Case;
use crate::reference::facts::argmax;

/// The family `resample`.
#[derive(Debug)]
pub(super) struct Resample;

#[async_trait]
impl Adapter for Resample {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        ["time resampling", "time resampling in a non-standard calendar"].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        let name = if case.input.get("column").is_some() { "column" } else { "variable" };
        let selection = json!({ "variable": case.input.text(name)? });
        let series = session.call("compute_area_weighted_mean", json!({ "data": selection })).await?;
        let mut answer = Map::new();
        months(case, &session, &series, &mut answer).await?;
        seasons(case, &session, &series, &mut answer).await?;
        years(case, &session, &series, &mut answer).await?;
        weeks(case, &session, &series, &mut answer).await?;
        Ok(answer.into())
    }
}

async fn binned(session: &Session, series: &Step, freq: &str, method: &str) -> Result<Step, String> {
    let call = json!({ "timeseries": series.reference, "freq": freq, "method": method, "min_coverage": 0.0 });
    session.call("resample_timeseries", call).await
}

/// The first values, as many as a member named `…_firstN`, `firstN` says, or all.
fn heads(case: &Case, stem: &str, values: &[f64], answer: &mut Map<String, Value>) {
    for key in case.expected_keys() {
        let Some(tail) = key.strip_prefix(stem) else { continue };
        let part = match tail.strip_prefix("_first").or_else(|| tail.strip_prefix("first")) {
            Some(n) => n.parse().ok().map(|n: usize| &values[..n.min(values.len())]),
            None => (tail.is_empty() || tail == "_all").then_some(values),
        };
        if let Some(part) = part {
            answer.insert(key.to_owned(), json!(part));
        }
    }
}

async fn months(
    case: &Case,
    session: &Session,
    series: &Step,
    answer: &mut Map<String, Value>,
) -> Result<(), String> {
    case.params.one_of("month", &["MS"])?;
    if case.params.get("month").is_none() {
        return Ok(());
    }
    let mean = binned(session, series, "MS", "mean").await?;
    let max = binned(session, series, "MS", "max").await?;
    answer.insert("n_months".to_owned(), json!(mean.values("")?.len()));
    heads(case, "month", mean.values("")?, answer);
    heads(case, "month_counts", mean.values("count")?, answer);
    heads(case, "month_max", max.values("")?, answer);
    if case.wants("climatology_month") {
        let times = series.times()?;
        let ends = times.first().zip(times.last()).ok_or("the series is empty")?;
        let window = json!([ends.0.get(..10), ends.1.get(..10)]);
        let call = json!({ "timeseries": series.reference, "period": "monthly", "baseline": window });
        let cycle = session.call("compute_climatology", call).await?;
        answer.insert("climatology_month".to_owned(), json!(cycle.values("")?));
    }
    Ok(())
}

async fn seasons(
    case: &Case,
    session: &Session,
    series: &Step,
    answer: &mut Map<String, Value>,
) -> Result<(), String> {
    case.params.one_of("season", &["QS-DEC", "QS-DEC partial kept"])?;
    if case.params.get("season").is_none() {
        return Ok(());
    }
    let mean = binned(session, series, "QS-DEC", "mean").await?;
    heads(case, "season", mean.values("")?, answer);
    let starts: Vec<String> =
        mean.times()?.into_iter().filter_map(|time| time.get(..10).map(str::to_owned)).collect();
    let shown = case.expected["season_starts"].as_array().map_or(starts.len(), Vec::len).min(starts.len());
    answer.insert("season_starts".to_owned(), json!(starts[..shown]));
    Ok(())
}

async fn years(
    case: &Case,
    session: &Session,
    series: &Step,
    answer: &mut Map<String, Value>,
) -> Result<(), String> {
    case.params.one_of("year", &["YS", "YS, plain mean of available months"])?;
    if case.params.get("year").is_none() {
        return Ok(());
    }
    let mean = binned(session, series, "YS", "mean").await?;
    let values = mean.values("")?;
    heads(case, "year", values, answer);
    heads(case, "", values, answer);
    answer.insert("n".to_owned(), json!(values.len()));
    if let Some(n) = case.expected_keys().find_map(|key| key.strip_prefix("last")?.parse::<usize>().ok()) {
        answer.insert(format!("last{n}"), json!(&values[values.len().saturating_sub(n)..]));
    }
    if case.wants("year_max") || case.wants("date_of_year_max") {
        let max = binned(session, series, "YS", "max").await?;
        answer.insert("year_max".to_owned(), json!(max.values("")?));
        answer.insert("date_of_year_max".to_owned(), json!(dates_of_max(series)?));
    }
    Ok(())
}

/// The date of the largest value of each year; of equal ones the first.
fn dates_of_max(series: &Step) -> Result<Vec<String>, String> {
    let (times, values) = (series.times()?, series.values("")?);
    let year = |at: usize| times[at].split('-').next().unwrap_or_default();
    let mut out = Vec::new();
    let mut start = 0;
    for at in 1..=times.len() {
        if at == times.len() || year(at) != year(start) {
            if let Some(best) = argmax(&values[start..at]) {
                out.push(times[start + best].get(..10).unwrap_or_default().to_owned());
            }
            start = at;
        }
    }
    Ok(out)
}

async fn weeks(
    case: &Case,
    session: &Session,
    series: &Step,
    answer: &mut Map<String, Value>,
) -> Result<(), String> {
    case.params.one_of("week", &["7-day bins from the first day (00:00)"])?;
    if case.params.get("week").is_none() {
        return Ok(());
    }
    let mean = binned(session, series, "W", "mean").await?;
    answer.insert("n_weeks".to_owned(), json!(mean.values("")?.len()));
    heads(case, "week", mean.values("")?, answer);
    Ok(())
}
