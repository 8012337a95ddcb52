//! `fema_service_info`: what the map service says of itself.

use async_trait::async_trait;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::parts::borrowed;
use crate::ServiceError;
use crate::fema::Client;
use crate::prose::table;
use crate::tool::ServiceTool;

/// Ids below this become evidence.
const MOST: u32 = 60;

/// What the map service says of itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServiceInfo;

/// The arguments of [`ServiceInfo`]: none.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {}

#[async_trait]
impl ServiceTool for ServiceInfo {
    const NAME: &'static str = "fema_service_info";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let layers = (0..MOST).map(|id| format!("layer_{id}"));
        let names: Vec<String> = ["version", "max_records", "n_layers", "no_data"]
            .map(str::to_owned)
            .into_iter()
            .chain(layers)
            .collect();
        ToolSpec::new("fema", "Version, record limit and layers of the flood hazard map service.", Port::of(Kind::Table))
            .description("The service's own description: nothing is asked of a place. Each layer comes with its id and name.")
            .evidence(&borrowed(&names))
            .data_class(DataClass::Hypothetical)
            .hosts(&[client.host()])
    }

    async fn run(
        _: Self::Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let session = client.open(context).await?;
        let place = json!({ "name": "the National Flood Hazard Layer" });
        let draft = |name: &str, value: Value, method: &str| {
            EvidenceDraft::new(name, value, if value_is_text(name) { "" } else { "1" }, method)
                .place(place.clone())
        };
        let mut evidence = Vec::new();
        evidence.extend(session.version.map(|own| draft("version", json!(own), "version of the service")));
        evidence.extend(
            session.max_records.map(|own| draft("max_records", json!(own), "most records of one answer")),
        );
        if session.layers().is_empty() {
            evidence.push(draft("no_data", json!("The service lists no layer."), "list of layers"));
        } else {
            evidence.push(draft(
                "n_layers",
                json!(session.layers().len()),
                "number of layers that are listed",
            ));
        }
        for (id, name) in session.layers().iter().filter(|(id, _)| *id < MOST) {
            let own =
                EvidenceDraft::new(&format!("layer_{id}"), *id, "1", &format!("id of the layer {name}"));
            evidence.push(own.place(json!({ "layer": name })));
        }
        let rows = session.layers().iter().map(|(id, name)| json!([id, name])).collect();
        let mut output = ToolOutput::of(table("layers", &["id", "name"], rows, &[])).with_evidence(evidence);
        output.notes.extend(session.notes);
        output.sources = session.sources;
        Ok(output)
    }
}

fn value_is_text(name: &str) -> bool {
    name == "no_data"
}
