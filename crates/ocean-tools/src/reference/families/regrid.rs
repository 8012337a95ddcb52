//! From grid to grid.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::Bench;
use crate::reference::case::Case;
use crate::reference::facts::{digest, every, step_of};
use crate::reference::selection::selection_of;

/// The family `regrid`.
#[derive(Debug)]
pub(super) struct Regrid;

#[async_trait]
impl Adapter for Regrid {
    fn knows(&self, family: &str, capability: &str) -> bool {
        family == "regrid" && capability.starts_with("regrid ")
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let method = match case.params.text("method")? {
            "remapbil" => "bilinear",
            "remapcon" => "conservative",
            "remapnn" => "nearest",
            other => {
                return Err(format!("`params/method` is {other}; known are: remapbil | remapcon | remapnn"));
            }
        };
        let session = bench.open_one(case.input.text("file")?)?;
        let mut selection = selection_of(&case.input, bench)?;
        match case.input.get("cdo_select").and_then(Value::as_str).and_then(|text| text.split_once(',')) {
            Some(("-seltimestep", step)) => {
                let step: usize =
                    step.parse().map_err(|_| format!("`input/cdo_select` names step {step}"))?;
                let time = bench.time_at(&case.input, step.saturating_sub(1))?;
                selection["time"] = json!([time, time]);
            }
            Some(("-selname", name)) if Some(name) == selection["variable"].as_str() => {}
            other => {
                return Err(format!("`input/cdo_select` is {other:?}; known are: -seltimestep | -selname"));
            }
        }
        let target = case.params.need("target")?;
        let call = json!({ "data": selection, "target": target, "method": method });
        let found = session.call("regrid_conservative", call).await?;
        answer(case, found.values("")?, found.shape("")?)
    }
}

fn answer(case: &Case, values: &[f64], shape: &[usize]) -> Result<Value, String> {
    let [.., rows, columns] = shape else { return Err("the result is no map".to_owned()) };
    let (rows, columns) = (*rows, *columns);
    let mut answer: Map<String, Value> = match digest(values, &[rows, columns]) {
        Value::Object(members) => members,
        _ => Map::new(),
    };
    let row = |at: usize| &values[at * columns..(at + 1) * columns];
    let number =
        |key: &str| case.params.need("target")?[key].as_f64().ok_or(format!("`target` has no `{key}`"));
    let (lat0, dlat) = (number("lat0")?, number("dlat")?);
    let weight = |y: usize| libm::cos((lat0 + dlat * y as f64) * std::f64::consts::PI / 180.0);
    let (mut sum, mut total) = (0.0, 0.0);
    for (at, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        sum += value * weight(at / columns);
        total += weight(at / columns);
    }
    answer.insert("weighted_mean".to_owned(), json!(sum / total));
    for key in case.expected_keys() {
        if let (Some(step), true) = (step_of(key), key.starts_with("row_")) {
            let at = if key.starts_with("row_mid") { rows / 2 } else { rows / 4 };
            answer.insert(key.to_owned(), json!(every(row(at), step)));
        }
    }
    let column: Vec<f64> = (0..rows).map(|y| row(y)[columns / 2]).collect();
    answer.insert("col_mid".to_owned(), json!(column));
    Ok(answer.into())
}
