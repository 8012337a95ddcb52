//! `coops_get_latest`: the newest value of a sensor: the level, the wind, the current now.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::get_met::Sensor;
use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::DataQuery;
use crate::coops::samples::{collect, time_text, unit_of};
use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::{Datum, ServiceError, StationId, Units};

/// The newest value of a sensor.
#[derive(Debug, Clone, Copy)]
pub struct GetLatest;

/// The arguments of [`GetLatest`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetLatestArguments {
    /// 7 digits (water level) or letters and digits (currents).
    pub station_id: StationId,
    /// What to read.
    #[serde(default)]
    pub product: LatestProduct,
    /// Vertical datum, of water levels.
    #[serde(default)]
    pub datum: Datum,
    /// Unit system.
    #[serde(default)]
    pub units: Units,
}

/// What can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LatestProduct {
    /// The water level.
    #[default]
    WaterLevel,
    /// Speed and direction of the current.
    Currents,
    /// Speed, direction and gust of the wind.
    Wind,
    /// Barometric pressure.
    AirPressure,
    /// Air temperature.
    AirTemperature,
    /// Water temperature.
    WaterTemperature,
    /// Relative humidity.
    Humidity,
    /// Visibility.
    Visibility,
    /// Conductivity of the water.
    Conductivity,
    /// Salinity of the water.
    Salinity,
    /// The clearance under a bridge.
    AirGap,
}

impl LatestProduct {
    const fn product(self) -> (&'static str, &'static str) {
        match self {
            Self::WaterLevel => ("water_level", "water level"),
            Self::Currents => ("currents", "current speed"),
            Self::Wind => Sensor::Wind.product(),
            Self::AirPressure => Sensor::AirPressure.product(),
            Self::AirTemperature => Sensor::AirTemperature.product(),
            Self::WaterTemperature => Sensor::WaterTemperature.product(),
            Self::Humidity => Sensor::Humidity.product(),
            Self::Visibility => Sensor::Visibility.product(),
            Self::Conductivity => Sensor::Conductivity.product(),
            Self::Salinity => Sensor::Salinity.product(),
            Self::AirGap => Sensor::AirGap.product(),
        }
    }
}

#[async_trait]
impl ServiceTool for GetLatest {
    const NAME: &'static str = "coops_get_latest";

    type Client = Client;
    type Arguments = GetLatestArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "The newest value of a sensor of a station.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS data API with `date=latest`: one row, mostly preliminary. Of wind and currents `value` is \
                 the speed; wind comes from its `direction`, a current goes to it.",
            )
            .evidence(&["value", "direction", "gust", "bin", "quality", "n", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (product, what) = arguments.product.product();
        let is_level = arguments.product == LatestProduct::WaterLevel;
        let query = DataQuery {
            product,
            station: &arguments.station_id,
            window: None,
            datum: is_level.then_some(arguments.datum),
            units: arguments.units,
            time_zone: TimeZone::Gmt,
            interval: None,
            bin: None,
        };
        let found = collect(client, &query, 1, context).await?;
        let unit = unit_of(product, arguments.units);
        let place = found.place(&query);
        let mut evidence = Vec::new();
        let newest = found.rows.last();
        if let Some(row) = newest {
            let when = time_text(TimeZone::Gmt, row.t);
            let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
                EvidenceDraft::new(name, value, unit, method).when(when.as_str()).place(place.clone())
            };
            if let Some(value) = row.v.or(row.s) {
                let value = draft("value", json!(value), unit, &format!("newest {what}"));
                evidence.push(if is_level { value.datum(arguments.datum.as_str()) } else { value });
            }
            if let Some(direction) = row.d {
                let method = format!("direction of the newest {what}");
                evidence.push(draft("direction", json!(direction), "degree", &method));
            }
            if let Some(gust) = row.g {
                evidence.push(draft("gust", json!(gust), unit, "newest wind gust"));
            }
            if !row.b.trim().is_empty() {
                evidence.push(draft("bin", json!(row.b.trim()), "", "depth bin"));
            }
            let quality = match row.q.trim() {
                "p" => Some("preliminary"),
                "v" => Some("verified"),
                _ => None,
            };
            if let Some(quality) = quality {
                evidence.push(draft("quality", json!(quality), "", "quality of the value"));
            }
            let method = "number of values";
            evidence.push(draft("n", json!(found.rows.len()), "1", method));
        }
        if !evidence.iter().any(|draft| draft.name == "value") {
            evidence.push(found.no_data(&query));
        }
        let columns = [("time", ""), ("value", unit), ("direction", "degree"), ("gust", unit)];
        let row = newest.map(|row| {
            let time = time_text(TimeZone::Gmt, row.t);
            vec![json!(time), json!(row.v.or(row.s)), json!(row.d), json!(row.g)]
        });
        let artifact = table(product, &columns, &row.into_iter().collect::<Vec<_>>())
            .with_attribute("station", arguments.station_id.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(found.notes);
        output.sources = found.sources;
        Ok(output)
    }
}
