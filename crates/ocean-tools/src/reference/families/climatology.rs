//! Climatologies and calendar means of fields.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::selection::selection_of;

/// The family `climatology`.
#[derive(Debug)]
pub(super) struct Climatology;

#[async_trait]
impl Adapter for Climatology {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "climatology"
            && ["monthly climatology", "seasonal climatology", "seasonal and annual resampling"]
                .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "monthly climatology" => monthly(case, bench).await,
            "seasonal climatology" => seasonal(case, bench).await,
            _ => resampled(case, bench).await,
        }
    }
}

/// The plain mean over the cells of each bin.
fn bin_means(values: &[f64], bins: usize) -> Vec<f64> {
    let mean = |cells: &[f64]| {
        let present: Vec<f64> = cells.iter().copied().filter(|value| !value.is_nan()).collect();
        present.iter().sum::<f64>() / present.len() as f64
    };
    values.chunks(values.len() / bins.max(1)).map(mean).collect()
}

/// The baseline argument: a window, or the whole record.
fn baseline(case: &Case, bench: &Bench) -> Result<Value, String> {
    match case.params.get("baseline") {
        None => whole_record(case, bench),
        Some(Value::String(text)) if text == "all months" => whole_record(case, bench),
        Some(Value::Array(pair)) if pair.len() == 2 => Ok(json!(pair)),
        Some(other) => Err(format!("`params/baseline` is {other}; known are: all months | two dates")),
    }
}

fn whole_record(case: &Case, bench: &Bench) -> Result<Value, String> {
    let window = bench.window_of(&case.input)?;
    Ok(json!([window[0].get(..10), window[1].get(..10)]))
}

async fn monthly(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let selection = selection_of(&case.input, bench)?;
    let window = baseline(case, bench)?;
    let call = json!({ "data": selection, "period": "monthly", "baseline": window });
    let found = session.call("compute_field_climatology", call).await?;
    let mut answer = Map::new();
    answer.insert("month_means".to_owned(), json!(bin_means(found.values("")?, 12)));
    if let Some(point) = case.expected.get("point") {
        let (lat, lon) = (point["lat"].as_f64(), point["lon"].as_f64());
        let (lat, lon) = lat.zip(lon).ok_or("the expected point has no place")?;
        let call = json!({ "data": selection, "lat": lat, "lon": lon });
        let series = session.call("extract_point_timeseries", call).await?;
        let call = json!({ "timeseries": series.reference, "period": "monthly", "baseline": window });
        let cycle = session.call("compute_climatology", call).await?;
        answer.insert(
            "point".to_owned(),
            json!({
                "lat": lat, "lon": lon, "values": cycle.values("")?,
                "std_ddof1": cycle.values("std")?, "count": cycle.values("count")?,
            }),
        );
    }
    Ok(answer.into())
}

async fn seasonal(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("seasons", &["DJF MAM JJA SON, plain mean of months"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let window = baseline(case, bench)?;
    let call = json!({ "data": selection_of(&case.input, bench)?, "period": "seasonal", "baseline": window });
    let found = session.call("compute_field_climatology", call).await?;
    let means = bin_means(found.values("")?, 4);
    Ok(json!({ "DJF": means[0], "MAM": means[1], "JJA": means[2], "SON": means[3] }))
}

async fn resampled(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("seasonal", &["quarters starting December, partial quarters kept"])?;
    case.params.one_of("annual", &["plain mean of available months"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let call = json!({ "data": selection_of(&case.input, bench)?, "weighting": "equal" });
    let series = session.call("compute_area_weighted_mean", call).await?;
    let of = |freq: &str| json!({ "timeseries": series.reference, "freq": freq, "min_coverage": 0.0 });
    let seasons = session.call("resample_timeseries", of("QS-DEC")).await?;
    let years = session.call("resample_timeseries", of("YS")).await?;
    let starts = seasons.times()?;
    let first = |values: &[f64], key: &str| {
        let n = case.expected[key].as_array().map_or(values.len(), Vec::len);
        json!(&values[..n.min(values.len())])
    };
    Ok(json!({
        "n_seasons": starts.len(),
        "first_season": starts.first().and_then(|start| start.get(..10)),
        "season_means": first(seasons.values("")?, "season_means"),
        "n_years": years.values("")?.len(),
        "year_means": first(years.values("")?, "year_means"),
    }))
}
