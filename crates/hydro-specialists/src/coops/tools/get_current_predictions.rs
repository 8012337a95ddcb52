//! `coops_get_current_predictions`: the predicted tidal current of a station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::get_water_level::TimeZone;
use crate::coops::Client;
use crate::coops::client::{Answer, DataQuery};
use crate::coops::samples::{parts, time_text, window};
use crate::coops::wire::{CurrentPrediction, CurrentPredictions};
use crate::gauge::{Column, Series, place};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError, StationId, Units, lenient};

/// The predicted tidal current of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetCurrentPredictions;

/// The arguments of [`GetCurrentPredictions`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCurrentPredictionsArguments {
    /// Letters and digits, such as `cb0102`.
    pub station_id: StationId,
    /// UTC start, RFC 3339 or YYYY-MM-DD; a partial date begins with its first minute.
    pub begin: Moment,
    /// UTC end, inclusive; a partial date ends with its last minute.
    pub end: Moment,
    /// The depth bin; the station's own without it.
    #[serde(default)]
    pub bin: Option<u32>,
    /// Unit system: cm/s or knots.
    #[serde(default)]
    pub units: Units,
}

#[async_trait]
impl ServiceTool for GetCurrentPredictions {
    const NAME: &'static str = "coops_get_current_predictions";

    type Client = Client;
    type Arguments = GetCurrentPredictionsArguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]);
        ToolSpec::new("coops", "Predicted tidal current of a station along its main axis.", port)
            .description(
                "NOAA CO-OPS data API, product currents_predictions, every 6 minutes. Floods are positive, ebbs \
                 negative; `flood_direction` and `ebb_direction` say where they go, degrees from true north.",
            )
            .evidence(&[
                "first",
                "last",
                "mean",
                "min",
                "max",
                "n",
                "n_missing",
                "flood_direction",
                "ebb_direction",
                "bin",
                "depth",
                "units",
                "no_data",
            ])
            .data_class(DataClass::Forecast)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let whole = window(arguments.begin, arguments.end)?;
        let (mut rows, mut sources, mut notes) = (Vec::<CurrentPrediction>::new(), Vec::new(), Vec::new());
        let (mut units, mut said) = (String::new(), None);
        for part in parts(whole, 31)? {
            let query = DataQuery {
                product: "currents_predictions",
                station: &arguments.station_id,
                window: Some(part),
                datum: None,
                units: arguments.units,
                time_zone: TimeZone::Gmt,
                interval: Some("6"),
                bin: arguments.bin,
            };
            let (answer, source) = client.data::<CurrentPredictions>(&query, context).await?;
            sources.push(source);
            match answer {
                Answer::Rows(answer) => {
                    let (own, bad) = lenient::rows::<CurrentPrediction>(answer.current_predictions.cp);
                    units = answer.current_predictions.units;
                    if bad > 0 {
                        notes.push(format!("{bad} rows could not be read and are left out"));
                    }
                    let within = own.into_iter().filter(|row| (whole.begin..=whole.end).contains(&row.t));
                    rows.extend(within);
                }
                Answer::Empty(message) => said = Some(message),
            }
        }
        rows.sort_by_key(|row| row.t);
        rows.dedup_by_key(|row| row.t);
        // The body says what it is in: the request may have been read otherwise.
        let unit = match units.to_lowercase() {
            text if text.contains("cm/s") => "cm s-1",
            text if text.contains("knot") => "knot",
            _ if arguments.units == Units::Metric => "cm s-1",
            _ => "knot",
        };
        let column = Column::new("predicted_current", unit, rows.iter().map(|row| row.velocity).collect());
        let place = place(arguments.station_id.as_str(), "", None, None);
        let series = Series {
            times: rows.iter().map(|row| time_text(TimeZone::Gmt, row.t)).collect(),
            columns: vec![column],
            datum: None,
            place: place.clone(),
        };
        let mut evidence = series.statistics(0, "", "predicted current velocity along the main axis");
        evidence.extend(series.counts("predicted currents"));
        if let Some(row) = rows.first() {
            let mut add = |name: &str, value: Option<f64>, unit: &str, method: &str| {
                if let Some(value) = value {
                    evidence.push(EvidenceDraft::new(name, value, unit, method).place(place.clone()));
                }
            };
            add("flood_direction", row.flood, "degree", "mean direction of the flood");
            add("ebb_direction", row.ebb, "degree", "mean direction of the ebb");
            add("depth", row.depth, if unit == "knot" { "ft" } else { "m" }, "depth of the bin");
            for (name, text, method) in [
                ("bin", row.bin.as_str(), "depth bin"),
                ("units", units.as_str(), "units that the answer states"),
            ] {
                evidence.push(EvidenceDraft::new(name, text, "", method).place(place.clone()));
            }
        } else {
            let said = said.unwrap_or_else(|| "The answer has no row in the window.".to_owned());
            let draft = EvidenceDraft::new("no_data", said, "", "answer of the service").place(place.clone());
            evidence.push(draft.when(format!("{}Z/{}Z", whole.begin, whole.end)));
        }
        let mut output =
            ToolOutput::of(series.artifact("predicted_current")).with_evidence(evidence).with_notes(notes);
        output.sources = sources;
        Ok(output)
    }
}
