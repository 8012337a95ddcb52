//! `get_dataset_info`: what a dataset holds.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::dataset::Description;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Datasets;
use crate::computation::Computation;

/// Describes a dataset from its own metadata.
pub(crate) struct GetDatasetInfo;

/// Arguments of `get_dataset_info`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Name of an open dataset; the first one if absent.
    #[serde(default)]
    dataset: Option<String>,
}

impl Computation for GetDatasetInfo {
    const NAME: &'static str = "get_dataset_info";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Variables, units, axes and coverage of a dataset.", Port::of(Kind::Table))
            .description(
                "Reads the metadata of the store itself: variables with standard names, units and dimensions; axes \
                 with range, step and calendar; and where metadata contradict each other.",
            )
            .evidence(&["n_variables", "from", "to"])
            .purity(Purity::ReadsData)
    }

    fn run(arguments: &Arguments, datasets: &Datasets, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let dataset = datasets.open(arguments.dataset.as_deref())?;
        let description = dataset.inspect();
        let artifact = Artifact::document(Kind::Table, "variables", table(&description));
        let notes = description.warnings.clone();
        Ok(ToolOutput::of(artifact).with_evidence(evidence(&description)).with_notes(notes))
    }
}

/// Columns and rows of the variables, and the axes. The address, chunking and storage are no part of it.
fn table(description: &Description) -> Value {
    let columns = ["name", "standard_name", "long_name", "units", "dims", "shape", "taken_for", "selectable"];
    let rows: Vec<Value> = description
        .variables
        .iter()
        .map(|v| {
            json!([
                v.name,
                v.standard_name,
                v.long_name,
                v.units,
                v.dims.join(", "),
                v.shape,
                v.taken_for,
                v.selectable
            ])
        })
        .collect();
    json!({
        "title": description.title,
        "identity": description.identity,
        "columns": columns,
        "rows": rows,
        "axes": description.axes,
    })
}

fn evidence(description: &Description) -> Vec<EvidenceDraft> {
    let count = description.variables.len() as u64;
    let mut drafts = vec![EvidenceDraft::new("n_variables", count, "1", "number of data variables")];
    let times = description.axes.iter().enumerate().find(|(_, axis)| axis.axis == "time");
    if let Some((at, axis)) = times {
        let draft = |name: &str, value: &str, method: &str| {
            EvidenceDraft::new(name, value, "", method).pointer(format!("/content/axes/{at}/{name}"))
        };
        drafts.push(draft("from", &axis.from, "first time of the dataset"));
        drafts.push(draft("to", &axis.to, "last time of the dataset"));
    }
    drafts
}
