//! `coops_get_predictions`: the astronomical tide of a station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::DataQuery;
use crate::coops::samples::{collect, window};
use crate::gauge::{Column, Series};
use crate::tool::ServiceTool;
use crate::{Datum, Moment, ServiceError, StationId, Units};

/// The astronomical tide of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetPredictions;

/// The arguments of [`GetPredictions`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetPredictionsArguments {
    /// 7 digits, such as `8518750`.
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
    /// Step in minutes, an hour, or high and low tides.
    #[serde(default)]
    pub interval: Step,
}

/// The step of a prediction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub enum Step {
    /// A minute.
    #[serde(rename = "1")]
    One,
    /// 5 minutes.
    #[serde(rename = "5")]
    Five,
    /// 6 minutes.
    #[default]
    #[serde(rename = "6")]
    Six,
    /// 10 minutes.
    #[serde(rename = "10")]
    Ten,
    /// 15 minutes.
    #[serde(rename = "15")]
    Fifteen,
    /// 30 minutes.
    #[serde(rename = "30")]
    Thirty,
    /// 60 minutes.
    #[serde(rename = "60")]
    Sixty,
    /// An hour.
    #[serde(rename = "h")]
    Hour,
    /// High and low tides.
    #[serde(rename = "hilo")]
    HighLow,
}

impl Step {
    const fn as_str(self) -> &'static str {
        match self {
            Self::One => "1",
            Self::Five => "5",
            Self::Six => "6",
            Self::Ten => "10",
            Self::Fifteen => "15",
            Self::Thirty => "30",
            Self::Sixty | Self::Hour => "h",
            Self::HighLow => "hilo",
        }
    }

    /// The most days of one request.
    const fn limit_days(self) -> i64 {
        match self {
            Self::One => 30,
            _ => 365,
        }
    }
}

#[async_trait]
impl ServiceTool for GetPredictions {
    const NAME: &'static str = "coops_get_predictions";

    type Client = Client;
    type Arguments = GetPredictionsArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Predicted astronomical tide of a station, relative to a datum.", port)
            .description(
                "NOAA CO-OPS data API, product predictions: the tide that the harmonic constituents give, without \
                 weather. `hilo` gives high and low tides only. Long windows are asked for in parts.",
            )
            .evidence(&["first", "last", "mean", "min", "max", "n", "n_missing", "n_high", "n_low", "no_data"])
            .data_class(DataClass::Forecast)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let query = DataQuery {
            product: "predictions",
            station: &arguments.station_id,
            window: Some(window(arguments.begin, arguments.end)?),
            datum: Some(arguments.datum),
            units: arguments.units,
            time_zone: arguments.time_zone,
            interval: Some(arguments.interval.as_str()),
            bin: None,
        };
        let found = collect(client, &query, arguments.interval.limit_days(), context).await?;
        let values = found.rows.iter().map(|row| row.v).collect();
        let mut column = Column::new("predicted_tide", arguments.units.length(), values);
        column.standard_name = Some("tidal_sea_surface_height_above_reference_datum");
        let series = Series {
            times: found.times(&query),
            columns: vec![column],
            datum: Some(arguments.datum.to_string()),
            place: found.place(&query),
        };
        let is_tides = arguments.interval == Step::HighLow;
        let what = if is_tides { "predicted high or low tide" } else { "predicted tide" };
        let mut evidence = series.statistics(0, "", what);
        if is_tides {
            evidence.extend(series.counts("predicted high and low tides"));
            for (name, kind, word) in [("n_high", "H", "high tides"), ("n_low", "L", "low tides")] {
                let count = found.rows.iter().filter(|row| row.kind.trim() == kind).count();
                let method = format!("number of predicted {word}");
                evidence.push(EvidenceDraft::new(name, count, "1", &method).place(series.place.clone()));
            }
        } else {
            evidence.extend(series.counts(what));
        }
        if found.rows.is_empty() {
            evidence.push(found.no_data(&query));
        }
        let mut artifact = series.artifact("predicted_tide");
        if is_tides {
            let kinds = found.rows.iter().map(|row| row.kind.trim().to_owned());
            artifact = artifact.with_coord("tide", leg_core::Coord::texts(kinds));
        }
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(found.notes);
        output.sources = found.sources;
        Ok(output)
    }
}
