//! `coops_get_met`: a series of a sensor: wind, pressure, temperatures and others.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::DataQuery;
use crate::coops::samples::{collect, unit_of, window};
use crate::gauge::{Column, Series};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError, StationId, Units};

/// A series of a sensor.
#[derive(Debug, Clone, Copy)]
pub struct GetMet;

/// The arguments of [`GetMet`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetMetArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// The sensor.
    pub product: Sensor,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
    /// Unit system: m/s, degC, m or knots, degF, ft; pressure is hPa in both.
    #[serde(default)]
    pub units: Units,
    /// Time zone of the window and of the times in the answer.
    #[serde(default)]
    pub time_zone: TimeZone,
}

/// A sensor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sensor {
    /// Speed, direction that it comes from, gust.
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

impl Sensor {
    /// The service's product, and what it is in words.
    pub(crate) const fn product(self) -> (&'static str, &'static str) {
        match self {
            Self::Wind => ("wind", "wind speed"),
            Self::AirPressure => ("air_pressure", "air pressure"),
            Self::AirTemperature => ("air_temperature", "air temperature"),
            Self::WaterTemperature => ("water_temperature", "water temperature"),
            Self::Humidity => ("humidity", "relative humidity"),
            Self::Visibility => ("visibility", "visibility"),
            Self::Conductivity => ("conductivity", "conductivity"),
            Self::Salinity => ("salinity", "salinity"),
            Self::AirGap => ("air_gap", "air gap"),
        }
    }
}

#[async_trait]
impl ServiceTool for GetMet {
    const NAME: &'static str = "coops_get_met";

    type Client = Client;
    type Arguments = GetMetArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Weather and water sensors of a station: wind, pressure, temperature.", port)
            .description(
                "NOAA CO-OPS data API. Of wind the primary series is the speed; `max_gust` is the strongest gust and \
                 `direction_at_max` where the wind of the highest speed came from. Long windows are asked for in parts \
                 of 31 days.",
            )
            .evidence(&[
                "first",
                "last",
                "mean",
                "min",
                "max",
                "n",
                "n_missing",
                "n_rows",
                "first_gust",
                "max_gust",
                "first_direction",
                "direction_at_max",
                "no_data",
            ])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (product, what) = arguments.product.product();
        let query = DataQuery {
            product,
            station: &arguments.station_id,
            window: Some(window(arguments.begin, arguments.end)?),
            datum: None,
            units: arguments.units,
            time_zone: arguments.time_zone,
            interval: None,
            bin: None,
        };
        let found = collect(client, &query, 31, context).await?;
        let unit = unit_of(product, arguments.units);
        let wind = arguments.product == Sensor::Wind;
        let values = found.rows.iter().map(|row| if wind { row.s } else { row.v }).collect();
        let mut columns = vec![Column::new(product, unit, values)];
        if wind {
            columns[0].standard_name = Some("wind_speed");
            columns.push(Column::new("gust", unit, found.rows.iter().map(|row| row.g).collect()));
            let directions = found.rows.iter().map(|row| row.d).collect();
            columns.push(Column::new("from_direction", "degree", directions));
        }
        let series = Series { times: found.times(&query), columns, datum: None, place: found.place(&query) };
        let mut evidence = series.statistics(0, "", what);
        evidence.extend(series.counts(what));
        let method = "number of times in the answer, with and without a value";
        evidence
            .push(EvidenceDraft::new("n_rows", found.rows.len(), "1", method).place(series.place.clone()));
        if wind {
            wind_evidence(&series, &mut evidence);
        }
        if found.rows.is_empty() {
            evidence.push(found.no_data(&query));
        }
        let mut output =
            ToolOutput::of(series.artifact(product)).with_evidence(evidence).with_notes(found.notes);
        output.sources = found.sources;
        Ok(output)
    }
}

fn wind_evidence(series: &Series, evidence: &mut Vec<EvidenceDraft>) {
    for draft in series.statistics(1, "", "wind gust") {
        let name = match draft.name.as_str() {
            "max" => "max_gust",
            "first" => "first_gust",
            _ => continue,
        };
        evidence.push(EvidenceDraft { name: name.to_owned(), ..draft });
    }
    let directions = series.columns.get(2).map(|column| column.values.as_slice()).unwrap_or_default();
    let speeds = series.columns.first().map(|column| column.values.as_slice()).unwrap_or_default();
    let first = speeds.iter().position(Option::is_some);
    let max = speeds.iter().enumerate().filter_map(|(at, speed)| Some((at, (*speed)?)));
    let max = max.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(at, _)| at);
    for (name, at, what) in [
        ("first_direction", first, "direction that the first wind comes from"),
        ("direction_at_max", max, "direction that the wind of the highest speed comes from"),
    ] {
        let direction = at.and_then(|at| Some((at, directions.get(at).copied()??)));
        if let Some((at, direction)) = direction {
            let draft = EvidenceDraft::new(name, direction, "degree", what).place(series.place.clone());
            evidence
                .push(series.times.get(at).into_iter().fold(draft, |draft, time| draft.when(time.as_str())));
        }
    }
}
