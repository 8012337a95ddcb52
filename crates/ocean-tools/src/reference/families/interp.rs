//! Values at points and between times.

use async_trait::async_trait;
use serde_json::{Value, json};

use super::Adapter;
use crate::reference::bench::{Bench, Step};
use crate::reference::case::Case;
use crate::reference::selection::selection_of;

/// The family `interp`.
#[derive(Debug)]
pub(super) struct Interp;

#[async_trait]
impl Adapter for Interp {
    fn knows(&self, _family: &str, capability: &str) -> bool {
        ["bilinear interpolation at points", "nearest cell at points", "interpolation in time"]
            .contains(&capability)
    }

    async fn answer(&self, case: &Case, bench: &Bench) -> Result<Value, String> {
        let session = bench.open_one(case.input.text("file")?)?;
        let mut call = json!({ "data": selection_of(&case.input, bench)? });
        if case.tool == "interpolation in time" {
            let place = json!([case.input.number("lon_point")?, case.input.number("lat_point")?]);
            call["points"] = json!([place]);
            let times: Vec<String> = case
                .params
                .need("times")?
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(full_time)
                .collect();
            call["time_points"] = json!(times);
            // Linear in time; the place is a cell centre, where bilinear is that cell.
        } else {
            let turned = case.input.need("points_lat_lon")?.as_array().into_iter().flatten();
            call["points"] = turned.map(|pair| json!([pair[1], pair[0]])).collect();
            let nearest = case.tool == "nearest cell at points";
            call["method"] = json!(if nearest { "nearest" } else { "linear" });
        }
        let found = session.call("interpolate_data", call).await?;
        Ok(json!({ "values": column(&found)? }))
    }
}

/// An instant with its hour and second.
fn full_time(text: &str) -> String {
    match text.split_once('T') {
        None => format!("{text}T00:00:00Z"),
        Some((date, clock)) if clock.len() == 5 => format!("{date}T{clock}:00Z"),
        Some(_) => text.to_owned(),
    }
}

/// The last column of a table.
fn column(step: &Step) -> Result<Vec<Value>, String> {
    let rows = step.artifact()?.content["rows"].as_array().ok_or("the result has no rows")?;
    Ok(rows.iter().filter_map(|row| row.as_array()?.last().cloned()).collect())
}
