//! [`CallRecord`]: a call with its arguments, its answer and where the answer came from.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fields::{at, count, member, text};
use crate::export::ExportError;
use crate::ledger::{Entry, EntryKind, artifacts_in, read_result};
use crate::run::StoredRendering;
use crate::{Digest, Evidence, ObjectStore, Source, Status, Summary};

/// A call of a tool.
///
/// ```
/// use leg_core::export::RunRecord;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let record = RunRecord::read(&folder)?;
/// let mean = record.calls.iter().find(|call| call.tool == "mean").unwrap();
/// assert_eq!((mean.node.as_str(), mean.inputs.len()), ("mean", 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CallRecord {
    /// Its identity.
    pub id: Digest,
    /// The node that made it.
    pub node: String,
    /// Its number in the node.
    pub ordinal: u64,
    /// The revision of the plan that it belongs to.
    pub revision: u64,
    /// The attempt of the node that it belongs to.
    pub attempt: u64,
    /// The tool.
    pub tool: String,
    /// Digest of the tool's definition.
    pub definition: Option<Digest>,
    /// Its arguments; `{"$artifact": …}` stands for data.
    pub args: Value,
    /// The artifacts among its arguments.
    pub inputs: Vec<Digest>,
    /// When it began, ISO 8601.
    pub started: String,
    /// When it ended; absent when the run was stopped in it.
    pub ended: Option<String>,
    /// How long it took, in microseconds.
    pub duration_us: u64,
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorRecord>,
    /// What it gave, by output name.
    pub outputs: BTreeMap<String, Summary>,
    /// The quantities that it gave; ids are those of the report.
    pub evidence: Vec<Evidence>,
    /// What a reader must know.
    pub notes: Vec<String>,
    /// Pictures that it made.
    pub renderings: Vec<StoredRendering>,
    /// What it read.
    pub sources: Vec<Source>,
    /// Where its start stands in the ledger.
    pub seq: u64,
    /// Whether an answer came after its time was up: it is recorded and not used.
    pub late: bool,
}

/// Why something did not end well.
///
/// ```
/// use leg_core::export::ErrorRecord;
///
/// let error = ErrorRecord { kind: "no_data".to_owned(), message: "the record ends in 2025".to_owned() };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorRecord {
    /// What sort of error.
    pub kind: String,
    /// What went wrong and what to do.
    pub message: String,
}

/// All calls in the order of the ledger.
pub(super) fn calls(entries: &[Entry], objects: &dyn ObjectStore) -> Result<Vec<CallRecord>, ExportError> {
    let mut calls: Vec<CallRecord> = Vec::new();
    let mut places: BTreeMap<Digest, usize> = BTreeMap::new();
    for entry in entries {
        let Some(id) = entry.digest("call_id") else { continue };
        match (entry.kind, places.get(&id)) {
            (EntryKind::CallStarted, _) => {
                // A resumed run may start a call again: the later start counts.
                places.insert(id, calls.len());
                calls.push(started(entry, id, objects)?);
            }
            (EntryKind::CallFinished, Some(&place)) => {
                let Some(call) = calls.get_mut(place) else { continue };
                if entry.text("status") == Some(Status::Late.as_str()) {
                    call.late = true;
                } else {
                    finish(call, entry, objects)?;
                }
            }
            _ => {}
        }
    }
    Ok(calls)
}

fn started(entry: &Entry, id: Digest, objects: &dyn ObjectStore) -> Result<CallRecord, ExportError> {
    let args = match (entry.core.get("args"), entry.digest("args_object")) {
        (Some(args), _) => args.clone(),
        (None, Some(digest)) => serde_json::from_slice(&objects.get(&digest)?).unwrap_or_default(),
        (None, None) => Value::Null,
    };
    let mut inputs = Vec::new();
    artifacts_in(&args, &mut inputs);
    inputs.sort();
    inputs.dedup();
    Ok(CallRecord {
        id,
        node: text(entry, "node"),
        ordinal: count(entry, "ordinal"),
        revision: count(entry, "rev"),
        attempt: count(entry, "attempt"),
        tool: text(entry, "tool"),
        definition: entry.digest("definition"),
        args,
        inputs,
        started: at(entry),
        ended: None,
        duration_us: 0,
        status: Status::OutcomeUnknown,
        error: None,
        outputs: BTreeMap::new(),
        evidence: Vec::new(),
        notes: Vec::new(),
        renderings: Vec::new(),
        sources: Vec::new(),
        seq: entry.seq,
        late: false,
    })
}

fn finish(call: &mut CallRecord, entry: &Entry, objects: &dyn ObjectStore) -> Result<(), ExportError> {
    call.ended = Some(at(entry));
    call.duration_us = member(&entry.meta, "duration_us");
    call.status = entry
        .core
        .get("status")
        .and_then(|status| serde_json::from_value(status.clone()).ok())
        .unwrap_or(Status::OutcomeUnknown);
    call.error = member(&entry.core, "error");
    call.renderings = member(&entry.meta, "renderings");
    call.sources = member(&entry.meta, "sources");
    if let Some(digest) = entry.digest("result")
        && let Some(result) = read_result(&objects.get(&digest)?)
    {
        call.outputs = result.outputs;
        call.evidence = result.evidence;
        call.notes = result.notes;
    }
    Ok(())
}
