//! Reads ledger lines and checks what a line and its neighbours can show.

use serde::Serialize;

use crate::canonical;
use crate::ledger::log_tree::LogTree;
use crate::ledger::writer::{core_digest, genesis};
use crate::ledger::{Entry, EntryKind};
use crate::{Digest, Domain};

/// Something in a run folder is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file, and the line where there is one.
    pub place: String,
    /// What sort of fault.
    pub kind: FaultKind,
    /// What is wrong.
    pub message: String,
}

/// Sorts of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A line is not a ledger record.
    Unreadable,
    /// A line is JSON, but not to the byte as it was written.
    NotCanonical,
    /// The last line has no end.
    TornLine,
    /// A number is missing or stands twice.
    Sequence,
    /// A line does not follow from the one before.
    Chain,
    /// A record's replayed part was changed.
    Core,
    /// The run did not end.
    Unfinished,
    /// The content root does not follow from the records.
    ContentRoot,
    /// A root is not the one that was asked for.
    Root,
    /// An object is missing.
    MissingObject,
    /// An object is not what its name says.
    DamagedObject,
    /// A file is missing.
    MissingFile,
    /// A file was changed.
    ChangedFile,
    /// A file does not belong to the run.
    UnknownFile,
    /// A record does not agree with what it points to.
    Inconsistent,
}

/// All lines of a ledger, with what is wrong with them.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The lines that could be read.
    pub entries: Vec<Entry>,
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// The tree head over all lines.
    pub log_root: Digest,
}

/// Reads ledger bytes; `file` names them in faults.
pub fn read(bytes: &[u8], file: &str) -> Reading {
    let mut reading = Reading { entries: Vec::new(), faults: Vec::new(), log_root: genesis() };
    let mut tree = LogTree::default();
    let mut prev = genesis();
    let torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
    let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    // What follows the last line feed is nothing, or a line without its end.
    let last = lines.pop().unwrap_or_default();
    for (at, line) in lines.into_iter().enumerate() {
        let place = format!("{file}:{}", at + 1);
        let mut fault =
            |kind, message: String| reading.faults.push(Fault { place: place.clone(), kind, message });
        match serde_json::from_slice::<Entry>(line) {
            Ok(entry) => {
                check_line(&entry, line, at as u64, &prev, &mut fault);
                reading.entries.push(entry);
            }
            Err(error) => fault(FaultKind::Unreadable, format!("the line is not a ledger record: {error}")),
        }
        prev = Digest::of(Domain::Record, line);
        tree.push(line);
    }
    if torn {
        reading.faults.push(Fault {
            place: format!("{file}:{}", tree.size() + 1),
            kind: FaultKind::TornLine,
            message: format!("the last line has no end ({} bytes); `resume` drops it", last.len()),
        });
    }
    if reading.entries.last().is_none_or(|entry| entry.kind != EntryKind::RunFinished) {
        reading.faults.push(Fault {
            place: format!("{file}:{}", tree.size() + 1),
            kind: FaultKind::Unfinished,
            message:
                "the ledger does not end with `run_finished`: the run was stopped, or lines were removed"
                    .into(),
        });
    }
    reading.log_root = tree.root();
    reading
}

fn check_line(entry: &Entry, line: &[u8], at: u64, prev: &Digest, fault: &mut impl FnMut(FaultKind, String)) {
    let value: serde_json::Value = serde_json::from_slice(line).unwrap_or_default();
    if canonical::to_vec(&value).ok().as_deref() != Some(line) {
        fault(FaultKind::NotCanonical, "the line is not in canonical form, as it was written".into());
    }
    if entry.seq != at {
        fault(FaultKind::Sequence, format!("the line says `seq` {} and stands at {at}", entry.seq));
    }
    if entry.prev != *prev {
        fault(FaultKind::Chain, format!("`prev` is {} and the line before hashes to {}", entry.prev, prev));
    }
    let core = canonical::to_vec(&entry.core).unwrap_or_default();
    let h_core = core_digest(entry.kind, &core);
    if entry.h_core != h_core {
        fault(FaultKind::Core, format!("`h_core` is {} and the record hashes to {h_core}", entry.h_core));
    }
}
