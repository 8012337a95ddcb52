//! `coops_get_station`: what the service knows of a station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::coops::Client;
use crate::coops::client::unknown;
use crate::coops::wire::{Station, Stations};
use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, Units, lenient};

/// Levels at which flooding begins, above station datum.
const FLOODS: [&str; 7] =
    ["nos_minor", "nos_moderate", "nos_major", "nws_minor", "nws_moderate", "nws_major", "action"];

/// What the service knows of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetStation;

/// The arguments of [`GetStation`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetStationArguments {
    /// 7 digits (water level) or letters and digits (currents).
    pub station_id: StationId,
    /// Blocks to ask for.
    #[serde(default = "usual")]
    pub expand: Vec<Block>,
    /// Unit system; the service's own default is english.
    #[serde(default)]
    pub units: Units,
}

fn usual() -> Vec<Block> {
    vec![Block::Details, Block::Datums, Block::FloodLevels]
}

/// A block of a station's description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// When it was established, its time zone.
    Details,
    /// Its sensors.
    Sensors,
    /// Its datums.
    Datums,
    /// Levels at which flooding begins.
    FloodLevels,
    /// Harmonic constituents.
    Harcon,
    /// Products.
    Products,
    /// Benchmarks.
    Benchmarks,
    /// Stations near it.
    Nearby,
}

impl Block {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Details => "details",
            Self::Sensors => "sensors",
            Self::Datums => "datums",
            Self::FloodLevels => "floodlevels",
            Self::Harcon => "harcon",
            Self::Products => "products",
            Self::Benchmarks => "benchmarks",
            Self::Nearby => "nearby",
        }
    }
}

#[async_trait]
impl ServiceTool for GetStation {
    const NAME: &'static str = "coops_get_station";

    type Client = Client;
    type Arguments = GetStationArguments;

    fn describe(client: &Client) -> ToolSpec {
        let mut names = vec![
            "id",
            "name",
            "state",
            "lat",
            "lon",
            "shefcode",
            "tz_offset",
            "established",
            "n_constituents",
        ];
        names.extend(["n_sensors", "n_datums", "n"]);
        names.extend(FLOODS);
        ToolSpec::new("coops", "A station: name, state, position, flood levels, sensors.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS metadata API. Flood levels such as `nos_minor` are above station datum (STND). Blocks that \
                 are not in `expand` are left out.",
            )
            .evidence(&names)
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let station = &arguments.station_id;
        let blocks: Vec<&str> = arguments.expand.iter().map(|block| block.as_str()).collect();
        let blocks = blocks.join(",");
        let mut parameters = vec![("units", arguments.units.as_str())];
        if !blocks.is_empty() {
            parameters.push(("expand", blocks.as_str()));
        }
        let path = format!("stations/{station}.json");
        let asked = client.metadata::<Stations>(&path, &parameters, context).await;
        let (list, source) = asked
            .map_err(|error| if error.is_missing() { unknown(station, "description") } else { error })?;
        let count = list.stations.len();
        let (stations, _) = lenient::rows::<Station>(list.stations);
        let Some(own) = stations.first() else { return Err(unknown(station, "description")) };
        let evidence = evidence(own, count, arguments.units);
        let rows =
            evidence.iter().map(|draft| vec![json!(draft.name), draft.value.clone(), json!(draft.unit)]);
        let artifact =
            table("station", &[("name", ""), ("value", ""), ("unit", "")], &rows.collect::<Vec<_>>())
                .with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence);
        output.sources = vec![source];
        Ok(output)
    }
}

fn evidence(own: &Station, count: usize, units: Units) -> Vec<EvidenceDraft> {
    let place = place(&own.id, &own.name, own.lat, own.lng);
    let mut drafts = Vec::new();
    let mut say = |name: &str, value: Value, unit: &str, method: &str| {
        if !value.is_null() && value.as_str() != Some("") {
            drafts.push(EvidenceDraft::new(name, value, unit, method).place(place.clone()));
        }
    };
    say("id", json!(own.id), "", "id of the station");
    say("name", json!(own.name), "", "name of the station");
    say("state", json!(own.state), "", "state of the station");
    say("lat", json!(own.lat), "degree_north", "latitude of the station");
    say("lon", json!(own.lng), "degree_east", "longitude of the station");
    say("shefcode", json!(own.shefcode), "", "SHEF code of the station");
    say("n", json!(count), "1", "number of stations in the answer");
    let hours = own.details.get("timezone").and_then(Value::as_f64).or(own.timezonecorr);
    say("tz_offset", json!(hours), "hour", "offset of the station's standard time from UTC");
    let established = own.details.get("established").and_then(Value::as_str);
    say(
        "established",
        json!(established.map(|day| day.get(..10).unwrap_or(day))),
        "",
        "date of establishment",
    );
    let length = |block: &Value, name: &str| block.get(name).and_then(Value::as_array).map(Vec::len);
    let harmonics = length(&own.harmonics, "HarmonicConstituents");
    say("n_constituents", json!(harmonics), "1", "number of harmonic constituents");
    say("n_sensors", json!(length(&own.sensors, "sensors")), "1", "number of sensors");
    say("n_datums", json!(length(&own.datums, "datums")), "1", "number of datums");
    // Heights have the unit that the datum block states, else that of the request.
    let unit = match own.datums.get("units").and_then(Value::as_str) {
        Some(text) if text.to_lowercase().starts_with("met") => "m",
        Some(_) => "ft",
        None => units.length(),
    };
    for name in FLOODS {
        if let Some(level) = own.floodlevels.get(name).and_then(Value::as_f64) {
            let method = format!("level at which {} flooding begins", name.replace('_', " "));
            let draft = EvidenceDraft::new(name, level, unit, &method).place(place.clone());
            drafts.push(draft.datum("STND"));
        }
    }
    drafts
}
