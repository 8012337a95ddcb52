//! `coops_get_currents`: the observed current of a current meter.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::DataQuery;
use crate::coops::samples::{collect, unit_of, window};
use crate::gauge::{Column, Series};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError, StationId, Units};

/// The observed current of a current meter.
#[derive(Debug, Clone, Copy)]
pub struct GetCurrents;

/// The arguments of [`GetCurrents`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCurrentsArguments {
    /// Letters and digits, such as `cb1401`.
    pub station_id: StationId,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
    /// The depth bin; the meter's own real-time bin without it.
    #[serde(default)]
    pub bin: Option<u32>,
    /// Unit system: cm/s or knots.
    #[serde(default)]
    pub units: Units,
    /// Time zone of the window and of the times in the answer.
    #[serde(default)]
    pub time_zone: TimeZone,
}

#[async_trait]
impl ServiceTool for GetCurrents {
    const NAME: &'static str = "coops_get_currents";

    type Client = Client;
    type Arguments = GetCurrentsArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Observed current of a current meter: speed and direction.", port)
            .description(
                "NOAA CO-OPS data API, product currents. Speeds are cm/s (metric) or knots; the direction is where the \
                 current goes, degrees from true north. Times without a value are left out by the service.",
            )
            .evidence(&[
                "first",
                "last",
                "mean",
                "min",
                "max",
                "n",
                "n_missing",
                "first_direction",
                "last_direction",
                "direction_at_max",
                "bin",
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
        let query = DataQuery {
            product: "currents",
            station: &arguments.station_id,
            window: Some(window(arguments.begin, arguments.end)?),
            datum: None,
            units: arguments.units,
            time_zone: arguments.time_zone,
            interval: None,
            bin: arguments.bin,
        };
        let found = collect(client, &query, 31, context).await?;
        let unit = unit_of("currents", arguments.units);
        let mut speed = Column::new("current_speed", unit, found.rows.iter().map(|row| row.s).collect());
        speed.standard_name = Some("sea_water_speed");
        let directions: Vec<Option<f64>> = found.rows.iter().map(|row| row.d).collect();
        let series = Series {
            times: found.times(&query),
            columns: vec![speed, Column::new("to_direction", "degree", directions.clone())],
            datum: None,
            place: found.place(&query),
        };
        let mut evidence = series.statistics(0, "", "current speed");
        evidence.extend(series.counts("current speeds"));
        let speeds: Vec<(usize, f64)> =
            found.rows.iter().enumerate().filter_map(|(at, row)| Some((at, row.s?))).collect();
        let max = speeds.iter().reduce(|best, next| if next.1 > best.1 { next } else { best });
        for (name, at, what) in [
            ("first_direction", speeds.first(), "direction of the first current"),
            ("last_direction", speeds.last(), "direction of the last current"),
            ("direction_at_max", max, "direction of the strongest current"),
        ] {
            let Some((at, direction)) = at.and_then(|(at, _)| Some((*at, directions.get(*at).copied()??)))
            else {
                continue;
            };
            let draft = EvidenceDraft::new(name, direction, "degree", what).place(series.place.clone());
            evidence
                .push(series.times.get(at).into_iter().fold(draft, |draft, time| draft.when(time.as_str())));
        }
        if let Some(bin) = found.rows.first().map(|row| row.b.trim()).filter(|bin| !bin.is_empty()) {
            let draft = EvidenceDraft::new("bin", bin, "", "depth bin of the first value");
            evidence.push(draft.place(series.place.clone()));
        }
        if found.rows.is_empty() {
            evidence.push(found.no_data(&query));
        }
        let mut output =
            ToolOutput::of(series.artifact("currents")).with_evidence(evidence).with_notes(found.notes);
        output.sources = found.sources;
        Ok(output)
    }
}
