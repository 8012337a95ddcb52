//! `osm_reverse`: the place of a point.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ServiceError;
use crate::osm::Client;
use crate::osm::places::place;
use crate::tool::ServiceTool;

/// The place of a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reverse;

/// The arguments of [`Reverse`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Latitude, degrees north.
    #[schemars(range(min = -90, max = 90))]
    lat: f64,
    /// Longitude, degrees east, -180 to 180.
    #[schemars(range(min = -180, max = 180))]
    lon: f64,
}

#[async_trait]
impl ServiceTool for Reverse {
    const NAME: &'static str = "osm_reverse";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Place, county and state of a point.", Port::of(Kind::Table))
            .description(
                "Nominatim, the gazetteer of OpenStreetMap (© OpenStreetMap contributors). A point without a place, such as \
                 one at sea, is an answer (`no_data`).",
            )
            .evidence(&["name", "county", "state", "country", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.places().host()])
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let service = client.places();
        let url = service
            .at("reverse")
            .with_query("lat", arguments.lat.to_string())
            .with_query("lon", arguments.lon.to_string())
            .with_query("format", "jsonv2")
            .with_query("zoom", "10");
        let reply = service.get(url, context).await?;
        let body: Value = reply.json()?;
        if !body.is_object() {
            return Err(reply.unreadable("it is no place"));
        }
        let whereabouts = json!({ "lon": arguments.lon, "lat": arguments.lat });
        let found = if body.get("error").is_some() { None } else { place(&body) };
        if found.is_none() && body.get("error").is_none() {
            return Err(reply.unreadable("it has neither a place nor says that there is none"));
        }
        let members = found.as_ref().map(|own| {
            [("name", &own.name), ("county", &own.county), ("state", &own.state), ("country", &own.country)]
        });
        let mut evidence: Vec<EvidenceDraft> = members
            .into_iter()
            .flatten()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| {
                EvidenceDraft::new(name, value.as_str(), "", "answer of the gazetteer for the point")
                    .place(whereabouts.clone())
            })
            .collect();
        if found.is_none() {
            let said = format!("the gazetteer has no place at {}, {}", arguments.lat, arguments.lon);
            evidence
                .push(EvidenceDraft::new("no_data", said, "", "answer of the gazetteer").place(whereabouts));
        }
        let rows: Vec<_> =
            found.iter().map(|own| json!([own.name, own.county, own.state, own.country])).collect();
        let content = json!({
            "columns": ["name", "county", "state", "country"], "rows": rows, "units": {},
            "attribution": "© OpenStreetMap contributors",
        });
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "place", content)).with_evidence(evidence);
        output.sources = vec![reply.source];
        Ok(output)
    }
}
