//! Filters.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use super::series_inputs::index;
use crate::reference::bench::{Bench, Session};
use crate::reference::case::Case;
use crate::reference::facts::{argmax, digest, every, step_of};

/// The family `filter`.
#[derive(Debug)]
pub(super) struct Filter;

const CAPABILITIES: [&str; 6] = [
    "Butterworth filter",
    "Lanczos low-pass filter",
    "running mean",
    "linear detrend",
    "Savitzky-Golay filter",
    "2-D Gaussian smoothing",
];

#[async_trait]
impl Adapter for Filter {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "filter" && CAPABILITIES.contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        if case.tool == "2-D Gaussian smoothing" {
            return plane(case, &session).await;
        }
        let series = index(&session, case.input.text("series")?).await?;
        let mut ask = match case.tool.as_str() {
            "Butterworth filter" => butterworth(case)?,
            "Lanczos low-pass filter" => lanczos(case)?,
            "running mean" => running(case)?,
            "linear detrend" => json!({ "method": "detrend" }),
            _ => {
                case.params.one_of("mode", &["interp"])?;
                json!({ "method": "savitzky_golay", "window": case.params.index("window")?, "order": case.params.index("order")? })
            }
        };
        ask["data"] = series.reference;
        ask["cutoff_unit"] = json!("samples");
        let found = session.call("filter_data", ask).await?;
        Ok(answer(case, found.values("")?))
    }
}

fn answer(case: &Case, values: &[f64]) -> Value {
    // A filter that is valid only inside has no ends in the cases.
    let inside: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let kept = if case.wants("weights_centre") { &inside[..] } else { values };
    let facts = digest(values, &[values.len()]);
    let tail = |count: usize| kept[kept.len().saturating_sub(count)..].to_vec();
    let mut answer = Map::from_iter([
        ("n".to_owned(), json!(inside.len())),
        ("n_valid".to_owned(), json!(inside.len())),
        ("std".to_owned(), facts["std"].clone()),
        ("max".to_owned(), facts["max"].clone()),
        ("min".to_owned(), facts["min"].clone()),
        ("argmax".to_owned(), json!(argmax(values))),
    ]);
    for count in [3, 5] {
        answer.insert(format!("first{count}"), json!(kept.iter().take(count).collect::<Vec<_>>()));
        answer.insert(format!("last{count}"), json!(tail(count)));
    }
    for (key, step) in case.expected_keys().filter_map(|key| Some((key, step_of(key)?))) {
        answer.insert(key.to_owned(), json!(every(kept, step)));
    }
    if case.wants("weights_centre") {
        let window = case.params.index("window").unwrap_or(1);
        let edge = case.params.number("cutoff_per_month").unwrap_or(f64::NAN);
        let weights = crate::kernels::smoothing::lanczos_weights(window, edge);
        answer.insert("weights_centre".to_owned(), json!(weights[window / 2]));
        answer.insert("weights_first5".to_owned(), json!(weights.iter().take(5).collect::<Vec<_>>()));
    }
    answer.into()
}

fn butterworth(case: &Case) -> Result<Value, String> {
    case.params.one_of("zero_phase", &["sosfiltfilt, default odd padding"])?;
    let cut = case.params.need("cut_per_month")?;
    let periods: Vec<f64> = match cut {
        Value::Array(list) => list.iter().filter_map(Value::as_f64).map(|cut| 1.0 / cut).collect(),
        other => other.as_f64().map(|cut| 1.0 / cut).into_iter().collect(),
    };
    Ok(json!({
        "method": "butterworth", "filter_type": case.params.text("btype")?, "order": case.params.index("order")?,
        "cutoff_period": periods,
    }))
}

fn lanczos(case: &Case) -> Result<Value, String> {
    case.params.one_of("weights", &["2fc sinc(2 fc k) sinc(k/(m+1)), m=30, normalised to sum 1"])?;
    case.params.one_of("edges", &["valid only"])?;
    Ok(json!({
        "method": "lanczos", "window": case.params.index("window")?,
        "cutoff_period": [1.0 / case.params.number("cutoff_per_month")?],
    }))
}

fn running(case: &Case) -> Result<Value, String> {
    let window = case.params.index("window")?;
    if case.params.need("centre")? != true || case.params.index("min_periods")? != window {
        return Err("a running mean is centred and needs all values of its window".to_owned());
    }
    Ok(json!({ "method": "running_mean", "window": window }))
}

async fn plane(case: &Case, session: &Session) -> Result<Value, String> {
    case.params.one_of("mode", &["reflect"])?;
    if (case.params.number_or("truncate", 4.0)? - 4.0).abs() > 0.0 {
        return Err("`params/truncate` must be 4".to_owned());
    }
    let variable = case.input.text("variable")?;
    let loaded = session.call("load_dataset", json!({ "variable": variable })).await?;
    let mut ask = json!({
        "data": loaded.reference, "dimension": "spatial", "method": "gaussian",
        "sigma": case.params.number("sigma_cells")?,
    });
    if let Some(fill) = case.input.get("fill_missing") {
        ask["fill_missing"] = fill.clone();
    }
    let found = session.call("filter_data", ask).await?;
    let shape = found.shape("")?;
    let (rows, columns) = match shape {
        [.., rows, columns] => (*rows, *columns),
        _ => return Err("the result is no map".to_owned()),
    };
    let from = case.input.index("time_index")? * rows * columns;
    let map =
        found.values("")?.get(from..from + rows * columns).ok_or("the time is outside of the record")?;
    let mut answer = digest(map, &[rows, columns]);
    for key in case.expected_keys().filter(|key| key.starts_with("row_")) {
        let row = key.split('_').nth(1).and_then(|row| row.parse::<usize>().ok()).unwrap_or(0);
        let step = step_of(key).unwrap_or(1);
        answer[key] = json!(every(&map[row * columns..(row + 1) * columns], step));
    }
    Ok(answer)
}
