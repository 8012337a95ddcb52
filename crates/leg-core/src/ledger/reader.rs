//! Reads ledger lines and checks what a line and its neighbours can show. A damaged line hides no other.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ledger::chain::{self, Link};
use crate::ledger::log_tree::LogTree;
use crate::ledger::writer::core_digest;
use crate::ledger::{Entry, EntryKind, Fault, FaultKind};
use crate::{Digest, Domain, canonical};

/// All lines of a ledger, with what is wrong with them.
///
/// ```
/// use leg_core::ledger::{LEDGER, read};
///
/// let reading = read(b"{\"not\": \"a record\"}\n", LEDGER);
/// assert!(reading.entries.is_empty());
/// assert_eq!(reading.faults[0].place, "ledger.jsonl:1");
/// ```
#[derive(Debug, Clone)]
pub struct Reading {
    /// The lines that could be read.
    pub entries: Vec<Entry>,
    /// The number of each entry's line, from 1.
    pub lines: Vec<usize>,
    /// What is wrong, in the order of the lines.
    pub faults: Vec<Fault>,
    /// The tree head over all lines.
    pub log_root: Digest,
    /// How many whole lines there are.
    pub size: u64,
}

/// Reads ledger bytes; `file` names them in faults.
///
/// ```
/// use leg_core::ledger::{LEDGER, read};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let mut bytes = folder.read(LEDGER)?;
/// assert!(read(&bytes, LEDGER).faults.is_empty());
/// bytes.pop();
/// assert!(!read(&bytes, LEDGER).faults.is_empty(), "the last line has no end");
/// # Ok(())
/// # }
/// ```
pub fn read(bytes: &[u8], file: &str) -> Reading {
    let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    // What follows the last line feed is nothing, or a line without its end.
    let torn = lines.pop().unwrap_or_default();
    let mut found: Vec<(usize, FaultKind, String)> = Vec::new();
    let mut entries = Vec::new();
    let mut numbers = Vec::new();
    let mut links = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let before = found.len();
        let entry = entry(line, &mut |kind, message| found.push((at, kind, message)));
        links.push(Link {
            hash: Digest::of(Domain::Record, line),
            said: entry.as_ref().map(|entry| (entry.prev, entry.seq)),
            damaged: found.len() > before,
        });
        if let Some(entry) = entry {
            entries.push(entry);
            numbers.push(at + 1);
        }
    }
    found.extend(chain::check(&links));
    let whole = found.is_empty();
    let (log_root, roots) = tree(&lines, &entries);
    if whole {
        // Where the lines themselves hold, so must what they say of earlier lines.
        found.extend(checkpoints(&entries, &roots));
    }
    found.sort_by_key(|(at, ..)| *at);
    let mut faults: Vec<Fault> = found
        .into_iter()
        .map(|(at, kind, message)| Fault::new(format!("{file}:{}", at + 1), kind, message))
        .collect();
    let end = format!("{file}:{}", lines.len() + 1);
    if !torn.is_empty() {
        let message = format!("the last line has no end ({} bytes); `resume` drops it", torn.len());
        faults.push(Fault::new(&end, FaultKind::TornLine, message));
    }
    if entries.last().is_none_or(|entry: &Entry| entry.kind != EntryKind::RunFinished) {
        let message =
            "the ledger does not end with `run_finished`: the run was stopped, or lines were removed";
        faults.push(Fault::new(&end, FaultKind::Unfinished, message));
    }
    Reading { entries, lines: numbers, faults, log_root, size: lines.len() as u64 }
}

/// Reads a line and checks what it says of itself.
fn entry(line: &[u8], fault: &mut impl FnMut(FaultKind, String)) -> Option<Entry> {
    let value: Value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            fault(FaultKind::Unreadable, format!("the line is not JSON: {error}"));
            return None;
        }
    };
    let canonical = canonical::to_vec(&value).ok().as_deref() == Some(line);
    let entry: Entry = match serde_json::from_value(value) {
        Ok(entry) => entry,
        Err(error) => {
            fault(FaultKind::Unreadable, format!("the line is not a ledger record: {error}"));
            return None;
        }
    };
    if !canonical {
        fault(FaultKind::NotCanonical, "the line is not in canonical form, as it was written".into());
    }
    let core = canonical::to_vec(&entry.core).unwrap_or_default();
    let h_core = core_digest(entry.kind, &core);
    if entry.h_core != h_core {
        fault(FaultKind::Core, format!("`h_core` is {} and the record hashes to {h_core}", entry.h_core));
    }
    Some(entry)
}

/// The tree head over all lines, and those that checkpoints speak of, by size.
fn tree(lines: &[&[u8]], entries: &[Entry]) -> (Digest, BTreeMap<u64, Digest>) {
    let mut wanted: Vec<u64> = entries.iter().filter_map(checkpoint).map(|(size, _)| size).collect();
    wanted.sort_unstable();
    let mut wanted = wanted.into_iter().peekable();
    let mut tree = LogTree::default();
    let mut roots = BTreeMap::from([(0, tree.root())]);
    for line in lines {
        tree.push(line);
        while wanted.next_if(|size| *size <= tree.size()).is_some() {
            roots.entry(tree.size()).or_insert_with(|| tree.root());
        }
    }
    (tree.root(), roots)
}

/// The size and root that a checkpoint states.
fn checkpoint(entry: &Entry) -> Option<(u64, Digest)> {
    if entry.kind != EntryKind::Checkpoint {
        return None;
    }
    Some((entry.meta.get("size")?.as_u64()?, entry.meta.get("log_root")?.as_str()?.parse().ok()?))
}

fn checkpoints(entries: &[Entry], roots: &BTreeMap<u64, Digest>) -> Vec<(usize, FaultKind, String)> {
    let wrong = |(at, entry): (usize, &Entry)| {
        let (size, root) = checkpoint(entry)?;
        let message =
            format!("the checkpoint states another root over the first {size} lines than they have");
        (roots.get(&size) != Some(&root)).then_some((at, FaultKind::Chain, message))
    };
    entries.iter().enumerate().filter_map(wrong).collect()
}
