//! `stofs_node_series`: the forecast at the nearest wet node of the mesh.

use async_trait::async_trait;
use jiff::civil::DateTime;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stofs::Client;
use crate::stofs::cycle::{CycleHour, Wanted};
use crate::stofs::field_work::on_fields;
use crate::stofs::fields::Fields;
use crate::stofs::model::{FIELD_DATUM, Model, Product};
use crate::stofs::series::{EVIDENCE, Levels, nothing, rounded};
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// How many of the nearest nodes are looked at for one that is ever wet, and how far they may be, km.
const CANDIDATES: usize = 48;
const FARTHEST: f64 = 25.0;

/// The forecast at the nearest wet node of the mesh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeSeries;

/// The arguments of [`NodeSeries`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Latitude, degrees north.
    #[schemars(range(min = -90, max = 90))]
    lat: f64,
    /// Longitude, degrees east, -180 to 180.
    #[schemars(range(min = -180, max = 180))]
    lon: f64,
    /// Total level, tide alone, or surge alone.
    #[serde(default)]
    product: Product,
    /// Day of the cycle, YYYY-MM-DD; the newest cycle when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of the cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
}

/// A node with its levels.
struct Node {
    number: usize,
    km: f64,
    lon: f64,
    lat: f64,
    depth: Option<f64>,
    dry_nearer: usize,
    nodes: usize,
    elements: usize,
    times: Vec<DateTime>,
    values: Vec<Option<f64>>,
}

#[async_trait]
impl ServiceTool for NodeSeries {
    const NAME: &'static str = "stofs_node_series";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("m");
        let more =
            ["node", "node_lon", "node_lat", "depth", "distance", "n_dry", "nodes", "elements", "bytes_read"];
        let names: Vec<&str> = EVIDENCE.into_iter().chain(more).collect();
        ToolSpec::new("stofs", "Forecast water level, tide or surge at the nearest wet node of the mesh.", port)
            .description(
                "Reads the field file of a cycle by ranges of bytes: its chunk index once, the coordinates of the nodes once \
                 for a version of the mesh, then the chunks of one node. Nodes that stay dry in the whole forecast are \
                 passed over; the levels of the first one that is wet are metres above GMSL, hourly. `bytes_read` counts \
                 every range that the answer rests on.",
            )
            .evidence(&names)
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let Arguments { lat, lon, product, .. } = arguments;
        let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
        let done =
            on_fields(client, product, wanted, context, move |fields, _| nearest(fields, lat, lon)).await?;
        let done = match done {
            Ok(done) => done,
            Err((said, sources)) => {
                let mut output = nothing(Kind::Series, &said);
                output.sources = sources;
                return Ok(output);
            }
        };
        let Some(node) = done.result else {
            let said = format!("no node within {FARTHEST} km of {lat}, {lon} is wet in the forecast");
            let mut output = nothing(Kind::Series, &said);
            output.sources = done.sources;
            return Ok(output);
        };
        let place = json!({ "node": node.number, "lon": node.lon, "lat": node.lat });
        let draft = |name: &str, value: Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let evidence = [
            draft(
                "node",
                json!(node.number),
                "1",
                "number of the nearest wet node of the mesh, counted from 0",
            ),
            draft("node_lon", json!(node.lon), "degree_east", "longitude of the node"),
            draft("node_lat", json!(node.lat), "degree_north", "latitude of the node"),
            draft(
                "distance",
                json!((node.km * 1e3).round() / 1e3),
                "km",
                "great-circle distance from the point to the node",
            ),
            draft(
                "n_dry",
                json!(node.dry_nearer),
                "1",
                "number of nearer nodes that stay dry in the whole forecast",
            ),
            draft("nodes", json!(node.nodes), "1", "number of nodes of the mesh"),
            draft("elements", json!(node.elements), "1", "number of triangles of the mesh"),
            draft("bytes_read", json!(done.bytes_read), "1", "number of bytes of the ranges that were read"),
        ];
        let depth = node.depth.map(|depth| {
            draft("depth", json!(rounded(depth)), "m", "depth of the sea floor at the node below the geoid")
        });
        let levels = Levels {
            model: Model::Global2d,
            product,
            cycle: done.cycle,
            datum: FIELD_DATUM,
            place: place.clone(),
            times: node.times,
            values: node.values,
        };
        let mut output = levels.into_output().with_evidence(evidence).with_evidence(depth);
        output.sources = done.sources;
        Ok(output)
    }
}

/// The nearest node that is ever wet.
fn nearest(fields: &mut Fields, lat: f64, lon: f64) -> Result<Option<Node>, String> {
    if fields.times.is_empty() {
        return Err("the field file has no times".to_owned());
    }
    let mesh = fields.mesh()?;
    let near = mesh.0.nearest(lat, lon, CANDIDATES);
    for (dry_nearer, (node, km)) in near.into_iter().filter(|(_, km)| *km <= FARTHEST).enumerate() {
        let values = fields.column(node)?;
        if values.iter().all(Option::is_none) {
            continue;
        }
        let (Some(own_lon), Some(own_lat)) = (mesh.0.lon.get(node), mesh.0.lat.get(node)) else { continue };
        return Ok(Some(Node {
            number: node,
            km,
            lon: *own_lon,
            lat: *own_lat,
            depth: fields.depth(node),
            dry_nearer,
            nodes: fields.nodes,
            elements: fields.elements,
            times: fields.times.clone(),
            values,
        }));
    }
    Ok(None)
}
