//! `nhc_get_best_track`: where a storm was, and how strong.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::storm_argument::{Storm, place};
use crate::ServiceError;
use crate::nhc::{Client, Point, Track, TrackSource, saffir_simpson};
use crate::prose::table;
use crate::question::places::nearest;
use crate::tool::ServiceTool;

/// The most landfalls, and points off the hours, with evidence of their own.
const MOST: usize = 12;

/// A landfall is named after a known place that is not farther away, in kilometres.
const NEAR_KM: f64 = 50.0;

/// A best track.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GetBestTrack;

/// Which archive a track comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Choice {
    /// HURDAT2 when it has the storm, else the b-deck.
    #[default]
    Auto,
    /// The archive of reanalysed seasons.
    Hurdat2,
    /// The storm's own file.
    Bdeck,
}

impl Choice {
    const fn source(self) -> Option<TrackSource> {
        match self {
            Self::Auto => None,
            Self::Hurdat2 => Some(TrackSource::Hurdat2),
            Self::Bdeck => Some(TrackSource::BDeck),
        }
    }
}

/// The arguments of [`GetBestTrack`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// BBNNYYYY, in any letter case, for example `AL092022`.
    storm_id: Storm,
    /// Force a source: auto, hurdat2 or bdeck.
    #[serde(default)]
    source: Choice,
}

#[async_trait]
impl ServiceTool for GetBestTrack {
    const NAME: &'static str = "nhc_get_best_track";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names: Vec<String> = [
            "peak_wind",
            "category",
            "min_pressure",
            "n_points",
            "n_lines",
            "n_skipped",
            "n_landfalls",
            "track",
            "storm_name",
            "first_name",
            "source",
            "no_data",
        ]
        .map(str::to_owned)
        .to_vec();
        for number in 1..=MOST {
            names.extend(
                ["landfall", "off_hour"]
                    .iter()
                    .flat_map(|what| [format!("{what}_{number}"), format!("{what}_{number}_pressure")]),
            );
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        ToolSpec::new("nhc", "Best track of a storm: positions, winds, pressures, landfalls.", Port::of(Kind::Table))
            .description(
                "HURDAT2 when the season is in the file, else the ATCF b-deck, whose lines of one time (one for each wind \
                 radius) are merged and whose minutes are kept. Winds in knots, pressures in hPa, radii in nautical miles. \
                 Evidence: `peak_wind`, `category` (Saffir-Simpson), `min_pressure`, `landfall_1` and so on (value: wind; \
                 HURDAT2 only), and `off_hour_1` for a b-deck's points between the six-hourly ones, which are landfalls or \
                 peaks. A value that the file does not have is missing, not zero.",
            )
            .evidence(&names)
            .data_class(DataClass::Observation)
            .hosts(&[client.pages_host(), client.decks_host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (track, sources, mut notes) =
            client.track(&arguments.storm_id.0, arguments.source.source(), context).await?;
        if track.skipped > 0 {
            notes.push(format!(
                "{} lines of `{}` could not be read and are left out",
                track.skipped, track.id
            ));
        }
        if track.source == TrackSource::BDeck {
            notes.push(
                "a b-deck does not mark landfalls; its points between the six-hourly ones are landfalls or peaks".to_owned(),
            );
        }
        let mut output = ToolOutput::of(artifact(&track)).with_evidence(evidence(&track)).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}

fn artifact(track: &Track) -> Artifact {
    let columns = ["time", "lat", "lon", "wind", "pressure", "status", "record", "rmw", "radii"];
    let units = [
        ("time", "ISO 8601"),
        ("lat", "degrees_north"),
        ("lon", "degrees_east"),
        ("wind", "knot"),
        ("pressure", "hPa"),
        ("rmw", "nautical_mile"),
        ("radii", "nautical_mile, quadrants from NE clockwise by wind in knots"),
    ];
    let rows = track.points.iter().map(|point| {
        let radii: serde_json::Map<String, Value> =
            point.radii.iter().map(|one| (one.wind_kt.to_string(), json!(one.quadrants))).collect();
        json!([
            format!("{}Z", point.time),
            point.lat,
            point.lon,
            point.wind,
            point.pressure,
            point.status,
            point.record.map(String::from),
            point.rmw,
            radii,
        ])
    });
    table("best_track", &columns, rows.collect(), &units)
        .with_attribute("storm_id", track.id.to_string())
        .with_attribute("storm_name", track.name.as_str())
        .with_attribute("source", track.source.to_string())
}

fn evidence(track: &Track) -> Vec<EvidenceDraft> {
    let name = track.shown_name();
    let source = track.source;
    let whole = place(&name, &track.id, None);
    let of_storm = |name: &str, value: Value, unit: &str, method: String| {
        EvidenceDraft::new(name, value, unit, &method).place(whole.clone())
    };
    let at = |name: &str, value: f64, unit: &str, method: String, point: &Point| {
        let index = track.points.iter().position(|own| std::ptr::eq(own, point));
        let mut spot = place(&track.shown_name(), &track.id, Some((point.lat, point.lon)));
        if let Some(near) = nearest(point.lat, point.lon, NEAR_KM)
            .filter(|_| name.starts_with("landfall") || name.starts_with("off_hour"))
        {
            spot["place"] = json!(format!("{}, {}", near.name, near.state));
        }
        EvidenceDraft::new(name, value, unit, &method)
            .when(format!("{}Z", point.time))
            .place(spot)
            .pointer(index.map_or_else(String::new, |index| format!("/content/rows/{index}")))
    };
    let mut out = Vec::new();
    if let Some((point, wind)) = track.peak() {
        out.push(at("peak_wind", wind, "knot", format!("greatest sustained wind of the {source}"), point));
        let method = format!(
            "Saffir-Simpson category of the greatest wind of the {source}, 0 below hurricane strength"
        );
        out.push(at("category", f64::from(saffir_simpson(wind)), "1", method, point));
    }
    if let Some((point, pressure)) = track.deepest() {
        out.push(at(
            "min_pressure",
            pressure,
            "hPa",
            format!("lowest central pressure of the {source}"),
            point,
        ));
    }
    for (what, points) in [
        ("landfall", track.landfalls().collect::<Vec<_>>()),
        ("off_hour", track.off_hours().filter(|_| source == TrackSource::BDeck).collect()),
    ] {
        for (number, point) in (1..=MOST).zip(points) {
            let called = if what == "landfall" { "landfall" } else { "point between the six-hourly ones" };
            let key = format!("{what}_{number}");
            if let Some(wind) = point.wind {
                out.push(at(&key, wind, "knot", format!("wind at a {called} of the {source}"), point));
            }
            if let Some(pressure) = point.pressure {
                let key = format!("{key}_pressure");
                out.push(at(&key, pressure, "hPa", format!("pressure at a {called} of the {source}"), point));
            }
        }
    }
    let count = |name: &str, value: usize, method: String| of_storm(name, json!(value), "1", method);
    if source == TrackSource::Hurdat2 {
        out.push(count("n_landfalls", track.landfalls().count(), "landfalls that HURDAT2 marks".to_owned()));
    }
    out.push(count("n_points", track.points.len(), format!("points of the {source}, one a time")));
    out.push(count("n_lines", track.lines, format!("lines of the storm in the {source}")));
    if track.skipped > 0 {
        out.push(count("n_skipped", track.skipped, format!("lines of the {source} that could not be read")));
    }
    out.push(of_storm("storm_name", json!(name), "", format!("name in the {source}")));
    if !track.first_name.is_empty() {
        out.push(of_storm(
            "first_name",
            json!(track.first_name),
            "",
            format!("name in the first line of the {source}"),
        ));
    }
    out.push(of_storm("source", json!(source.to_string()), "", "where the track comes from".to_owned()));
    if let (Some(first), Some(last)) = (track.points.first(), track.points.last()) {
        let draft = of_storm(
            "track",
            json!(track.id.to_string()),
            "",
            format!("first and last time of the {source}"),
        );
        out.push(draft.when(format!("{}Z/{}Z", first.time, last.time)));
    } else {
        out.push(of_storm(
            "no_data",
            json!("The track has no points."),
            "",
            format!("answer of the {source}"),
        ));
    }
    out
}
