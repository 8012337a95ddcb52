//! The files that an exported folder has beside those of its run.

use crate::export::readme::{README, readme};
use crate::export::ro_crate::is_description;
use crate::export::{ExportError, RunRecord};
use crate::ledger::{Entry, EntryKind, LOCK, RunFolder, Verification, manifest};
use crate::{Digest, Domain};

/// The plan that ran.
pub(super) const PLAN: &str = "plan.json";
/// The description of a crate.
pub(crate) const METADATA: &str = "ro-crate-metadata.json";
/// Files of a folder that are not its run's: those of an export, and the lock of whoever runs it.
pub(super) const BESIDE: [&str; 4] = [README, PLAN, METADATA, LOCK];

/// Whether a file of a run folder is one that an export adds, and as it was added; `None` for any other file. The
/// description of a crate follows from all other files: [`is_description_of`] compares it when they are found whole.
pub(crate) fn is_as_exported(name: &str, bytes: &[u8], entries: &[Entry], log_root: Digest) -> Option<bool> {
    match name {
        README => Some(bytes == readme(&manifest(entries, log_root)).as_bytes()),
        PLAN => {
            let found = Digest::of(Domain::Object, bytes);
            Some(plan_digest(entries) == Some(found))
        }
        METADATA => Some(true),
        _ => None,
    }
}

/// Whether this is the description of the crate that the run lies in, which was verified just now.
pub(crate) fn is_description_of(
    folder: &RunFolder,
    verification: Verification,
    found: &[u8],
) -> Result<bool, ExportError> {
    is_description(&RunRecord::verified(folder, verification)?, found)
}

/// The object that holds the plan that ran: the last one that a planner mended, else the one that was approved.
pub(super) fn plan_digest(entries: &[Entry]) -> Option<Digest> {
    let of = |entry: &Entry| match entry.kind {
        EntryKind::PlanApproved => entry.digest("graph"),
        // Revisions of other causes hold the plans of single nodes, or the plan with what became of it.
        EntryKind::PlanRevision if entry.text("cause") == Some("replan") => entry.digest("plan"),
        _ => None,
    };
    entries.iter().rev().find_map(of)
}
