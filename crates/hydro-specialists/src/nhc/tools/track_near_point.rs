//! `nhc_track_near_point`: where and when a track comes closest to a point.

use async_trait::async_trait;
use jiff::ToSpan as _;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::storm_argument::{Storm, place};
use crate::ServiceError;
use crate::nhc::{Client, Point, closest};
use crate::prose::table;
use crate::question::places::nearest;
use crate::tool::ServiceTool;

/// Closest approach of a track to a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TrackNearPoint;

/// The arguments of [`TrackNearPoint`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
    /// Latitude, degrees north.
    lat: f64,
    /// Longitude, degrees east, -180 to 180.
    lon: f64,
}

#[async_trait]
impl ServiceTool for TrackNearPoint {
    const NAME: &'static str = "nhc_track_near_point";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("nhc", "Closest approach of a storm's track to a point.", Port::of(Kind::Table))
            .description(
                "Along the great circles between the points of the best track. The time is in proportion to the way between \
                 two points; wind and pressure are interpolated with it. Distance in kilometres.",
            )
            .evidence(&["closest_distance", "closest_wind", "closest_pressure", "track_source", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.pages_host(), client.decks_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (id, lat, lon) = (arguments.storm_id.0, arguments.lat, arguments.lon);
        if !(-90.0..=90.0).contains(&lat) || !(-180.0..=180.0).contains(&lon) {
            return Err(ServiceError::BadArgument(format!(
                "{lat}, {lon} is no point; give `lat` from -90 to 90 and `lon` from -180 to 180"
            )));
        }
        let (track, sources, notes) = client.track(&id, None, context).await?;
        let name = track.shown_name();
        let columns = ["distance", "time", "lat", "lon", "wind", "pressure"];
        let units = [
            ("distance", "km"),
            ("time", "ISO 8601"),
            ("lat", "degrees_north"),
            ("lon", "degrees_east"),
            ("wind", "knot"),
            ("pressure", "hPa"),
        ];
        let mut evidence = Vec::new();
        let mut rows = Vec::new();
        let found = closest(&track.points, lat, lon);
        if let Some((found, before)) =
            found.as_ref().and_then(|found| Some((found, track.points.get(found.before)?)))
        {
            let after = track.points.get(found.before + 1).unwrap_or(before);
            let seconds = before.time.duration_until(after.time).as_secs_f64() * found.fraction;
            #[expect(clippy::cast_possible_truncation, reason = "the span between two points is some hours")]
            let minutes = (seconds / 60.0).round() as i64;
            let time = before.time.checked_add(minutes.minutes()).unwrap_or(before.time);
            let between = |value: fn(&Point) -> Option<f64>| {
                let (from, to) = (value(before)?, value(after)?);
                Some(((from + (to - from) * found.fraction) * 10.0).round() / 10.0)
            };
            let (wind, pressure) = (between(|point| point.wind), between(|point| point.pressure));
            let distance = (found.distance_km * 10.0).round() / 10.0;
            let (at_lat, at_lon) = ((found.lat * 100.0).round() / 100.0, (found.lon * 100.0).round() / 100.0);
            rows.push(json!([distance, format!("{time}Z"), at_lat, at_lon, wind, pressure]));
            let mut spot = place(&name, &id, Some((at_lat, at_lon)));
            spot["from"] = json!({ "lon": lon, "lat": lat });
            // A point that stands for a known place is called by its name.
            if let Some(near) = nearest(lat, lon, 1.0) {
                spot["place"] = json!(near.name);
            }
            let draft = |key: &str, value: Value, unit: &str, method: String| {
                EvidenceDraft::new(key, value, unit, &method)
                    .when(format!("{time}Z"))
                    .place(spot.clone())
                    .pointer("/content/rows/0")
            };
            let source = track.source;
            let method = format!("least great-circle distance of the {source} from the point");
            evidence.push(draft("closest_distance", json!(distance), "km", method));
            let method = format!("interpolated between two points of the {source}");
            evidence.extend(wind.map(|wind| draft("closest_wind", json!(wind), "knot", method.clone())));
            evidence.extend(pressure.map(|own| draft("closest_pressure", json!(own), "hPa", method.clone())));
            evidence.push(draft(
                "track_source",
                json!(source.to_string()),
                "",
                "where the track comes from".to_owned(),
            ));
        } else {
            let text = "The track has no points.";
            evidence
                .push(EvidenceDraft::new("no_data", text, "", "best track").place(place(&name, &id, None)));
        }
        let artifact =
            table("closest_approach", &columns, rows, &units).with_attribute("storm_id", id.to_string());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}
