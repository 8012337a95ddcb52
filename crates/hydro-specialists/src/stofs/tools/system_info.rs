//! `stofs_system_info`: what the system is; with a cycle, what its files hold.

use async_trait::async_trait;
use leg_core::{Artifact, DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::stofs::Client;
use crate::stofs::cycle::{CycleHour, Wanted};
use crate::stofs::field_work::on_fields;
use crate::stofs::fields::Fields;
use crate::stofs::model::{FIELD_DATUM, Model, Product};
use crate::stofs::series::nothing;
use crate::tool::ServiceTool;
use crate::{Moment, ServiceError};

/// What the system is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SystemInfo;

/// The arguments of [`SystemInfo`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The model.
    #[serde(default)]
    model: Model,
    /// Day of a cycle whose field file is asked for its sizes, YYYY-MM-DD; nothing is asked when absent.
    #[serde(default)]
    cycle_date: Option<Moment>,
    /// Hour of that cycle, UTC.
    #[serde(default)]
    cycle_hour: Option<CycleHour>,
    /// Counts the nodes of that file that are ever wet, and those at its last time. All levels are read for it, which only small
    /// meshes allow.
    #[serde(default)]
    wet: bool,
}

/// The most levels, nodes by times, that are read to count wet nodes.
const MAX_LEVELS: usize = 20_000_000;

/// Sizes of a field file, with how many nodes are ever wet and how many at the last time.
struct Sizes {
    nodes: u64,
    elements: u64,
    times: usize,
    wet: Option<(usize, usize)>,
}

fn sizes(fields: &mut Fields, count: bool) -> Result<Sizes, String> {
    let small = fields.nodes.saturating_mul(fields.times.len()) <= MAX_LEVELS;
    let wet = if count && small && !fields.times.is_empty() {
        let all: Vec<usize> = (0..fields.nodes).collect();
        let ever = fields.highest(&all)?.iter().flatten().count();
        let last = fields.step(Some(fields.times.len() - 1), &all)?.iter().flatten().count();
        Some((ever, last))
    } else {
        None
    };
    Ok(Sizes { nodes: fields.nodes as u64, elements: fields.elements as u64, times: fields.times.len(), wet })
}

/// Facts of a system.
///
/// # Source
/// NOAA's description of STOFS, and the files of 2026: mesh of 12,785,004 nodes and 24,875,336 triangles. The mesh of the
/// three-dimensional model is not among the files that are read here.
struct Facts {
    nodes: Option<u64>,
    elements: Option<u64>,
    cycles: u64,
    horizon: u64,
}

const fn facts(model: Model) -> Facts {
    match model {
        Model::Global2d => {
            Facts { nodes: Some(12_785_004), elements: Some(24_875_336), cycles: 4, horizon: 180 }
        }
        Model::Atlantic3d => Facts { nodes: None, elements: None, cycles: 1, horizon: 96 },
    }
}

#[async_trait]
impl ServiceTool for SystemInfo {
    const NAME: &'static str = "stofs_system_info";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(client: &Client) -> ToolSpec {
        ToolSpec::new("stofs", "Mesh size, cycles, horizon, products and datums of the forecast system.", Port::of(Kind::Table))
            .description(
                "What is known of the system without asking. With a cycle, the numbers of nodes, triangles and times are \
                 those of its field file, from the headers of the file alone.",
            )
            .evidence(&[
                "nodes", "elements", "cycles_per_day", "horizon", "station_datum", "field_datum", "n_times", "bytes_read", "ever_wet", "last_wet",
                "no_data",
            ])
            .data_class(DataClass::Forecast)
            .hosts(&client.hosts())
    }

    async fn run(
        arguments: Arguments,
        client: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let model = arguments.model;
        let own = facts(model);
        let place = json!({ "name": model.title() });
        let draft = |name: &str, value: Value, unit: &str, method: &str| {
            EvidenceDraft::new(name, value, unit, method).place(place.clone())
        };
        let mut evidence = vec![
            draft("cycles_per_day", json!(own.cycles), "1", "number of cycles a day"),
            draft("horizon", json!(own.horizon), "h", "length of the forecast after the cycle's hour"),
            draft("station_datum", json!(model.station_datum()), "", "what levels at stations are above")
                .datum(model.station_datum()),
        ];
        if model == Model::Global2d {
            evidence.push(
                draft("field_datum", json!(FIELD_DATUM), "", "what levels on the mesh are above")
                    .datum(FIELD_DATUM),
            );
        }
        let (mut nodes, mut elements, mut sources) = (own.nodes, own.elements, Vec::new());
        let mut notes: Vec<String> = Vec::new();
        if arguments.cycle_date.is_some() || arguments.cycle_hour.is_some() {
            if model != Model::Global2d {
                return Err(ServiceError::BadArgument(
                    "field files are read of `2d_global` only; leave the cycle out".to_owned(),
                ));
            }
            let wanted = Wanted::of(arguments.cycle_date, arguments.cycle_hour)?;
            let count = arguments.wet;
            let work = move |fields: &mut Fields, _| sizes(fields, count);
            let done = match on_fields(client, Product::Cwl, wanted, context, work).await? {
                Ok(done) => done,
                Err((said, sources)) => {
                    let mut output = nothing(Kind::Table, &said);
                    output.sources = sources;
                    return Ok(output);
                }
            };
            (nodes, elements) = (Some(done.result.nodes), Some(done.result.elements));
            let times = draft("n_times", json!(done.result.times), "1", "number of times of the field file");
            evidence.push(times.when(done.cycle.when()));
            if let Some((ever, last)) = done.result.wet {
                for (name, value, method) in [
                    ("ever_wet", ever, "number of nodes that are wet at one time at least"),
                    ("last_wet", last, "number of nodes that are wet at the last time"),
                ] {
                    evidence.push(draft(name, json!(value), "1", method).when(done.cycle.when()));
                }
            } else if count {
                notes.push(format!(
                    "wet nodes are counted in files of at most {MAX_LEVELS} levels; ask for a map of a box"
                ));
            }
            evidence.push(draft(
                "bytes_read",
                json!(done.bytes_read),
                "1",
                "number of bytes of the ranges that were read",
            ));
            sources = done.sources;
        }
        for (name, value, method) in [
            ("nodes", nodes, "number of nodes of the mesh"),
            ("elements", elements, "number of triangles of the mesh"),
        ] {
            evidence.extend(value.map(|value| draft(name, json!(value), "1", method)));
        }
        let rows: Vec<Value> = evidence.iter().map(|own| json!([own.name, own.value, own.unit])).collect();
        let content = json!({
            "columns": ["name", "value", "unit"],
            "rows": rows,
            "units": {},
            "products": {
                "cwl": "tide and surge together", "htp": "tide alone", "swl": "surge alone",
                "points": "stations, every 6 minutes", "fields": "all nodes, every hour",
            },
            "hours": model.hours(),
        });
        let mut output =
            ToolOutput::of(Artifact::document(Kind::Table, "system", content)).with_evidence(evidence);
        output.sources = sources;
        output.notes.extend(notes);
        Ok(output)
    }
}
