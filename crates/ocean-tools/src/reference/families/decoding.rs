//! Opening and decoding data, and CF times.

use async_trait::async_trait;
use serde_json::{Map, Value, json};

use super::Adapter;
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;

/// What the cases call decoding.
const DECODE: &str = "scale_factor/add_offset in double, _FillValue and missing_value to missing; valid_range honoured as \
                      netCDF4 does; default fill values of the type masked in NetCDF; times left as numbers";

/// The families `io_digest` and `time_decode`.
#[derive(Debug)]
pub(super) struct Decoding;

#[async_trait]
impl Adapter for Decoding {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        ["open and decode a dataset", "decode CF time", "calendar arithmetic"].contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        match case.tool.as_str() {
            "calendar arithmetic" => arithmetic(case, bench).await,
            "decode CF time" => times(case, bench).await,
            _ => arrays(case, bench).await,
        }
    }
}

async fn arrays(case: &Case, bench: &Bench) -> Result<Value, String> {
    case.params.one_of("decode", &[DECODE])?;
    case.params.one_of("variables", &["numeric only"])?;
    let session = bench.open_one(case.input.text("file")?)?;
    let found = session.call("compute_variable_summary", json!({})).await?;
    let mut answer = Map::new();
    for key in case.expected_keys() {
        let row = row_of(&found, key)?;
        let members = ["shape", "n_valid", "mean", "min", "max", "first_valid", "last_valid", "stored_type"];
        let members = members.iter().map(|&name| Ok((name.to_owned(), cell(&found, row, name)?.clone())));
        let mut members = members.collect::<Result<Map<String, Value>, String>>()?;
        members.retain(|_, value| !value.is_null());
        // numpy writes the order of bytes where it is not the machine's; ours is the type alone.
        let asked = case.expected[key]["stored_type"].as_str().unwrap_or_default();
        if members.get("stored_type").and_then(Value::as_str) == type_of_code(asked) {
            members.insert("stored_type".to_owned(), json!(asked));
        }
        answer.insert(key.to_owned(), Value::Object(members));
    }
    Ok(answer.into())
}

/// The type of a `numpy` code with an order of bytes, such as `>f4`.
fn type_of_code(code: &str) -> Option<&'static str> {
    match code.strip_prefix(['>', '<'])? {
        "f4" => Some("float32"),
        "f8" => Some("float64"),
        "i1" => Some("int8"),
        "i2" => Some("int16"),
        "i4" => Some("int32"),
        "i8" => Some("int64"),
        "u2" => Some("uint16"),
        "u4" => Some("uint32"),
        "u8" => Some("uint64"),
        _ => None,
    }
}

async fn times(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open_one(case.input.text("file")?)?;
    let found = session.call("compute_variable_summary", json!({})).await?;
    let row = row_of(&found, case.input.text("variable")?)?;
    let units = cell(&found, row, "units")?.as_str().unwrap_or_default();
    if case.params.text("units")? != units {
        return Err(format!("the file's units are `{units}`"));
    }
    // An absent calendar is the standard one.
    let calendar = cell(&found, row, "calendar")?.as_str().unwrap_or("standard");
    let asked = case.params.text("calendar")?;
    if asked != calendar {
        return Err(format!("the file's calendar is `{calendar}`"));
    }
    let shape = cell(&found, row, "shape")?.as_array().cloned().unwrap_or_default();
    let n: u64 = shape.iter().filter_map(Value::as_u64).product();
    Ok(json!({ "n": n, "first_mid_last": cell(&found, row, "times")? }))
}

async fn arithmetic(case: &Case, bench: &Bench) -> Result<Value, String> {
    let session = bench.open(&[])?;
    let calendar = case.params.text("calendar")?;
    let mut items = Vec::new();
    for item in case.expected["items"].as_array().into_iter().flatten() {
        let call = json!({ "units": item["units"], "calendar": calendar, "values": [item["value"]] });
        let found = session.call("decode_time", call).await?;
        let row = &found.artifact()?.content["rows"][0];
        let date = row[1].as_str().unwrap_or_default().trim_end_matches('Z');
        items.push(json!({
            "units": item["units"], "value": item["value"], "date": date, "dayofyr": row[2], "back": row[3],
        }));
    }
    Ok(json!({ "items": items }))
}

/// The row of an array, by its whole name or, in groups, by the last part of it.
fn row_of<'a>(step: &'a Step, name: &str) -> Result<&'a Value, String> {
    let rows = step.artifact()?.content["rows"].as_array().ok_or("the summary has no rows")?;
    let exact = rows.iter().find(|row| row[0] == name);
    let last = |row: &&Value| row[0].as_str().and_then(|path| path.rsplit('/').next()) == Some(name);
    exact.or_else(|| rows.iter().find(last)).ok_or_else(|| format!("the file has no array `{name}`"))
}

fn cell<'a>(step: &'a Step, row: &'a Value, column: &str) -> Result<&'a Value, String> {
    let columns = step.artifact()?.content["columns"].as_array().ok_or("the summary has no columns")?;
    let at = columns
        .iter()
        .position(|own| own == column)
        .ok_or_else(|| format!("the summary has no `{column}`"))?;
    Ok(&row[at])
}
