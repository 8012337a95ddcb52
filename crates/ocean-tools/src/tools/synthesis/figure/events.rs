//! Events: how strong they were and how long they lasted along time, and where they were.

use leg_core::ToolError;
use ocean_chart::{
    Calendar, Colours, Line, LineLook, MapGrid, MapSpec, Palette, Range, SeriesSpec, Span, TimeAxis, column,
};
use ocean_data::cf;
use serde_json::{Map, Value};

use super::source::{Measure, Source, drawn, people};
use crate::kernels::time_axis;

const STARTS: [&str; 6] = ["start", "start_date", "start_time", "onset", "first", "time"];
const ENDS: [&str; 5] = ["end", "end_date", "end_time", "last", "termination"];
/// Names of how strong an event was, the best first.
const STRENGTHS: [&str; 13] = [
    "max_intensity",
    "intensity_max",
    "peak_intensity",
    "peak_value",
    "intensity",
    "mean_intensity",
    "peak",
    "max",
    "amplitude",
    "strength",
    "magnitude",
    "value",
    "area",
];
const DURATIONS: [&str; 4] = ["duration", "duration_days", "length", "n"];
const LONS: [&str; 4] = ["lon", "longitude", "center_lon", "centroid_lon"];
const LATS: [&str; 4] = ["lat", "latitude", "center_lat", "centroid_lat"];

/// An event.
#[derive(Debug, Default)]
struct Event {
    from: Option<f64>,
    to: Option<f64>,
    strength: f64,
    place: Option<[f64; 2]>,
}

/// Draws events.
pub(super) fn draw(source: &Source<'_>) -> Result<String, ToolError> {
    let rows = rows(source)?;
    let calendar = source.fact("calendar").and_then(Value::as_str).unwrap_or("standard");
    let calendar = cf::Calendar::parse(calendar).map_err(|error| ToolError::invalid(error.to_string()))?;
    let has = |key: &str| rows.iter().any(|row| row.get(key).is_some_and(Value::is_number));
    let strength = STRENGTHS.iter().chain(&DURATIONS).find(|key| has(key)).copied();
    let events: Vec<Event> = rows.iter().map(|row| event(row, strength, calendar)).collect();
    let label = people(strength.unwrap_or("duration"));
    let units = units(source, &rows, strength);
    let mut drawings = Vec::new();
    if events.iter().any(|event| event.from.is_some()) {
        drawings.push(timeline(source, &events, &label, &units, Calendar::from_cf(calendar.name()))?);
    }
    if events.iter().any(|event| event.place.is_some()) {
        drawings.push(places(source, &events, &label, &units, drawings.is_empty())?);
    }
    match drawings.as_slice() {
        [] => Err(source.lacks("events with times or places")),
        [one] => Ok(one.clone()),
        _ => drawn(column(&source.look.title, &drawings)),
    }
}

/// The events as objects: those of a document, or the columns of arrays along one dimension.
fn rows(source: &Source<'_>) -> Result<Vec<Map<String, Value>>, ToolError> {
    let artifact = source.artifact;
    let listed = [&artifact.content, &artifact.content["events"], &artifact.content["rows"]];
    let attributes = ["events", "episodes"].iter().filter_map(|key| artifact.attributes.get(*key));
    let found = listed.into_iter().chain(attributes).find_map(Value::as_array);
    if let Some(list) = found {
        return Ok(list.iter().filter_map(Value::as_object).cloned().collect());
    }
    let dim = artifact.primary().and_then(|main| main.dims.first()).ok_or_else(|| source.lacks("events"))?;
    let columns: Vec<_> = source.along(&[dim.as_str()]).collect();
    let count = columns.first().map_or(0, |column| column.values.len());
    let row = |at: usize| {
        let arrays = columns.iter().map(|column| (column.name.clone(), Value::from(column.values[at])));
        let coords = artifact.coords.iter().filter(|(_, coord)| coord.values.len() == count);
        arrays.chain(coords.map(|(name, coord)| (name.clone(), coord.values[at].clone()))).collect()
    };
    Ok((0..count).map(row).collect())
}

fn event(row: &Map<String, Value>, strength: Option<&str>, calendar: cf::Calendar) -> Event {
    let number = |keys: &[&str]| keys.iter().find_map(|key| row.get(*key)?.as_f64());
    let time = |keys: &[&str]| keys.iter().find_map(|key| seconds(row.get(*key)?.as_str()?, calendar));
    let place = number(&LONS).zip(number(&LATS)).map(|(lon, lat)| [lon, lat]);
    let (from, to) = (time(&STARTS), time(&ENDS));
    let days = from.zip(to).map(|(from, to)| (to - from) / 86_400.0 + 1.0);
    let strength = strength.map_or(days, |key| number(&[key]));
    Event { from, to, strength: strength.unwrap_or(f64::NAN), place }
}

/// The seconds of a date; a month, a season or a year is its first day.
fn seconds(text: &str, calendar: cf::Calendar) -> Option<f64> {
    let text = text.split('/').next().unwrap_or(text);
    let whole = match text.len() {
        4 => format!("{text}-01-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    time_axis::TimeAxis::parse(calendar, &[whole]).ok()?.unix_seconds().first().copied()
}

fn units(source: &Source<'_>, rows: &[Map<String, Value>], strength: Option<&str>) -> String {
    let Some(strength) = strength else { return "day".to_owned() };
    let array = source.artifact.variable(strength).map(|variable| variable.units.clone());
    let said = source.fact("units");
    let text = said.and_then(|said| said.as_str().or_else(|| said.get(strength)?.as_str()));
    let own =
        rows.first().and_then(|row| row.get("unit").or_else(|| row.get("units"))).and_then(Value::as_str);
    let fallback = if DURATIONS.contains(&strength) { "day" } else { "" };
    array.unwrap_or_else(|| text.or(own).unwrap_or(fallback).to_owned())
}

/// Draws each event as a dot over the shaded time that it took; below it the series that it was found in, if kept.
fn timeline(
    source: &Source<'_>,
    events: &[Event],
    label: &str,
    units: &str,
    calendar: Calendar,
) -> Result<String, ToolError> {
    let known: Vec<&Event> = events.iter().filter(|event| event.from.is_some()).collect();
    let middle = |event: &&Event| {
        let from = event.from.unwrap_or(f64::NAN);
        f64::midpoint(from, event.to.unwrap_or(from))
    };
    let (x, mut y): (Vec<f64>, Vec<f64>) = known.iter().map(|event| (middle(event), event.strength)).unzip();
    let has_strength = y.iter().any(|strength| strength.is_finite());
    let (label, units) = if has_strength { (label, units) } else { ("event", "") };
    if !has_strength {
        // Only their times are known: numbered in their order.
        y = (1..=known.len()).map(|place| place as f64).collect();
    }
    let spans: Vec<Span<'_>> = known
        .iter()
        .filter_map(|event| Some(Span { from: event.from?, to: event.to.or(event.from)?, label: "" }))
        .collect();
    let series = source.along(&["time"]).next();
    let axis = series.map(|series| source.axis("time", series.values.len())).transpose()?;
    let axis = axis.filter(|axis| matches!(axis.measure, Measure::Time(_)));
    if let (Some(series), Some(axis)) = (series, axis) {
        let lines = [Line { x: &axis.values, y: &series.values, ..Line::default() }];
        let spec = SeriesSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            y_label: &people(&series.name),
            units: &series.units,
            time: axis.time(),
            lines: &lines,
            spans: &spans,
            ..SeriesSpec::default()
        };
        return drawn(spec.to_svg());
    }
    let lines = [Line { x: &x, y: &y, look: LineLook::Dots, ..Line::default() }];
    drawn(
        SeriesSpec {
            title: &source.look.title,
            subtitle: &source.subtitle(),
            y_label: label,
            units,
            time: TimeAxis::Seconds(calendar),
            lines: &lines,
            spans: &spans,
            ..SeriesSpec::default()
        }
        .to_svg(),
    )
}

fn places(
    source: &Source<'_>,
    events: &[Event],
    label: &str,
    units: &str,
    has_title: bool,
) -> Result<String, ToolError> {
    let placed = || events.iter().filter_map(|event| Some((event.place?, event.strength)));
    let (lon, lat): (Vec<f64>, Vec<f64>) = placed().map(|([lon, lat], _)| (lon, lat)).unzip();
    let values: Vec<f64> = placed().map(|(_, strength)| strength).collect();
    let palette = match source.look.palette.0 {
        Palette::Auto => Palette::Amp,
        chosen => chosen,
    };
    let subtitle = if has_title { source.subtitle() } else { String::new() };
    drawn(
        MapSpec {
            title: if has_title { &source.look.title } else { "" },
            subtitle: &subtitle,
            quantity: label,
            units,
            grid: MapGrid::Points { lon: &lon, lat: &lat },
            values: &values,
            colours: Colours { palette, range: Range::Full, ..Colours::default() },
            projection: source.look.projection.projection(),
            ..MapSpec::default()
        }
        .to_svg(),
    )
}
