//! `bundle`: one self-contained run folder for an auditor.

use crate::export::beside::BESIDE;
use crate::export::readme::{README, readme};
use crate::export::references::references;
use crate::export::staging::Staging;
use crate::export::{Export, ExportError, RunRecord};
use crate::ledger::manifest;

pub(super) const EXPORT: Export = Export {
    name: "bundle",
    summary: "a self-contained run folder for an auditor: verifies and replays on its own",
    is_folder: true,
    write,
};

fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    copy_run(record, out)
}

/// Writes the run folder with its own objects and a README.
pub(super) fn copy_run(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
    for name in record.folder().files()? {
        if !BESIDE.contains(&name.as_str()) {
            out.write_file(&name, &record.folder().read(&name)?)?;
        }
    }
    for digest in references(record)? {
        out.write_file(&object_name(&digest.to_hex()), &record.objects().get(&digest)?)?;
    }
    let manifest = manifest(record.ledger(), record.log_root);
    out.write_file(README, readme(&manifest).as_bytes())
}

/// Where an object stands in a run folder.
pub(super) fn object_name(hex: &str) -> String {
    let (head, tail) = hex.split_at(hex.len().min(2));
    format!("objects/{head}/{tail}")
}
