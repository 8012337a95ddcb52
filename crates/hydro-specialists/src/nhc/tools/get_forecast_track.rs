//! `nhc_get_forecast_track`: official forecast positions and winds.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{DataClass, Kind, Port, Source, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::forecast_evidence::{TAUS, evidence};
use super::storm_argument::Storm;
use crate::nhc::Client;
use crate::nhc::layers::slots;
use crate::nhc::track::shown;
use crate::nhc::wire::advisory;
use crate::nhc::wire::atcf::{self, Line, Lines};
use crate::nhc::wire::features::ForecastPoint;
use crate::prose::table;
use crate::question::storms::StormId;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// Official forecast positions and winds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GetForecastTrack;

/// The arguments of [`GetForecastTrack`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
    /// For past storms: forecast cycle of the a-deck in UTC, such as `2018-09-10T12:00`; default the last one.
    #[serde(default)]
    cycle: Option<Moment>,
}

/// A forecast, from wherever it came.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) name: String,
    pub(super) origin: &'static str,
    pub(super) advisory: Option<String>,
    pub(super) issued: Option<DateTime>,
    pub(super) points: Vec<ForecastPoint>,
    pub(super) skipped: usize,
    pub(super) others: usize,
    pub(super) sources: Vec<Source>,
    pub(super) notes: Vec<String>,
    /// All cycles of an a-deck.
    pub(super) deck: Option<Lines>,
}

#[async_trait]
impl ServiceTool for GetForecastTrack {
    const NAME: &'static str = "nhc_get_forecast_track";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> = [
            "n_points",
            "advisory_number",
            "issued",
            "max_wind",
            "min_pressure",
            "last_point",
            "taus",
            "dissipated",
            "origin",
            "n_lines",
            "n_cycles",
            "first_cycle",
            "last_cycle",
            "all_taus",
            "max_wind_all_cycles",
            "no_data",
        ]
        .map(str::to_owned)
        .to_vec();
        for tau in TAUS {
            names.extend(["wind", "lat", "lon", "pressure", "gust"].map(|what| format!("at_{tau}h_{what}")));
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Official forecast of a storm: positions and winds by hour.", Port::of(Kind::Table))
            .description(
                "An active storm: the forecast points of its slot in the tropical map service, else its newest \
                 forecast/advisory text. A past storm, or a `cycle`: the OFCL lines of the a-deck. Winds and gusts in knots, \
                 pressures in hPa. Rows of another storm in the slot are left out. Evidence: `at_24h_wind` and so on by hour, \
                 and for an a-deck what all its cycles hold.",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&[client.pages_host(), client.decks_host(), client.maps_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let id = arguments.storm_id.0;
        let found = match arguments.cycle {
            Some(cycle) => of_deck(&id, Some(cycle), client, context).await?,
            None => newest(&id, client, context).await?,
        };
        Ok(output(&id, found))
    }
}

/// The newest forecast: of the slot of an active storm, of its text, of its a-deck, or of any slot that still holds it.
async fn newest(id: &StormId, client: &Client, context: &ToolContext) -> Result<Found, ServiceError> {
    let mut notes = Vec::new();
    let mut sources = Vec::new();
    let active = match client.active(context).await {
        Ok((storms, _, source)) => {
            sources.push(source);
            storms.into_iter().find(|storm| storm.id == *id)
        }
        Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
        Err(error) => {
            notes.push(format!("the list of active storms did not come: {error}"));
            None
        }
    };
    if let Some(storm) = active {
        let layers = client.layers(context).await?;
        sources.extend(layers.sources.iter().cloned());
        notes.extend(layers.note.clone());
        match client.points_in(&layers, &storm.bin, id, context).await {
            Ok((slot, source)) => {
                sources.push(source);
                if !slot.rows.is_empty() {
                    return Ok(of_slot(storm.name, slot, sources, notes));
                }
                notes.push(format!(
                    "slot {} of the map service has no forecast of the storm; the forecast/advisory text is read",
                    storm.bin
                ));
            }
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(error) => notes.push(format!("the map service did not answer: {error}")),
        }
        match client.current_text(&storm.bin, "fstadv", context).await {
            Ok((text, source)) => {
                sources.push(source);
                if let Some(found) = of_text(id, &text) {
                    return Ok(Found { sources, notes, ..found });
                }
                notes.push("the forecast/advisory text has no forecast of the storm".to_owned());
            }
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(error) => notes.push(format!("the forecast/advisory text did not come: {error}")),
        }
    }
    match of_deck(id, None, client, context).await {
        Ok(mut found) => {
            sources.append(&mut found.sources);
            notes.append(&mut found.notes);
            return Ok(Found { sources, notes, ..found });
        }
        Err(error) if error.is_missing() => {}
        Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
        Err(error) => notes.push(format!("the a-deck could not be read: {error}")),
    }
    // The map service goes on showing a storm for a while after it has left the list.
    let layers = client.layers(context).await?;
    let mut failure = None;
    for bin in slots(id) {
        match client.points_in(&layers, &bin, id, context).await {
            Ok((slot, source)) if !slot.rows.is_empty() => {
                sources.push(source);
                let name = slot.name.clone().unwrap_or_default();
                return Ok(of_slot(name, slot, sources, notes));
            }
            Ok(_) => {}
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(error) => {
                failure = Some(error);
                break;
            }
        }
    }
    match failure {
        Some(error) => Err(error),
        None => Ok(Found { sources, notes, origin: "no source", ..Found::default() }),
    }
}

fn of_slot(
    name: String,
    slot: crate::nhc::wire::features::Slot<ForecastPoint>,
    sources: Vec<Source>,
    notes: Vec<String>,
) -> Found {
    Found {
        name,
        origin: "tropical map service",
        advisory: slot.advisory,
        issued: slot.issued,
        points: slot.rows,
        skipped: slot.skipped,
        others: slot.others,
        sources,
        notes,
        deck: None,
    }
}

fn of_text(id: &StormId, text: &str) -> Option<Found> {
    let read = advisory::read(text);
    // The slot may already hold another storm.
    if read.id.as_deref().is_some_and(|own| own.parse() != Ok(id.clone())) || read.forecast.is_empty() {
        return None;
    }
    let now = ForecastPoint {
        tau: Some(0),
        valid: read.issued,
        position: read.center,
        wind: read.wind_kt,
        gust: read.gust_kt,
        pressure: read.pressure,
        kind: String::new(),
    };
    let points = std::iter::once(now).filter(|now| now.position.is_some()).chain(read.forecast).collect();
    Some(Found {
        name: read.name.unwrap_or_default(),
        origin: "forecast/advisory text",
        advisory: read.number,
        issued: read.issued,
        points,
        ..Found::default()
    })
}

async fn of_deck(
    id: &StormId,
    cycle: Option<Moment>,
    client: &Client,
    context: &ToolContext,
) -> Result<Found, ServiceError> {
    let (lines, source) = client.official(id, context).await?;
    let cycles: BTreeSet<DateTime> = lines.lines.iter().map(|line| line.time).collect();
    let chosen = match cycle {
        Some(cycle) => cycles.iter().rfind(|time| cycle.first() <= **time && **time <= cycle.last()),
        None => cycles.last(),
    };
    let Some(chosen) = chosen.copied() else {
        if let (Some(first), Some(last)) = (cycles.first(), cycles.last()) {
            return Err(ServiceError::NotFound(format!(
                "the a-deck of `{id}` has no official forecast of that cycle; it has cycles from {first}Z to {last}Z"
            )));
        }
        return Err(ServiceError::NotFound(format!("the a-deck of `{id}` has no official forecast (OFCL)")));
    };
    let mut by_tau: BTreeMap<i32, ForecastPoint> = BTreeMap::new();
    for line in lines.lines.iter().filter(|line| line.time == chosen) {
        by_tau.entry(line.tau).or_insert_with(|| point(line));
    }
    let mut sources = vec![source];
    let mut name = lines.lines.iter().rev().find_map(|line| shown(&line.name));
    if name.is_none() {
        // An a-deck often has no names; the b-deck has. Without it the id stands for the storm.
        match client.best_track(id, context).await {
            Ok((track, source)) => {
                name = shown(&track.name);
                sources.push(source);
            }
            Err(ServiceError::Tool(error)) => return Err(ServiceError::Tool(error)),
            Err(_) => {}
        }
    }
    Ok(Found {
        name: name.unwrap_or_default(),
        origin: "a-deck, technique OFCL",
        issued: Some(chosen),
        points: by_tau.into_values().collect(),
        skipped: lines.skipped,
        sources,
        deck: Some(lines),
        ..Found::default()
    })
}

fn point(line: &Line) -> ForecastPoint {
    ForecastPoint {
        tau: Some(line.tau),
        valid: atcf::valid(line),
        position: Some((line.lat, line.lon)),
        wind: line.wind,
        gust: line.gust,
        pressure: line.pressure,
        kind: line.status.clone(),
    }
}

fn output(id: &StormId, found: Found) -> ToolOutput {
    let name = shown(&found.name).unwrap_or_else(|| id.to_string());
    let rows = found.points.iter().map(|point| {
        json!([
            point.tau,
            point.valid.map(|at| format!("{at}Z")),
            point.position.map(|at| at.0),
            point.position.map(|at| at.1),
            point.wind,
            point.gust,
            point.pressure,
            point.kind,
        ])
    });
    let columns = ["tau", "valid", "lat", "lon", "wind", "gust", "pressure", "type"];
    let units = [
        ("tau", "hour"),
        ("valid", "ISO 8601"),
        ("lat", "degrees_north"),
        ("lon", "degrees_east"),
        ("wind", "knot"),
        ("gust", "knot"),
        ("pressure", "hPa"),
    ];
    let mut artifact = table("forecast_track", &columns, rows.collect(), &units)
        .with_attribute("storm_id", id.to_string())
        .with_attribute("origin", found.origin);
    if let Some(number) = &found.advisory {
        artifact = artifact.with_attribute("advisory", number.as_str());
    }
    let mut notes = found.notes.clone();
    if found.others > 0 {
        notes.push(format!("{} rows of the slot are of another storm and are left out", found.others));
    }
    if found.skipped > 0 {
        notes.push(format!("{} rows of the forecast could not be read and are left out", found.skipped));
    }
    let mut output = ToolOutput::of(artifact).with_evidence(evidence(id, &name, &found)).with_notes(notes);
    output.sources = found.sources;
    output
}
