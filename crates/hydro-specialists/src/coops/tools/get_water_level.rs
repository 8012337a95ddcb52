//! `coops_get_water_level`: the observed water level of a tide gauge.

use async_trait::async_trait;
use leg_core::{DataClass, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::coops::Client;
use crate::coops::client::{Answer, LevelQuery};
use crate::coops::summary::{EVIDENCE, Levels};
use crate::tool::ServiceTool;
use crate::{Datum, Moment, ServiceError, StationId, Units, Window};

/// The most requests that one call may send: twenty-one months of 6-minute values, or twenty years of hours.
const MAX_REQUESTS: usize = 21;

/// The observed water level of a tide gauge.
#[derive(Debug, Clone, Copy)]
pub struct GetWaterLevel;

/// The arguments of [`GetWaterLevel`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetWaterLevelArguments {
    /// 7 digits (water level), such as `8518750`.
    pub station_id: StationId,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
    /// Vertical datum.
    #[serde(default)]
    pub datum: Datum,
    /// Unit system.
    #[serde(default)]
    pub units: Units,
    /// Time zone of the window and of the times in the answer.
    #[serde(default)]
    pub time_zone: TimeZone,
    /// 6-minute, hourly or high and low waters.
    #[serde(default)]
    pub interval: Interval,
}

/// The time zone of a window and of the times in the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeZone {
    /// UTC.
    #[default]
    Gmt,
    /// The station's standard time.
    Lst,
    /// The station's standard or daylight-saving time.
    LstLdt,
}

impl TimeZone {
    /// The name in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Gmt => "gmt",
            Self::Lst => "lst",
            Self::LstLdt => "lst_ldt",
        }
    }
}

/// How often there is a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Interval {
    /// Every 6 minutes.
    #[default]
    #[serde(rename = "6")]
    SixMinutes,
    /// Every hour.
    #[serde(rename = "h")]
    Hour,
    /// High and low waters.
    #[serde(rename = "hilo")]
    HighLow,
}

impl Interval {
    /// The service's product.
    pub const fn product(self) -> &'static str {
        match self {
            Self::SixMinutes => "water_level",
            Self::Hour => "hourly_height",
            Self::HighLow => "high_low",
        }
    }

    /// Minutes between values, where they are regular.
    pub(crate) const fn step(self) -> Option<i64> {
        match self {
            Self::SixMinutes => Some(6),
            Self::Hour => Some(60),
            Self::HighLow => None,
        }
    }

    /// The most days of one request.
    const fn limit_days(self) -> i64 {
        match self {
            Self::SixMinutes => 31,
            Self::Hour | Self::HighLow => 365,
        }
    }
}

#[async_trait]
impl ServiceTool for GetWaterLevel {
    const NAME: &'static str = "coops_get_water_level";

    type Client = Client;
    type Arguments = GetWaterLevelArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Observed water level of a tide gauge, relative to a datum.", port)
            .description(
                "NOAA CO-OPS data API, products water_level, hourly_height and high_low. Long windows are asked \
                 for in parts. Missing values stay in the series as missing; a window without any data is an \
                 answer (evidence `no_data`), not a failure. A datum that the station does not have is refused \
                 with those that it has. Gauges fail in storms: compare the time of `last` with the window.",
            )
            .evidence(&EVIDENCE)
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let window = Window::new(arguments.begin, arguments.end)
            .map_err(|error| ServiceError::BadArgument(error.to_string()))?;
        let parts = window.parts(arguments.interval.limit_days());
        if parts.len() > MAX_REQUESTS {
            let advice = match arguments.interval {
                Interval::SixMinutes => "ask for `interval` `h`, or for a shorter window",
                _ => "ask for a shorter window",
            };
            return Err(ServiceError::TooMuch(format!(
                "{} days need {} requests and {MAX_REQUESTS} are allowed; {advice}",
                window.days(),
                parts.len()
            )));
        }
        let query = LevelQuery {
            station: arguments.station_id,
            window,
            interval: arguments.interval,
            datum: arguments.datum,
            units: arguments.units,
            time_zone: arguments.time_zone,
        };
        let total = parts.len() as u64;
        let mut levels = Levels::new(query.clone());
        let mut sources = Vec::new();
        for (done, part) in (0..).zip(parts) {
            if context.is_cancelled() {
                return Err(ToolError::cancelled().into());
            }
            context.progress(done, total);
            let (answer, source) =
                client.levels(&LevelQuery { window: part, ..query.clone() }, context).await?;
            sources.push(source);
            match answer {
                Answer::Rows(rows) => levels.add(rows),
                Answer::Empty(message) => levels.add_gap(part, message),
            }
        }
        let mut output = levels.into_output();
        output.sources = sources;
        Ok(output)
    }
}
