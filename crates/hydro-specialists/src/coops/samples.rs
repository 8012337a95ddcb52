//! [`collect`]: rows of a product over a window, asked for in parts and joined without gaps or doubles.

use std::collections::BTreeSet;

use jiff::civil::DateTime;
use leg_core::{EvidenceDraft, Source, ToolContext, ToolError};
use serde_json::Value;

use super::TimeZone;
use super::client::{Answer, Client, DataQuery};
use super::wire::{Metadata, Sample, Samples};
use crate::gauge;
use crate::{Moment, ServiceError, Units, Window, lenient};

/// The most requests that one call may send.
const MAX_REQUESTS: usize = 21;

/// The rows of a product.
#[derive(Debug, Default)]
pub(crate) struct Collected {
    pub(crate) metadata: Metadata,
    pub(crate) rows: Vec<Sample>,
    /// What the service said where it has nothing.
    pub(crate) empty: Option<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) sources: Vec<Source>,
}

/// From the first to the last minute of two moments.
pub(crate) fn window(begin: Moment, end: Moment) -> Result<Window, ServiceError> {
    Window::new(begin, end).map_err(|error| ServiceError::BadArgument(error.to_string()))
}

/// The parts of a window that a service takes, when they are not too many.
pub(crate) fn parts(window: Window, days: i64) -> Result<Vec<Window>, ServiceError> {
    let parts = window.parts(days);
    if parts.len() > MAX_REQUESTS {
        return Err(ServiceError::TooMuch(format!(
            "{} days need {} requests and {MAX_REQUESTS} are allowed; ask for a shorter window",
            window.days(),
            parts.len()
        )));
    }
    Ok(parts)
}

/// Asks for a product in parts of at most `days` days; without a window, for its newest row.
pub(crate) async fn collect(
    client: &Client,
    query: &DataQuery<'_>,
    days: i64,
    context: &ToolContext,
) -> Result<Collected, ServiceError> {
    let windows = match query.window {
        Some(window) => parts(window, days)?.into_iter().map(Some).collect(),
        None => vec![None],
    };
    let total = windows.len() as u64;
    let mut found = Collected::default();
    let (mut bad, mut outside) = (0, 0);
    let mut seen = BTreeSet::new();
    for (done, part) in (0..).zip(windows) {
        if context.is_cancelled() {
            return Err(ToolError::cancelled().into());
        }
        context.progress(done, total);
        let (answer, source) =
            client.data::<Samples>(&DataQuery { window: part, ..query.clone() }, context).await?;
        found.sources.push(source);
        let samples = match answer {
            Answer::Rows(samples) => samples,
            Answer::Empty(message) => {
                if let Some(part) = part {
                    found.notes.push(format!("station `{}`, {part}: {message}", query.station));
                }
                found.empty.get_or_insert(message);
                continue;
            }
        };
        if found.metadata == Metadata::default() {
            found.metadata = samples.metadata;
        }
        let (rows, unread) = lenient::rows::<Sample>(samples.data);
        bad += unread;
        for row in rows {
            if query.window.is_some_and(|window| !(window.begin..=window.end).contains(&row.t)) {
                outside += 1;
            } else if seen.insert((row.t, row.b.clone())) {
                found.rows.push(row);
            }
        }
    }
    found.rows.sort_by(|a, b| (a.t, &a.b).cmp(&(b.t, &b.b)));
    let station = query.station;
    if bad > 0 {
        found.notes.push(format!("{bad} rows of station `{station}` could not be read and are left out"));
    }
    if outside > 0 {
        found.notes.push(format!("{outside} rows of station `{station}` outside the window were dropped"));
    }
    if query.time_zone != TimeZone::Gmt {
        found.notes.push(format!("window and times of station `{station}` are the station's local time"));
    }
    Ok(found)
}

impl Collected {
    /// Where the station is.
    pub(crate) fn place(&self, query: &DataQuery<'_>) -> Value {
        gauge::place(query.station.as_str(), &self.metadata.name, self.metadata.lat, self.metadata.lon)
    }

    /// The times of the rows, as evidence writes them.
    pub(crate) fn times(&self, query: &DataQuery<'_>) -> Vec<String> {
        self.rows.iter().map(|row| time_text(query.time_zone, row.t)).collect()
    }

    /// The evidence that there is nothing.
    pub(crate) fn no_data(&self, query: &DataQuery<'_>) -> EvidenceDraft {
        let said = self.empty.as_deref().unwrap_or("The answer has no row in the window.");
        let draft = EvidenceDraft::new("no_data", said, "", "answer of the service").place(self.place(query));
        let text = |window: Window| {
            format!("{}/{}", time_text(query.time_zone, window.begin), time_text(query.time_zone, window.end))
        };
        query.window.map(text).into_iter().fold(draft, EvidenceDraft::when)
    }
}

/// UTC carries its `Z`; a local time carries nothing.
pub(crate) fn time_text(zone: TimeZone, time: DateTime) -> String {
    match zone {
        TimeZone::Gmt => format!("{time}Z"),
        TimeZone::Lst | TimeZone::LstLdt => time.to_string(),
    }
}

/// The unit of the service's answers for a product.
pub(crate) fn unit_of(product: &str, units: Units) -> &'static str {
    let metric = units == Units::Metric;
    match product {
        "wind" if metric => "m s-1",
        "currents" | "currents_predictions" if metric => "cm s-1",
        "wind" | "currents" | "currents_predictions" => "knot",
        "air_pressure" => "hPa",
        "air_temperature" | "water_temperature" if metric => "degC",
        "air_temperature" | "water_temperature" => "degF",
        "humidity" => "%",
        "visibility" if metric => "km",
        "visibility" => "nautical_mile",
        "conductivity" => "mS cm-1",
        "salinity" => "psu",
        _ => units.length(),
    }
}
