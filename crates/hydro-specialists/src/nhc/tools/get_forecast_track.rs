//! `nhc_get_forecast_track`: official forecast positions and winds.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, Source, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::storm_argument::{Storm, place};
use crate::nhc::Client;
use crate::nhc::track::shown;
use crate::nhc::wire::advisory;
use crate::nhc::wire::atcf::{self, Line, Lines};
use crate::nhc::wire::features::ForecastPoint;
use crate::prose::table;
use crate::question::storms::StormId;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// Hours of official forecasts.
const TAUS: [i32; 14] = [0, 3, 9, 12, 21, 24, 36, 48, 60, 72, 96, 120, 144, 168];

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
struct Found {
    name: String,
    origin: &'static str,
    advisory: Option<String>,
    issued: Option<DateTime>,
    points: Vec<ForecastPoint>,
    skipped: usize,
    others: usize,
    sources: Vec<Source>,
    notes: Vec<String>,
    /// All cycles of an a-deck.
    deck: Option<Lines>,
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
    for bin in Client::slots(id) {
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

fn evidence(id: &StormId, name: &str, found: &Found) -> Vec<EvidenceDraft> {
    let origin = found.origin;
    let whole = place(name, id, None);
    let of_storm = |key: &str, value: Value, unit: &str, method: String| {
        let draft = EvidenceDraft::new(key, value, unit, &method).place(whole.clone());
        match found.issued {
            Some(at) => draft.when(format!("{at}Z")),
            None => draft,
        }
    };
    if found.points.is_empty() {
        let text = "There is no official forecast of the storm.";
        return vec![EvidenceDraft::new("no_data", text, "", "answer of the services").place(whole)];
    }
    let at = |key: &str, value: f64, unit: &str, method: &str, index: usize, point: &ForecastPoint| {
        let draft = EvidenceDraft::new(key, value, unit, &format!("{method}, {origin}"))
            .place(place(name, id, point.position))
            .pointer(format!("/content/rows/{index}"));
        match point.valid {
            Some(valid) => draft.when(format!("{valid}Z")),
            None => draft,
        }
    };
    let placed = found.points.iter().filter(|point| point.position.is_some()).count();
    // A count has no time of its own.
    let count = EvidenceDraft::new("n_points", placed, "1", &format!("forecast positions, {origin}"));
    let mut out = vec![count.place(whole.clone())];
    out.push(of_storm("origin", json!(origin), "", "where the forecast comes from".to_owned()));
    if let Some(number) = &found.advisory {
        let value = number.parse::<u32>().map_or_else(|_| json!(number), |number| json!(number));
        out.push(of_storm("advisory_number", value, "1", "number of the advisory".to_owned()));
    }
    if let Some(issued) = found.issued {
        out.push(of_storm(
            "issued",
            json!(format!("{issued}Z")),
            "",
            "when the forecast was issued".to_owned(),
        ));
    }
    let taus: Vec<String> = found.points.iter().filter_map(|point| Some(point.tau?.to_string())).collect();
    out.push(of_storm("taus", json!(taus.join(", ")), "", "hours of the forecast".to_owned()));
    for (index, point) in found.points.iter().enumerate() {
        if point.position.is_none() {
            let mut draft =
                of_storm("dissipated", json!(point.kind), "", "what the last period says".to_owned());
            draft.when = point.valid.map(|valid| format!("{valid}Z")).or(draft.when);
            out.push(draft);
            continue;
        }
        let Some(tau) = point.tau.filter(|tau| TAUS.contains(tau)) else { continue };
        let mut add = |what: &str, value: Option<f64>, unit: &str, method: &str| {
            if let Some(value) = value {
                out.push(at(&format!("at_{tau}h_{what}"), value, unit, method, index, point));
            }
        };
        add("lat", point.position.map(|at| at.0), "degree_north", "forecast latitude");
        add("lon", point.position.map(|at| at.1), "degree_east", "forecast longitude");
        add("wind", point.wind, "knot", "forecast sustained wind");
        add("gust", point.gust, "knot", "forecast gusts");
        add("pressure", point.pressure, "hPa", "forecast central pressure");
    }
    let all = || found.points.iter().enumerate();
    let winds = all().filter_map(|(index, point)| Some((index, point, point.wind?)));
    if let Some((index, point, wind)) = winds.fold(None, keep(|a, b| a > b)) {
        out.push(at("max_wind", wind, "knot", "greatest forecast wind", index, point));
    }
    let pressures = all().filter_map(|(index, point)| Some((index, point, point.pressure?)));
    if let Some((index, point, pressure)) = pressures.fold(None, keep(|a, b| a < b)) {
        out.push(at("min_pressure", pressure, "hPa", "lowest forecast pressure", index, point));
    }
    if let Some(last) = found.points.iter().rfind(|point| point.position.is_some())
        && let Some(tau) = last.tau
    {
        let mut draft =
            of_storm("last_point", json!(tau), "hour", "hours to the last forecast position".to_owned());
        draft.place = Some(place(name, id, last.position));
        draft.when = last.valid.map(|valid| format!("{valid}Z")).or(draft.when);
        out.push(draft);
    }
    out.extend(found.deck.iter().flat_map(|lines| of_cycles(id, name, lines)));
    out
}

type Numbered<'a> = (usize, &'a ForecastPoint, f64);

/// Keeps the first of the best.
fn keep<'a>(
    better: impl Fn(f64, f64) -> bool,
) -> impl FnMut(Option<Numbered<'a>>, Numbered<'a>) -> Option<Numbered<'a>> {
    move |best, next| match best {
        Some(own) if !better(next.2, own.2) => Some(own),
        _ => Some(next),
    }
}

/// What all cycles of an a-deck hold.
fn of_cycles(id: &StormId, name: &str, lines: &Lines) -> Vec<EvidenceDraft> {
    let cycles: BTreeSet<DateTime> = lines.lines.iter().map(|line| line.time).collect();
    let taus: BTreeSet<i32> = lines.lines.iter().map(|line| line.tau).collect();
    let taus: Vec<String> = taus.iter().map(ToString::to_string).collect();
    let draft = |key: &str, value: Value, unit: &str, method: &str| {
        EvidenceDraft::new(key, value, unit, method).place(place(name, id, None))
    };
    let mut out = vec![
        draft("n_lines", json!(lines.count), "1", "lines of the technique OFCL in the a-deck"),
        draft("n_cycles", json!(cycles.len()), "1", "forecast cycles of the technique OFCL in the a-deck"),
        draft("all_taus", json!(taus.join(", ")), "", "hours of the forecasts of all cycles"),
    ];
    for (key, cycle) in [("first_cycle", cycles.first()), ("last_cycle", cycles.last())] {
        if let Some(cycle) = cycle {
            let method = "a forecast cycle of the technique OFCL";
            out.push(draft(key, json!(format!("{cycle}Z")), "", method).when(format!("{cycle}Z")));
        }
    }
    let strongest = lines.lines.iter().filter_map(|line| Some((line, line.wind?))).fold(
        None,
        |best: Option<(&Line, f64)>, next| match best {
            Some(own) if next.1 <= own.1 => Some(own),
            _ => Some(next),
        },
    );
    if let Some((line, wind)) = strongest {
        let method = format!(
            "greatest wind of all forecasts, made in the cycle {}Z for {} hours",
            line.time, line.tau
        );
        let mut one = draft("max_wind_all_cycles", json!(wind), "knot", &method);
        one.when = atcf::valid(line).map(|valid| format!("{valid}Z"));
        one.place = Some(place(name, id, Some((line.lat, line.lon))));
        out.push(one);
    }
    out
}
