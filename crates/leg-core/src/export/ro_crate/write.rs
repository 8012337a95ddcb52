//! Puts a crate together.

use super::actions::{add_control, add_run};
use super::evidence::add_report;
use super::files::{Files, Put};
use super::graph::Crate;
use super::root::{add_people, add_root};
use super::workflow::add_workflow;
use crate::export::beside::METADATA;
use crate::export::staging::Staging;
use crate::export::{Export, ExportError, NodeRun, RunRecord};
use crate::ledger::SIGNATURE;

pub(in crate::export) const EXPORT: Export = Export {
    name: "ro-crate",
    summary: "a Provenance Run Crate 0.5 for repositories and workflow registries",
    is_folder: true,
    write,
};

/// The terms of RO-Crate 1.1, and those of run crates that it lacks.
const CONTEXT: [&str; 2] =
    ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"];

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    let text = describe(record, None, &mut |name, bytes| out.write_file(name, bytes))?;
    out.write_file(METADATA, &text)
}

/// Whether this is the description of the crate that a run lies in. It may have been written before the run was signed.
pub(in crate::export) fn is_description(record: &RunRecord, found: &[u8]) -> Result<bool, ExportError> {
    let nowhere: &mut Put<'_> = &mut |_, _| Ok(());
    Ok(describe(record, None, nowhere)? == found || describe(record, Some(SIGNATURE), nowhere)? == found)
}

/// The description of a crate, whose files go to `out`, but for `without`.
fn describe(record: &RunRecord, without: Option<&str>, out: &mut Put<'_>) -> Result<Vec<u8>, ExportError> {
    if !record.nodes.iter().flat_map(|node| &node.runs).any(NodeRun::did_work) {
        return Err(ExportError::NothingRan);
    }
    let mut entities = Crate::default();
    add_root(&mut entities, record);
    add_people(&mut entities, record);
    let files = Files::add(&mut entities, record, without, out)?;
    add_workflow(&mut entities, record);
    add_report(&mut entities, record);
    add_run(&mut entities, record, &files);
    add_control(&mut entities, record, &files);
    let mut text = serde_json::to_vec_pretty(&entities.into_json(&CONTEXT)).unwrap_or_default();
    text.push(b'\n');
    Ok(text)
}
