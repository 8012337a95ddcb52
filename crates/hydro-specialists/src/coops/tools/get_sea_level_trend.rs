//! `coops_get_sea_level_trend`: the relative sea level trend of a station.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::coops::Client;
use crate::coops::client::unknown;
use crate::coops::dates::american;
use crate::coops::wire::{Trend, Trends};
use crate::gauge::{place, table, to_millis};
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, Units, lenient};

const METRIC: &str = "mm year-1";
const ENGLISH: &str = "inch (10 year)-1";
/// Millimetres a year of one inch in a decade.
const FACTOR: f64 = 2.54;

/// The relative sea level trend of a station.
#[derive(Debug, Clone, Copy)]
pub struct GetSeaLevelTrend;

/// The arguments of [`GetSeaLevelTrend`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetSeaLevelTrendArguments {
    /// 7 digits, such as `8518750`.
    pub station_id: StationId,
    /// `metric` is mm/yr, `english` is inches/decade.
    #[serde(default)]
    pub units: Units,
}

#[async_trait]
impl ServiceTool for GetSeaLevelTrend {
    const NAME: &'static str = "coops_get_sea_level_trend";

    type Client = Client;
    type Arguments = GetSeaLevelTrendArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Relative sea level trend of a station with its error.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS derived product sealvltrends: a trend of the monthly mean sea level without the seasonal \
                 cycle. `trend` has the unit that the answer states; `trend_converted` is the same in the unit that was \
                 asked for, when the two differ. `error` is half of the 95 % interval that the service gives.",
            )
            .evidence(&["trend", "error", "trend_converted", "error_converted", "start", "end"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let station = &arguments.station_id;
        let parameters = [("station", station.as_str()), ("units", arguments.units.as_str())];
        let (trends, source) =
            client.derived::<Trends>("product/sealvltrends.json", &parameters, context).await?;
        let (rows, _) = lenient::rows::<Trend>(trends.rows);
        let Some((own, trend)) = rows.iter().find_map(|own| Some((own, own.value?))) else {
            return Err(unknown(station, "sea level trend"));
        };
        let stated = own.units.to_lowercase();
        let unit = if stated.contains("inch") {
            ENGLISH
        } else if stated.contains("mm") {
            METRIC
        } else {
            return Err(ServiceError::NotFound(format!(
                "the trend of station `{station}` has the unit `{}`, which is none that we know",
                own.units.chars().take(40).collect::<String>()
            )));
        };
        let (start, end) = (american(&own.start_date), american(&own.end_date));
        let place = place(station.as_str(), &own.station_name, own.latitude, own.longitude);
        let draft = |name: &str, value: f64, unit: &str, method: &str| {
            let draft = EvidenceDraft::new(name, value, unit, method).place(place.clone());
            draft.when(format!("{start}/{end}"))
        };
        let error = own.error;
        let method = "relative sea level trend of the monthly means";
        let mut evidence = vec![draft("trend", trend, unit, method)];
        if let Some(error) = error {
            evidence[0] = draft("trend", trend, unit, method).uncertainty(json!({ "error": error }));
            evidence.push(draft("error", error, unit, "error of the trend"));
        }
        let wanted = if arguments.units == Units::Metric { METRIC } else { ENGLISH };
        let factor = if wanted == METRIC { FACTOR } else { 1.0 / FACTOR };
        let mut notes = Vec::new();
        if wanted != unit {
            evidence.push(draft("trend_converted", to_millis(trend * factor), wanted, "trend, converted"));
            if let Some(error) = error {
                let method = "error of the trend, converted";
                evidence.push(draft("error_converted", to_millis(error * factor), wanted, method));
            }
            notes.push(format!("the service answered in {}, which was converted too", own.units));
        }
        for (name, date, what) in [("start", &start, "first"), ("end", &end, "last")] {
            let method = format!("{what} month of the record, a date");
            let text = EvidenceDraft::new(name, date.as_str(), "", &method).place(place.clone());
            evidence.push(text.when(date.as_str()));
        }
        let columns = [("trend", unit), ("error", unit), ("start", ""), ("end", "")];
        let row = vec![json!(trend), json!(error), json!(start), json!(end)];
        let artifact = table("sea_level_trend", &columns, &[row]).with_attribute("station", station.as_str());
        let mut output = ToolOutput::of(artifact).with_evidence(evidence).with_notes(notes);
        output.sources = vec![source];
        Ok(output)
    }
}
