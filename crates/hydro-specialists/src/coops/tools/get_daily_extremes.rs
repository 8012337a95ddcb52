//! `coops_get_daily_extremes`: the highest and lowest water of each day.

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::{Answer, DataQuery};
use crate::coops::samples::{parts, time_text, window};
use crate::coops::wire::Metadata;
use crate::gauge::{Column, Series, place};
use crate::tool::ServiceTool;
use crate::{Datum, Moment, ServiceError, StationId, Units, lenient};

/// The most days of one request.
const LIMIT: i64 = 3655;

/// The highest and lowest water of each day.
#[derive(Debug, Clone, Copy)]
pub struct GetDailyExtremes;

/// The arguments of [`GetDailyExtremes`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetDailyExtremesArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// First day, YYYY-MM-DD.
    pub begin: Moment,
    /// Last day, YYYY-MM-DD.
    pub end: Moment,
    /// Vertical datum.
    #[serde(default)]
    pub datum: Datum,
    /// Unit system.
    #[serde(default)]
    pub units: Units,
}

#[derive(Debug, Deserialize)]
struct Answered {
    #[serde(default)]
    metadata: Metadata,
    #[serde(deserialize_with = "lenient::list")]
    data: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct Day {
    #[serde(rename = "date6Min", deserialize_with = "lenient::text")]
    date: String,
    #[serde(rename = "time6Min", deserialize_with = "lenient::text")]
    time: String,
    #[serde(rename = "value6Min", deserialize_with = "lenient::number")]
    value: Option<f64>,
}

impl Day {
    fn at(&self) -> Option<DateTime> {
        format!("{}T{}:00", self.date.trim(), self.time.trim()).parse().ok()
    }
}

#[async_trait]
impl ServiceTool for GetDailyExtremes {
    const NAME: &'static str = "coops_get_daily_extremes";

    type Client = Client;
    type Arguments = GetDailyExtremesArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Highest and lowest water level of each day at a tide gauge.", port)
            .description(
                "NOAA CO-OPS data API, product daily_max_min, of 6-minute values. `first_max` is the highest water of \
                 the first day; `max` the highest of all days; `n_days` counts days with a highest water.",
            )
            .evidence(&["first_max", "last_max", "max", "first_min", "last_min", "min", "n_days", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let whole = window(arguments.begin, arguments.end)?;
        let mut sources = Vec::new();
        let mut notes = Vec::new();
        let mut metadata = Metadata::default();
        let mut said = None;
        let (mut highs, mut lows) = (Vec::new(), Vec::new());
        for part in parts(whole, LIMIT)? {
            let query = DataQuery {
                product: "daily_max_min",
                station: &arguments.station_id,
                window: Some(part),
                datum: Some(arguments.datum),
                units: arguments.units,
                time_zone: TimeZone::Gmt,
                interval: None,
                bin: None,
            };
            let (answer, source) = client.data::<Answered>(&query, context).await?;
            sources.push(source);
            match answer {
                Answer::Rows(answer) => {
                    metadata = answer.metadata;
                    for block in answer.data {
                        for (name, days) in [("dailyMax6Min", &mut highs), ("dailyMin6Min", &mut lows)] {
                            let list = block.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
                            let (own, bad) = lenient::rows::<Day>(list);
                            if bad > 0 {
                                notes.push(format!("{bad} days could not be read and are left out"));
                            }
                            let own = own.into_iter().filter_map(|day| Some((day.at()?, day.value)));
                            days.extend(own.filter(|(at, _)| (whole.begin..=whole.end).contains(at)));
                        }
                    }
                }
                Answer::Empty(message) => said = Some(message),
            }
        }
        let place = place(arguments.station_id.as_str(), &metadata.name, metadata.lat, metadata.lon);
        let series = |name: &'static str, mut days: Vec<(DateTime, Option<f64>)>| {
            days.sort_by_key(|(at, _)| *at);
            days.dedup_by_key(|(at, _)| *at);
            Series {
                times: days.iter().map(|(at, _)| time_text(TimeZone::Gmt, *at)).collect(),
                columns: vec![Column::new(
                    name,
                    arguments.units.length(),
                    days.iter().map(|(_, value)| *value).collect(),
                )],
                datum: Some(arguments.datum.to_string()),
                place: place.clone(),
            }
        };
        let (highs, lows) = (series("daily_max", highs), series("daily_min", lows));
        let mut evidence = Vec::new();
        for draft in highs.statistics(0, "", "highest 6-minute water level of a day") {
            let name = match draft.name.as_str() {
                "max" => "max",
                "first" => "first_max",
                "last" => "last_max",
                _ => continue,
            };
            evidence.push(EvidenceDraft { name: name.to_owned(), ..draft });
        }
        for mut draft in lows.statistics(0, "", "lowest 6-minute water level of a day") {
            let name = match draft.name.as_str() {
                "min" => "min",
                "first" => "first_min",
                "last" => "last_min",
                _ => continue,
            };
            // The artifact has the highest waters only.
            draft.pointer = String::new();
            evidence.push(EvidenceDraft { name: name.to_owned(), ..draft });
        }
        let days = highs.counts("days with a highest water").swap_remove(0);
        evidence.push(EvidenceDraft { name: "n_days".to_owned(), ..days });
        if highs.times.is_empty() {
            let said = said.unwrap_or_else(|| "The answer has no day in the window.".to_owned());
            let draft = EvidenceDraft::new("no_data", said, "", "answer of the service").place(place.clone());
            evidence.push(draft.when(format!("{}Z/{}Z", whole.begin, whole.end)));
        }
        let mut output =
            ToolOutput::of(highs.artifact("daily_max")).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}
