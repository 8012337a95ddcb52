//! `assemble_dataset`: several fields under names.

use std::collections::BTreeMap;

use leg_core::{EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::argument::dataset::assembled;
use crate::computation::Computation;
use crate::together::exact;
use crate::{Datasets, reading};

/// Puts fields together under names.
pub(crate) struct AssembleDataset;

/// Arguments of `assemble_dataset`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The fields by the names that they get, such as `temp` and `salt`.
    #[schemars(extend("minProperties" = 1, "x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller", "mask"], "unit": "any"}))]
    variables: BTreeMap<String, FieldArgument>,
}

impl Computation for AssembleDataset {
    const NAME: &'static str = "assemble_dataset";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Several fields under names, for tools that take more than one.", Port::of(Kind::Dataset))
            .description(
                "An exact join: latitudes, longitudes, depths and times that two fields both have must be the same (within \
                 single precision), and their calendars too; nothing is aligned, filled or cut. A field may lack an axis. \
                 Lazy fields stay lazy. For different grids, regrid one first.",
            )
            .evidence(&["n_variables", "size"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if arguments.variables.is_empty() {
            return Err(ToolError::invalid(
                "variables is empty; name at least one field, such as {\"temp\": …}",
            ));
        }
        let members: Vec<(String, &FieldArgument, Field)> = arguments
            .variables
            .iter()
            .map(|(name, argument)| Ok((name.clone(), argument, argument.open(datasets, context)?)))
            .collect::<Result<_, ToolError>>()?;
        let named: Vec<(&str, &Field)> =
            members.iter().map(|(name, _, field)| (name.as_str(), field)).collect();
        exact(&named)?;
        let size: u64 = members.iter().map(|(_, _, field)| field.len() as u64).sum();
        let mut notes: Vec<String> = Vec::new();
        for note in members.iter().flat_map(|(_, _, field)| reading::notes(field)) {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let name = members.iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>().join("_");
        let artifact = assembled(&name, &members, context)?;
        Ok(ToolOutput::of(artifact)
            .with_evidence([
                EvidenceDraft::new("n_variables", members.len() as u64, "1", "number of fields put together"),
                EvidenceDraft::new("size", size, "1", "number of values of all fields, land included"),
            ])
            .with_notes(notes))
    }
}
