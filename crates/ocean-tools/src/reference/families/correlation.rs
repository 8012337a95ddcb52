//! Correlations and regressions.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::series_inputs::{baseline, baseline_of, box_anomaly, index};
use crate::reference::bench::Bench;
use crate::reference::case::{Case, Given};
use crate::reference::facts::{digest, every};

/// The family `correlation`.
#[derive(Debug)]
pub(super) struct Correlation;

#[async_trait]
impl Adapter for Correlation {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "correlation"
            && [
                "lag correlation with significance",
                "correlation and regression map",
                "correlation with significance",
            ]
            .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "lag correlation with significance" => lags(case, bench).await,
            "correlation and regression map" => map(case, bench).await,
            _ => single(case, bench).await,
        }
    }
}

/// The largest lag of `…, months -12..12`.
fn largest_lag(params: &Given) -> Result<u64, String> {
    let text = params.text("lags")?;
    let unknown = || format!("`params/lags` is `{text}`, which is unknown");
    if !text.starts_with("x leads y for positive lag") {
        return Err(unknown());
    }
    text.rsplit_once("..").and_then(|(_, last)| last.trim().parse().ok()).ok_or_else(unknown)
}

async fn lags(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("n_eff", &["n(1-r1x r1y)/(1+r1x r1y) on the overlapping parts"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let baseline = baseline(&case.params)?;
    let (Some(x), Some(y)) = (case.input.object("x"), case.input.object("y")) else {
        return Err("`input` has no boxes `x` and `y`".to_owned());
    };
    let x = box_anomaly(&session, x.region()?, baseline.clone()).await?;
    let y = box_anomaly(&session, y.region()?, baseline).await?;
    let ask = json!({
        "timeseries1": x.reference, "timeseries2": y.reference, "max_lag": largest_lag(&case.params)?,
        "detrend": false, "deseasonalise": false, "n_eff": "ar1",
    });
    let found = session.call("compute_lag_correlation", ask).await?;
    let mut lags = Map::new();
    for own in found.content("lags")?.as_array().into_iter().flatten() {
        lags.insert(own["lag"].to_string(), own.clone());
    }
    Ok(json!({
        "best_lag": found.number("best_lag")?, "lags": lags,
        "zero_lag_ci95": [found.number("ci_low")?, found.number("ci_high")?],
        "spearman": found.number("spearman")?, "kendall": found.number("kendall")?,
    }))
}

async fn map(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("field", &["monthly anomaly, same baseline"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let text = case.params.text("index")?;
    let index = index(&session, text).await?;
    let ask = json!({
        "field": {"variable": "sst"}, "index_timeseries": index.reference, "baseline": baseline_of(text),
        "detrend": false,
    });
    let map = session.call("compute_regression_map", ask).await?;
    let (correlation, regression) = (map.values("correlation")?, map.values("regression")?);
    let columns = map.shape("correlation")?.last().copied().unwrap_or(1);
    let latitudes = &map.artifact()?.coords.get("lat").ok_or("no latitudes")?.values;
    let wanted = case.expected.get("lat_of_row").and_then(Value::as_f64);
    let row = latitudes.iter().position(|own| own.as_f64() == wanted).unwrap_or(0);
    let row = &correlation[row * columns..(row + 1) * columns];
    Ok(json!({
        "corr": digest(correlation, &[correlation.len()]),
        "regression": digest(regression, &[regression.len()]),
        "corr_row_0p5N": every(row, 5), "lat_of_row": wanted,
    }))
}

async fn single(case: &Case, bench: &Bench) -> Result<Value, String> {
    if case.params.number_or("lag", 0.0)?.abs() > 0.0 {
        return Err("`params/lag` must be 0".to_owned());
    }
    let file = case.input.text("file")?;
    let (session, x) = bench.open_column(file, case.input.text("x")?)?;
    let y = session.keep(&crate::reference::csv::series(&bench.path(file), case.input.text("y")?)?)?;
    let ask = json!({
        "timeseries1": x, "timeseries2": y, "max_lag": 0, "detrend": false, "deseasonalise": false, "n_eff": "ar1",
    });
    let found = session.call("compute_lag_correlation", ask).await?;
    Ok(json!({
        "r": found.number("r_zero")?, "p": found.number("p_zero")?, "n_eff": found.number("n_eff_zero")?,
        "p_adjusted": found.number("p_zero_adjusted")?,
        "ci95": [found.number("ci_low")?, found.number("ci_high")?],
    }))
}
