//! `usgs_get_stn_peaks`: peak summaries of an event.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::gauge::{place, table};
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::wire::Peak;
use crate::{ServiceError, lenient};

/// Peak summaries of an event.
#[derive(Debug, Clone, Copy)]
pub struct GetStnPeaks;

/// The arguments of [`GetStnPeaks`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetStnPeaksArguments {
    /// Event, by its id from `usgs_list_events`.
    pub event_id: u32,
    /// States, two letters each.
    #[serde(default)]
    pub states: Vec<String>,
}

#[async_trait]
impl ServiceTool for GetStnPeaks {
    const NAME: &'static str = "usgs_get_stn_peaks";

    type Client = Client;
    type Arguments = GetStnPeaksArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Peak summaries of a flood event.", Port::of(Kind::Table))
            .description(
                "USGS Short-Term Network. `highest` is the highest peak stage, feet above its datum where the answer names \
                 one. An event without peaks is an answer (`no_data`).",
            )
            .evidence(&["n", "highest", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.stn_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let mut parameters = vec![("Event", arguments.event_id.to_string())];
        if !arguments.states.is_empty() {
            parameters.push(("States", arguments.states.join(",").to_uppercase()));
        }
        let (rows, source) = client.stn("PeakSummaries/FilteredPeaks.json", &parameters, context).await?;
        let (mut peaks, bad) = lenient::rows::<Peak>(rows);
        peaks.sort_by(|a, b| b.stage.partial_cmp(&a.stage).unwrap_or(std::cmp::Ordering::Equal));
        let whole = json!({ "event": arguments.event_id });
        let mut evidence =
            vec![EvidenceDraft::new("n", peaks.len(), "1", "number of peak summaries").place(whole.clone())];
        if let Some((peak, stage)) = peaks.iter().find_map(|peak| Some((peak, peak.stage?))) {
            let draft = EvidenceDraft::new("highest", stage, "ft", "highest peak stage of the event")
                .place(place(&peak.site_no, &peak.county, peak.latitude, peak.longitude));
            let draft = if peak.time.is_empty() {
                draft
            } else {
                draft.when(peak.time.get(..10).unwrap_or(&peak.time))
            };
            evidence.push(if peak.datum.is_empty() { draft } else { draft.datum(peak.datum.as_str()) });
        }
        if peaks.is_empty() {
            let said = "The service has no peak summaries of this event for what was asked.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(whole));
        }
        let columns = [
            ("id", ""),
            ("site_no", ""),
            ("stage", "ft"),
            ("datum", ""),
            ("time", ""),
            ("county", ""),
            ("lat", "degree_north"),
            ("lon", "degree_east"),
        ];
        let rows: Vec<Vec<Value>> = peaks
            .iter()
            .map(|own| {
                vec![
                    json!(own.id),
                    json!(own.site_no),
                    json!(own.stage),
                    json!(own.datum),
                    json!(own.time),
                    json!(own.county),
                    json!(own.latitude),
                    json!(own.longitude),
                ]
            })
            .collect();
        let mut output = ToolOutput::of(table("peaks", &columns, &rows)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} peaks could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
