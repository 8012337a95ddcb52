//! `coops_list_storm_events`: the storms that the service has peak levels of.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::coops::Client;
use crate::coops::wire::{PeakEvent, PeakEvents};
use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::{ServiceError, StationId, lenient};

/// The storms that the service has peak levels of.
#[derive(Debug, Clone, Copy)]
pub struct ListStormEvents;

/// The arguments of [`ListStormEvents`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListStormEventsArguments {
    /// A part of the name, in any letter case, such as `sandy`.
    #[serde(default)]
    pub name: Option<String>,
    /// The year of the start date.
    #[serde(default)]
    pub year: Option<i32>,
    /// The station whose list it is; the service gives the same list for all.
    #[serde(default)]
    pub station_id: Option<StationId>,
    /// Most rows of the table.
    #[serde(default = "fifty")]
    pub limit: u32,
}

const fn fifty() -> u32 {
    50
}

#[async_trait]
impl ServiceTool for ListStormEvents {
    const NAME: &'static str = "coops_list_storm_events";

    type Client = Client;
    type Arguments = ListStormEventsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("coops", "Storm events of CO-OPS with their ids.", Port::of(Kind::Table))
            .description(
                "NOAA CO-OPS derived product peakwaterlevels: ids, names and first days of storms; it has no levels. \
                 `event_id`, `name` and `start` are of the newest event that fits; `n` counts those that fit and \
                 `n_all` all.",
            )
            .evidence(&["event_id", "name", "start", "n", "n_all", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.host()])
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        // Any station does, as the list is one for all.
        let station = arguments.station_id.as_ref().map_or("8518750", StationId::as_str);
        let parameters = [("name", "peakwaterlevels"), ("station", station)];
        let (found, source) = client.derived::<PeakEvents>("product.json", &parameters, context).await?;
        let (mut events, bad) = lenient::rows::<PeakEvent>(found.rows);
        let all = events.len();
        let name = arguments.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
        let year = arguments.year.map(|year| format!("{year}-"));
        events.retain(|event| {
            let named = name.is_none_or(|name| event.name.to_lowercase().contains(&name.to_lowercase()));
            named && year.as_ref().is_none_or(|year| event.start_date.starts_with(year.as_str()))
        });
        events.sort_by(|a, b| b.start_date.cmp(&a.start_date).then(a.name.cmp(&b.name)));
        // `Remnants of Hurricane Ian` is another event than `Hurricane Ian`, which people mean.
        let exact = |event: &&PeakEvent| {
            let plain = event.name.to_lowercase();
            name.is_some_and(|name| plain.split_whitespace().last() == Some(name.to_lowercase().as_str()))
                && !plain.starts_with("remnants")
        };
        let mut evidence = Vec::new();
        if let Some(event) = events.iter().find(exact).or_else(|| events.first()) {
            let day = event.start_date.get(..10).unwrap_or(&event.start_date).to_owned();
            if let Some(id) = event.event_id {
                let draft = EvidenceDraft::new("event_id", id, "1", "id of the storm event");
                evidence.push(draft.when(day.as_str()).place(json!({ "name": event.name })));
            }
            let draft = EvidenceDraft::new("name", event.name.as_str(), "", "name of the storm event");
            evidence.push(draft.when(day.as_str()));
            let draft = EvidenceDraft::new("start", day.as_str(), "", "first day of the storm event, a date");
            evidence.push(draft.when(day.as_str()));
        } else {
            let said = "No storm event fits.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service"));
        }
        evidence.push(EvidenceDraft::new("n", events.len(), "1", "number of storm events that fit"));
        evidence.push(EvidenceDraft::new("n_all", all, "1", "number of storm events in the list"));
        let limit = usize::try_from(arguments.limit).unwrap_or(usize::MAX);
        let rows: Vec<Vec<serde_json::Value>> = events
            .iter()
            .take(limit)
            .map(|event| {
                vec![
                    json!(event.event_id),
                    json!(event.name),
                    json!(event.start_date),
                    json!(event.event_type),
                ]
            })
            .collect();
        let columns = [("event_id", ""), ("name", ""), ("start", ""), ("type", "")];
        let mut output = ToolOutput::of(table("storm_events", &columns, &rows)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} events could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
