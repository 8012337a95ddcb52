//! Patterns.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::series_inputs;
use crate::reference::bench::{Bench, Session, Step};
use crate::reference::case::Case;
use crate::reference::facts::every;

/// The family `eof`.
#[derive(Debug)]
pub(super) struct Eof;

#[async_trait]
impl Adapter for Eof {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "eof"
            && ["EOF analysis", "rotated EOF (varimax)", "maximum covariance analysis"].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        if case.tool == "maximum covariance analysis" {
            return pairs(case, &session).await;
        }
        let found = analysis(case, &session).await?;
        if case.tool == "rotated EOF (varimax)" {
            case.params.one_of("rotation", &["varimax of variance-scaled loadings"])?;
            let rotated =
                session.call("compute_rotated_eof", json!({ "eof_result": found.reference })).await?;
            return Ok(json!({ "explained_variance_ratio": rotated.values("explained_variance_ratio")? }));
        }
        answer(case, &found)
    }
}

async fn pairs(case: &Case, session: &Session) -> Result<Value, String> {
    case.params.one_of("weights", &["sqrt(cos(latitude))"])?;
    let side = |key: &str| -> Result<Value, String> {
        let part = case.input.object(key).ok_or_else(|| format!("`input/{key}` is no object"))?;
        Ok(json!({ "variable": "sst", "region": part.region()? }))
    };
    let listed = |key: &str| case.expected[key].as_array().map_or(0, Vec::len);
    let ask = json!({
        "field1": side("x")?, "field2": side("y")?, "n_modes": listed("singular_values"), "n_surrogates": 0,
        "baseline": series_inputs::window(&case.params, "anomaly_baseline")?,
    });
    let found = session.call("compute_mca", ask).await?;
    let first = |name: &str, key: &str| -> Result<Vec<f64>, String> {
        Ok(found.values(name)?.iter().copied().take(listed(key)).collect())
    };
    Ok(json!({
        "squared_covariance_fraction": first("squared_covariance_fraction", "squared_covariance_fraction")?,
        "singular_values": first("singular_value", "singular_values")?,
        "score_corr": first("score_correlation", "score_corr")?,
    }))
}

async fn analysis(case: &Case, session: &Session) -> Result<Step, String> {
    for (key, known) in [
        ("weights", "sqrt(cos(latitude))"),
        ("centred", "time mean removed"),
        ("sign", "largest absolute loading made positive"),
        ("loadings", "unit norm of weighted pattern"),
        ("cells", "missing at any time dropped"),
        ("anomaly", "file already holds anomalies"),
    ] {
        case.params.one_of(key, &[known])?;
    }
    let variable = if case.input.get("variable").is_some() { case.input.text("variable")? } else { "sst" };
    let mut selection = json!({ "variable": variable });
    if let Some(region) = case.input.region()? {
        selection["region"] = region;
    }
    let mut ask =
        json!({ "data": selection, "n_modes": case.params.index("n_modes")?, "deseasonalise": false });
    if case.params.get("anomaly_baseline").is_some() {
        ask["deseasonalise"] = json!(true);
        ask["baseline"] = series_inputs::window(&case.params, "anomaly_baseline")?;
    }
    session.call("perform_eof_analysis", ask).await
}

fn answer(case: &Case, found: &Step) -> Result<Value, String> {
    let artifact = found.artifact()?;
    let listed = case.expected["modes"].as_array().cloned().unwrap_or_default();
    let coord = |name: &str| artifact.coords.get(name).map(|own| own.values.clone()).unwrap_or_default();
    let (times, lat, lon) = (coord("time"), coord("lat"), coord("lon"));
    let (pc, loading, spread) = (found.values("pc")?, found.values("loading")?, found.values("pc_std")?);
    let cells = lat.len() * lon.len();
    let mut modes = Vec::new();
    for (mode, wanted) in listed.iter().enumerate() {
        let (own, map) = (&pc[mode * times.len()..][..times.len()], &loading[mode * cells..][..cells]);
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|a, b| own[*b].total_cmp(&own[*a]));
        let dated = |at: &usize| {
            let text = times[*at].as_str().unwrap_or_default();
            json!({ "time": text.get(..10), "value": own[*at] })
        };
        let present = || map.iter().enumerate().filter(|(_, value)| !value.is_nan());
        let (top, value) =
            present().fold((0, f64::NEG_INFINITY), |b, o| if *o.1 > b.1 { (o.0, *o.1) } else { b });
        let low = present().fold(f64::INFINITY, |best, own| best.min(*own.1));
        let mut members = Map::from_iter([
            ("pc_std_ddof1".to_owned(), json!(spread[mode])),
            ("pc_unit_top3".to_owned(), order.iter().take(3).map(dated).collect()),
            ("pc_unit_bottom3".to_owned(), order.iter().rev().take(3).map(dated).collect()),
            (
                "pattern_max".to_owned(),
                json!({"lat": lat[top / lon.len()], "lon": lon[top % lon.len()], "value": value}),
            ),
            ("pattern_min".to_owned(), json!(low)),
        ]);
        if let Some(count) = wanted["pc_unit_every"].as_array().map(Vec::len) {
            members.insert("pc_unit_every".to_owned(), json!(every(own, own.len().div_ceil(count.max(1)))));
        }
        modes.push(Value::Object(members));
    }
    Ok(json!({
        "n_space": found.content("n_cells")?, "n_time": found.content("n_times")?,
        "explained_variance_ratio": found.values("explained_variance_ratio")?,
        "explained_variance": found.values("explained_variance")?,
        "north_error_ratio": found.values("north_error")?,
        "total_variance": found.content("total_variance")?, "modes": modes,
    }))
}
