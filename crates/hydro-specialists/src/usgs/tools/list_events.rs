//! `usgs_list_events`: flood events with their ids.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::wire::Event;
use crate::{ServiceError, lenient};

/// Flood events with their ids.
#[derive(Debug, Clone, Copy)]
pub struct ListEvents;

/// The arguments of [`ListEvents`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListEventsArguments {
    /// Words of the name, in any letter case and order, such as `florence`.
    #[serde(default)]
    pub name: Option<String>,
    /// The year of the start date.
    #[serde(default)]
    pub year: Option<i32>,
    /// Event type.
    #[serde(default, rename = "type")]
    pub kind: Option<EventType>,
}

/// What flooded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EventType {
    /// A river.
    Riverine,
    /// A hurricane.
    Hurricane,
    /// A drought.
    Drought,
    /// A nor'easter.
    Noreaster,
}

impl EventType {
    const fn id(self) -> u32 {
        match self {
            Self::Riverine => 1,
            Self::Hurricane => 2,
            Self::Drought => 3,
            Self::Noreaster => 4,
        }
    }
}

#[async_trait]
impl ServiceTool for ListEvents {
    const NAME: &'static str = "usgs_list_events";

    type Client = Client;
    type Arguments = ListEventsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("usgs", "Flood events of the USGS with their ids.", Port::of(Kind::Table))
            .description(
                "USGS Short-Term Network. Names of events follow no pattern (`2012 Sandy`, `Florence Sep 2018`): all words of \
                 `name` must stand in them. `event_id`, `name`, `start` and `end` are of the newest event that fits; `n` \
                 counts those that fit and `n_all` all.",
            )
            .evidence(&["event_id", "name", "start", "end", "n", "n_all", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&client.stn_hosts())
    }

    async fn run(
        arguments: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let (rows, source) = client.stn("Events.json", &[], context).await?;
        let (mut events, bad) = lenient::rows::<Event>(rows);
        let all = events.len();
        let words: Vec<String> =
            arguments.name.iter().flat_map(|name| name.split_whitespace()).map(str::to_lowercase).collect();
        let year = arguments.year.map(|year| year.to_string());
        events.retain(|event| {
            let own: Vec<String> =
                event.name.to_lowercase().split(|c: char| !c.is_alphanumeric()).map(str::to_owned).collect();
            let named = words.iter().all(|word| own.contains(word));
            let dated =
                year.as_ref().is_none_or(|year| event.start.starts_with(year.as_str()) || own.contains(year));
            let kind = arguments.kind.is_none_or(|kind| event.kind == Some(f64::from(kind.id())));
            event.id.is_some() && named && dated && kind
        });
        events.sort_by(|a, b| b.start.cmp(&a.start).then_with(|| a.name.cmp(&b.name)));
        let day = |text: &str| text.get(..10).unwrap_or(text).to_owned();
        let mut evidence = Vec::new();
        if let Some(event) = events.first() {
            let place = json!({ "name": event.name });
            let draft = |name: &str, value: serde_json::Value, unit: &str, method: &str| {
                EvidenceDraft::new(name, value, unit, method).when(day(&event.start)).place(place.clone())
            };
            evidence.push(draft("event_id", json!(event.id), "1", "id of the flood event"));
            evidence.push(draft("name", json!(event.name), "", "name of the flood event"));
            evidence.push(draft(
                "start",
                json!(day(&event.start)),
                "",
                "first day of the flood event, a date",
            ));
            let end = EvidenceDraft::new("end", day(&event.end), "", "last day of the flood event, a date");
            if !event.end.is_empty() {
                evidence.push(end.when(day(&event.end)).place(place.clone()));
            }
        } else {
            evidence.push(EvidenceDraft::new("no_data", "No flood event fits.", "", "list of the service"));
        }
        evidence.push(EvidenceDraft::new("n", events.len(), "1", "number of flood events that fit"));
        evidence.push(EvidenceDraft::new("n_all", all, "1", "number of flood events in the list"));
        let rows: Vec<Vec<serde_json::Value>> = events
            .iter()
            .map(|event| {
                vec![
                    json!(event.id),
                    json!(event.name),
                    json!(day(&event.start)),
                    json!(day(&event.end)),
                    json!(event.kind),
                    json!(event.status),
                ]
            })
            .collect();
        let columns =
            [("event_id", ""), ("name", ""), ("start", ""), ("end", ""), ("type", ""), ("status", "")];
        let mut output = ToolOutput::of(table("flood_events", &columns, &rows)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} events could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
