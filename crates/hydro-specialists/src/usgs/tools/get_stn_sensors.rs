//! `usgs_get_stn_sensors`: storm-tide sensors deployed for an event.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::gauge::table;
use crate::tool::ServiceTool;
use crate::usgs::Client;
use crate::usgs::wire::Instrument;
use crate::{ServiceError, lenient};

/// Storm-tide sensors deployed for an event.
#[derive(Debug, Clone, Copy)]
pub struct GetStnSensors;

/// The arguments of [`GetStnSensors`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetStnSensorsArguments {
    /// Event, by its id from `usgs_list_events`.
    pub event_id: u32,
    /// States, two letters each.
    #[serde(default)]
    pub states: Vec<String>,
    /// Sensor type id.
    #[serde(default)]
    pub sensor_type: Option<u8>,
}

#[async_trait]
impl ServiceTool for GetStnSensors {
    const NAME: &'static str = "usgs_get_stn_sensors";

    type Client = Client;
    type Arguments = GetStnSensorsArguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new(
            "usgs",
            "Storm-tide sensors that were deployed for a flood event.",
            Port::of(Kind::Table),
        )
        .description("USGS Short-Term Network. An event without sensors is an answer (`no_data`).")
        .evidence(&["n", "no_data"])
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
        parameters.extend(arguments.sensor_type.map(|kind| ("SensorType", kind.to_string())));
        let (rows, source) = client.stn("Instruments/FilteredInstruments.json", &parameters, context).await?;
        let (sensors, bad) = lenient::rows::<Instrument>(rows);
        let place = json!({ "event": arguments.event_id });
        let mut evidence =
            vec![EvidenceDraft::new("n", sensors.len(), "1", "number of sensors").place(place.clone())];
        if sensors.is_empty() {
            let said = "The service has no sensors of this event for what was asked.";
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the service").place(place));
        }
        let columns = [
            ("id", ""),
            ("site_no", ""),
            ("type", ""),
            ("status", ""),
            ("state", ""),
            ("county", ""),
            ("lat", "degree_north"),
            ("lon", "degree_east"),
        ];
        let rows: Vec<Vec<Value>> = sensors
            .iter()
            .map(|own| {
                vec![
                    json!(own.id),
                    json!(own.site_no),
                    json!(own.kind),
                    json!(own.status),
                    json!(own.state),
                    json!(own.county),
                    json!(own.latitude),
                    json!(own.longitude),
                ]
            })
            .collect();
        let mut output = ToolOutput::of(table("sensors", &columns, &rows)).with_evidence(evidence);
        if bad > 0 {
            output.notes.push(format!("{bad} sensors could not be read and are left out"));
        }
        output.sources = vec![source];
        Ok(output)
    }
}
