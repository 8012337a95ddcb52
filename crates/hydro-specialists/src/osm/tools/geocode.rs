//! `osm_geocode`: the coordinates of a place by its name.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ServiceError;
use crate::osm::Client;
use crate::osm::places::place;
use crate::tool::ServiceTool;

/// The longest name that is asked for.
const MAX_QUERY: usize = 200;

/// The coordinates of a place by its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geocode;

/// The arguments of [`Geocode`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The place, such as `Naples, Florida`.
    query: String,
    /// The most rows, 1 to 10.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 10))]
    limit: u8,
}

const fn three() -> u8 {
    3
}

#[async_trait]
impl ServiceTool for Geocode {
    const NAME: &'static str = "osm_geocode";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Coordinates and box of a place by its name.", Port::of(Kind::Table))
            .description(
                "Nominatim, the gazetteer of OpenStreetMap (© OpenStreetMap contributors). Names are data of volunteers. \
                 Nothing found is an answer (`no_data`).",
            )
            .evidence(&["n_places", "lat", "lon", "name", "n_skipped", "no_data"])
            .data_class(DataClass::Observation)
            .hosts(&[client.places().host()])
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let query = arguments.query.trim();
        if query.is_empty() || query.len() > MAX_QUERY {
            return Err(ServiceError::BadArgument(format!(
                "`query` is the name of a place, of at most {MAX_QUERY} bytes"
            )));
        }
        let limit = arguments.limit.clamp(1, 10);
        let service = client.places();
        let url = service
            .at("search")
            .with_query("q", query)
            .with_query("format", "jsonv2")
            .with_query("limit", limit.to_string());
        let reply = service.get(url, context).await?;
        let rows: Vec<Value> = reply.json()?;
        let mut places: Vec<_> = rows.iter().filter_map(place).collect();
        let skipped = rows.len() - places.len();
        places.truncate(usize::from(limit));
        let table: Vec<_> = places.iter().map(|own| json!([own.name, own.lat, own.lon, own.bbox])).collect();
        let content = json!({
            "columns": ["name", "lat", "lon", "bbox"], "rows": table,
            "units": {"lat": "degrees_north", "lon": "degrees_east", "bbox": "degrees"},
            "attribution": "© OpenStreetMap contributors",
        });
        let mut evidence = vec![
            EvidenceDraft::new("n_places", places.len(), "1", "number of places of that name"),
            EvidenceDraft::new("n_skipped", skipped, "1", "number of rows without a name or a position"),
        ];
        if let Some(first) = places.first() {
            let whereabouts = json!({ "name": query, "lon": first.lon, "lat": first.lat });
            let draft = |name: &str, value: Value, unit: &str, method: &str| {
                EvidenceDraft::new(name, value, unit, method).place(whereabouts.clone())
            };
            evidence.push(draft(
                "lat",
                json!(first.lat),
                "degree_north",
                "latitude of the first place found",
            ));
            evidence.push(draft(
                "lon",
                json!(first.lon),
                "degree_east",
                "longitude of the first place found",
            ));
            evidence.push(draft("name", json!(first.name), "", "name of the first place found"));
        } else {
            let said = format!("the gazetteer has no place called `{query}`");
            evidence.push(EvidenceDraft::new("no_data", said, "", "answer of the gazetteer"));
        }
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "places", content)).with_evidence(evidence);
        output.sources = vec![reply.source];
        Ok(output)
    }
}
