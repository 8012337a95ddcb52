//! `list_available_datasets`: what can be opened.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::Datasets;
use crate::computation::Computation;

/// Lists the datasets by the names that selections use.
pub(crate) struct ListAvailableDatasets;

/// Arguments of `list_available_datasets`: none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {}

impl Computation for ListAvailableDatasets {
    const NAME: &'static str = "list_available_datasets";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Names of the datasets that can be opened.", Port::of(Kind::Table))
            .description(
                "The names of the flags and of the configuration, in their order; the first is the default.",
            )
            .evidence(&["n_datasets"])
            .purity(Purity::ReadsData)
    }

    fn run(_: &Arguments, datasets: &Datasets, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        // Addresses are no part of a result: two machines may keep one dataset in two places.
        let names = datasets.names();
        let rows: Vec<_> = names.iter().enumerate().map(|(at, name)| json!([name, at == 0])).collect();
        let count = EvidenceDraft::new("n_datasets", names.len() as u64, "1", "number of datasets by name");
        let artifact = Artifact::document(
            Kind::Table,
            "datasets",
            json!({ "columns": ["name", "is_default"], "rows": rows }),
        );
        Ok(ToolOutput::of(artifact).with_evidence([count]))
    }
}
