//! `nhc_position_at`: where a storm was at a time.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::storm_argument::{Storm, place};
use crate::nhc::{Client, Point};
use crate::prose::table;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// Where a storm was at a time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PositionAt;

/// The arguments of [`PositionAt`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
    /// UTC, such as `2022-09-28T12:00`; of a day or a longer time the point with the strongest wind is given.
    time: Moment,
}

#[async_trait]
impl ServiceTool for PositionAt {
    const NAME: &'static str = "nhc_position_at";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("nhc", "Position, wind and pressure of a storm at a time.", Port::of(Kind::Table))
            .description(
                "A point of the best track at that time; between two points, values in proportion to the time. A time before \
                 or after the track is an answer without values (`no_data`).",
            )
            .evidence(&["pos_lat", "pos_lon", "pos_wind", "pos_pressure", "pos_status", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.pages_host(), client.decks_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let id = arguments.storm_id.0;
        let (track, sources, notes) = client.track(&id, None, context).await?;
        let (first, last) = (arguments.time.first(), arguments.time.last());
        let source = track.source;
        let inside = track.points.iter().filter(|point| first <= point.time && point.time <= last);
        let strongest = inside.fold(None, |best: Option<&Point>, next| match best {
            Some(own) if next.wind <= own.wind => Some(own),
            _ => Some(next),
        });
        let found = match strongest {
            Some(point) => Some((point.clone(), format!("point of the {source}"))),
            None => {
                between(&track.points, first).map(|point| (point, format!("interpolated in the {source}")))
            }
        };
        let name = track.shown_name();
        let columns = ["time", "lat", "lon", "wind", "pressure", "status"];
        let units = [
            ("time", "ISO 8601"),
            ("lat", "degrees_north"),
            ("lon", "degrees_east"),
            ("wind", "knot"),
            ("pressure", "hPa"),
        ];
        let mut rows = Vec::new();
        let mut evidence = Vec::new();
        if let Some((point, method)) = &found {
            rows.push(json!([
                format!("{}Z", point.time),
                point.lat,
                point.lon,
                point.wind,
                point.pressure,
                point.status
            ]));
            let draft = |key: &str, value: Value, unit: &str| {
                EvidenceDraft::new(key, value, unit, method)
                    .when(format!("{}Z", point.time))
                    .place(place(&name, &id, Some((point.lat, point.lon))))
                    .pointer("/content/rows/0")
            };
            evidence.push(draft("pos_lat", json!(point.lat), "degree_north"));
            evidence.push(draft("pos_lon", json!(point.lon), "degree_east"));
            evidence.extend(point.wind.map(|wind| draft("pos_wind", json!(wind), "knot")));
            evidence.extend(point.pressure.map(|own| draft("pos_pressure", json!(own), "hPa")));
            evidence.push(draft("pos_status", json!(point.status), ""));
        } else {
            let span = track.points.first().zip(track.points.last());
            let span = span.map(|(first, last)| format!(" It goes from {}Z to {}Z.", first.time, last.time));
            let text = format!("The best track has no position at that time.{}", span.unwrap_or_default());
            evidence
                .push(EvidenceDraft::new("no_data", text, "", "best track").place(place(&name, &id, None)));
        }
        let artifact = table("position", &columns, rows, &units).with_attribute("storm_id", id.to_string());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

/// A point between two others, in proportion to the time; of longitudes the short way round.
fn between(points: &[Point], time: jiff::civil::DateTime) -> Option<Point> {
    let pair = points.windows(2).find_map(|pair| match pair {
        [a, b] if a.time <= time && time < b.time => Some((a, b)),
        _ => None,
    });
    let (a, b) = pair?;
    let whole = a.time.duration_until(b.time).as_secs_f64();
    let part = a.time.duration_until(time).as_secs_f64() / whole;
    let mix = |from: f64, to: f64| ((from + (to - from) * part) * 100.0).round() / 100.0;
    let mut turn = b.lon - a.lon;
    if turn.abs() > 180.0 {
        turn -= 360.0_f64.copysign(turn);
    }
    let lon = mix(a.lon, a.lon + turn);
    Some(Point {
        time,
        lat: mix(a.lat, b.lat),
        lon: super::super::wire::hurdat2::turned(lon)?,
        wind: a.wind.zip(b.wind).map(|(from, to)| mix(from, to)),
        pressure: a.pressure.zip(b.pressure).map(|(from, to)| mix(from, to)),
        status: a.status.clone(),
        record: None,
        rmw: None,
        radii: Vec::new(),
    })
}
