//! [`observed`]: the observed level of a gauge, relative to mean sea level, for comparisons.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use leg_core::{Source, ToolContext};
use serde::Deserialize;

use crate::lenient;
use crate::service::Service;
use crate::{ServiceError, StationId, Window};

/// What was observed, by time; empty with the words of the service when there is nothing.
#[derive(Debug, Default)]
pub(crate) struct Observed {
    pub(crate) levels: BTreeMap<DateTime, f64>,
    pub(crate) said: String,
    /// Rows that could not be read.
    pub(crate) skipped: usize,
}

#[derive(Debug, Deserialize)]
struct Body {
    #[serde(default)]
    data: Vec<serde_json::Value>,
    #[serde(default)]
    error: Option<Message>,
}

#[derive(Debug, Deserialize)]
struct Message {
    #[serde(default, deserialize_with = "lenient::text")]
    message: String,
}

#[derive(Debug, Deserialize)]
struct Row {
    #[serde(default, deserialize_with = "lenient::text")]
    t: String,
    #[serde(default, deserialize_with = "lenient::number")]
    v: Option<f64>,
}

/// Asks for 6-minute levels above MSL in metres, UTC.
///
/// # Errors
/// [`ServiceError`] when there is no answer, or one that is none.
pub(crate) async fn observed(
    service: &Service,
    station: &StationId,
    window: Window,
    context: &ToolContext,
) -> Result<(Observed, Source), ServiceError> {
    let minute = "%Y%m%d %H:%M";
    let url = service
        .at("api/prod/datagetter")
        .with_query("product", "water_level")
        .with_query("station", station.as_str())
        .with_query("begin_date", window.begin.strftime(minute).to_string())
        .with_query("end_date", window.end.strftime(minute).to_string())
        .with_query("datum", "MSL")
        .with_query("units", "metric")
        .with_query("time_zone", "gmt")
        .with_query("format", "json")
        .with_query("application", "leg");
    let reply = service.ask(url, context).await?;
    // The error comes first: it is sent with status 200 too.
    let body: Body = match reply.json() {
        Ok(body) => body,
        Err(error) => {
            return Err(if reply.is_success() { error } else { reply.successful().err().unwrap_or(error) });
        }
    };
    let mut found = Observed::default();
    match body.error {
        Some(error) if error.message.to_lowercase().contains("no data was found") => {
            found.said = error.message;
        }
        Some(error) => return Err(reply.refused(format!("station `{station}`: {}", error.message))),
        None => {}
    }
    let source = reply.successful()?.source;
    for row in body.data {
        let row: Option<(DateTime, Option<f64>)> =
            serde_json::from_value::<Row>(row).ok().and_then(|row| Some((row.t.trim().parse().ok()?, row.v)));
        match row {
            Some((time, Some(level))) if time >= window.begin && time <= window.end => {
                found.levels.insert(time, level);
            }
            Some(_) => {}
            None => found.skipped += 1,
        }
    }
    if found.levels.is_empty() && found.said.is_empty() {
        "the gauge has no value in the window".clone_into(&mut found.said);
    }
    Ok((found, source))
}
