//! Trends and tests for them.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::series_inputs::box_mean;
use crate::reference::bench::{Bench, Session, Step};
use crate::reference::case::Case;
use crate::reference::facts::digest;

/// The family `trend`.
#[derive(Debug)]
pub(super) struct Trend;

/// What the cases write of the effective size.
const SIZE: &str = "n(1-r1)/(1+r1) with r1 of residuals; df n_eff-2; stderr x sqrt((n-2)/(n_eff-2))";

#[async_trait]
impl Adapter for Trend {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "trend"
            && [
                "linear trend with significance",
                "Mann-Kendall test and Sen slope",
                "seasonal Mann-Kendall",
                "trend map",
            ]
            .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        match case.tool.as_str() {
            "linear trend with significance" => linear(case, &session).await,
            "trend map" => {
                let south = bench.runs_south(case.input.text("file")?)?;
                map(case, &session, south).await
            }
            "seasonal Mann-Kendall" => seasonal(case, &session).await,
            _ => mann_kendall(case, &session).await,
        }
    }
}

async fn series(case: &Case, session: &Session) -> Result<Step, String> {
    let variable = case.input.text("variable")?;
    let mean = if case.input.get("lat_point").is_some() {
        let place = json!({
            "data": {"variable": variable}, "lat": case.input.number("lat_point")?,
            "lon": case.input.number("lon_point")?,
        });
        session.call("extract_point_timeseries", place).await?
    } else {
        box_mean(session, variable, case.input.region()?).await?
    };
    match case.params.get("series").and_then(Value::as_str) {
        None | Some("monthly, raw") => Ok(mean),
        Some("annual means of area mean") => {
            let ask = json!({ "timeseries": mean.reference, "freq": "YS", "min_coverage": 1.0 });
            let years = session.call("resample_timeseries", ask).await?;
            if let Some(first) = case.params.get("first_year") {
                let own = years.draft("first")?.when.clone().unwrap_or_default();
                if first.as_i64().map(|first| first.to_string()) != Some(own.clone()) {
                    return Err(format!("the first year is {own} and not {first}"));
                }
            }
            Ok(years)
        }
        Some(other) => Err(format!("`params/series` is `{other}`, which is unknown")),
    }
}

async fn linear(case: &Case, session: &Session) -> Result<Value, String> {
    case.params.one_of("x", &["calendar year", "months/12 from first"])?;
    case.params.one_of("n_eff", &[SIZE])?;
    let origin =
        if case.params.get("x").is_some_and(|x| x == "calendar year") { "calendar" } else { "first" };
    let series = series(case, session).await?;
    let ask = |method: &str, autocorrelation: &str| {
        json!({
            "timeseries": series.reference, "method": method, "autocorrelation": autocorrelation, "per": "year",
            "deseasonalise": false, "time_origin": origin,
        })
    };
    let plain = session.call("compute_trend", ask("linear", "none")).await?;
    let adjusted = session.call("compute_trend", ask("linear", "ar1")).await?;
    let robust = session.call("compute_trend", ask("theil_sen", "none")).await?;
    Ok(json!({
        "slope": plain.content("slope")?, "intercept": plain.content("intercept")?, "r": plain.content("r")?,
        "p": plain.content("p_value")?, "stderr": plain.content("stderr")?,
        "lag1_residual_autocorr": adjusted.content("r1")?, "n_eff": adjusted.content("n_eff")?,
        "stderr_adjusted": adjusted.content("stderr")?, "p_adjusted": adjusted.content("p_value")?,
        "theil_sen": {
            "slope": robust.content("slope")?, "intercept": robust.content("intercept")?,
            "low": robust.content("ci_low")?, "high": robust.content("ci_high")?,
        },
    }))
}

async fn test(session: &Session, series: &Step, variant: &str, more: (&str, Value)) -> Result<Value, String> {
    let mut ask = json!({ "timeseries": series.reference, "variant": variant });
    ask[more.0] = more.1;
    let step = session.call("compute_mann_kendall", ask).await?;
    Ok(json!({
        "trend": step.content("trend")?, "p": step.content("p_value")?, "z": step.content("z")?,
        "tau": step.content("tau")?, "s": step.content("s")?, "var_s": step.content("var_s")?,
        "slope": step.content("slope")?, "intercept": step.content("intercept")?,
    }))
}

async fn mann_kendall(case: &Case, session: &Session) -> Result<Value, String> {
    let alpha = case.params.number_or("alpha", 0.05)?;
    let series = series(case, session).await?;
    let mut answer = Map::new();
    for (name, variant) in [
        ("original_test", "original"),
        ("hamed_rao_modification_test", "hamed_rao"),
        ("yue_wang_modification_test", "yue_wang"),
        ("pre_whitening_modification_test", "pre_whitening"),
        ("trend_free_pre_whitening_modification_test", "trend_free_pre_whitening"),
    ] {
        answer.insert(name.to_owned(), test(session, &series, variant, ("alpha", json!(alpha))).await?);
    }
    Ok(answer.into())
}

async fn seasonal(case: &Case, session: &Session) -> Result<Value, String> {
    let period = case.params.index("period")?;
    let series = series(case, session).await?;
    test(session, &series, "seasonal", ("period", json!(period))).await
}

/// The first row is that of the file.
async fn map(case: &Case, session: &Session, runs_south: bool) -> Result<Value, String> {
    case.params.one_of("series", &["annual means"])?;
    case.params.one_of("unit", &["degC per year"])?;
    let mut selection = json!({ "variable": case.input.text("variable")? });
    if let Some(region) = case.input.region()? {
        selection["region"] = region;
    }
    let ask = json!({
        "data": selection, "annual_mean": true, "autocorrelation": "none", "per": "year", "alpha": 0.05, "fdr": 0.05,
    });
    let trend = session.call("compute_field_trend", ask).await?;
    let slope = trend.values("")?;
    let columns = trend.shape("")?.last().copied().unwrap_or(1);
    let from = if runs_south { slope.len().saturating_sub(columns) } else { 0 };
    let first: Vec<f64> = slope.iter().skip(from).take(columns).copied().collect();
    Ok(json!({
        "slope": digest(slope, &[slope.len()]),
        "n_p_below_005": trend.content("n_p_below_alpha")?,
        "slope_first_row": first,
        "fdr_005_count": trend.content("n_significant")?,
    }))
}
