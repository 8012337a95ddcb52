//! `json`: the whole record as one document.

use serde_json::{Value, json};

use crate::export::staging::Staging;
use crate::export::{Export, ExportError, RunRecord};
use crate::ledger::{LEDGER, manifest};

pub(super) const EXPORT: Export = Export {
    name: "json",
    summary: "the whole record as one JSON document: report, graph, calls, evidence, ledger",
    is_folder: false,
    write,
};

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    let ledger = record.folder().read(LEDGER)?;
    // The lines were read before: they are JSON.
    let lines: Vec<Value> = ledger
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_slice(line).unwrap_or_default())
        .collect();
    let document = json!({
        "version": 1,
        "run": record,
        "manifest": manifest(record.ledger(), record.log_root),
        "ledger": lines,
    });
    let mut text = serde_json::to_vec_pretty(&document).unwrap_or_default();
    text.push(b'\n');
    out.write(&text)
}
