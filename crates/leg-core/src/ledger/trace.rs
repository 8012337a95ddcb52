//! [`trace`]: from a number of the report back to the bytes that were read.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::ledger::{Entry, EntryKind, LEDGER, LedgerError, RunFolder, read, read_result};
use crate::{Claim, Digest, Evidence, EvidenceId, FolderObjects, ObjectStore as _, ObjectStoreExt as _};

/// The way from a number to its origin.
///
/// ```
/// use leg_core::ledger::{Trace, trace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let found: Trace = trace(&folder, "mean.mean")?;
/// assert_eq!(found.evidence.value, 19.0);
/// assert_eq!(found.calls.iter().map(|call| call.tool.as_str()).collect::<Vec<_>>(), ["mean", "load"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    /// The claims that cite it.
    pub claims: Vec<Claim>,
    /// The quantity.
    pub evidence: Evidence,
    /// What stands at its pointer in its artifact, where that is one element.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<Value>,
    /// The call that gave it, then the calls that gave its inputs, and so on.
    pub calls: Vec<TracedCall>,
}

/// A call on the way.
///
/// ```
/// use leg_core::ledger::trace;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let found = trace(&folder, "mean.mean")?;
/// let load = found.calls.iter().find(|call| call.tool == "load").unwrap();
/// assert_eq!((load.node.as_str(), &load.args["values"]), ("sst", &serde_json::json!([18.5, 19.5])));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TracedCall {
    /// Where its start stands in the ledger.
    pub seq: u64,
    /// The node.
    pub node: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Value,
    /// What it gave.
    pub outputs: BTreeMap<String, Digest>,
    /// What it read: files, stores, responses.
    pub sources: Value,
}

/// A number cannot be traced.
///
/// ```
/// use leg_core::ledger::{TraceError, trace};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// assert!(matches!(trace(&folder, "E99"), Err(TraceError::Unknown { .. })));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The folder cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No evidence has this id or key.
    #[error("the run has no evidence `{asked}`; it has {first} to {last}, or name one by its key")]
    Unknown {
        /// What was asked for.
        asked: String,
        /// The first id.
        first: String,
        /// The last id.
        last: String,
    },
    /// The report is missing or damaged.
    #[error("`report.json` of the run cannot be read; run `leg verify` to see what is wrong")]
    Report,
    /// No call gave it.
    #[error("no call of the run gave evidence `{key}`; run `leg verify` to see what is wrong")]
    NoCall {
        /// The evidence's key.
        key: String,
    },
}

/// Traces evidence by its id (`E12`) or key (`mean.max`).
///
/// ```
/// use leg_core::ledger::trace;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// let claim = outcome.report.claims().next().unwrap();
/// let found = trace(&folder, &claim.evidence[0].to_string())?;
/// assert_eq!(found.stored.as_ref(), Some(&found.evidence.value), "the number stands in the stored artifact");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`TraceError`].
pub fn trace(folder: &RunFolder, asked: &str) -> Result<Trace, TraceError> {
    let entries = read(&folder.read(LEDGER)?, LEDGER).entries;
    let objects = FolderObjects::of_run(folder.path());
    let report = folder.read("report.json").map_err(|_| TraceError::Report)?;
    let report: Value = serde_json::from_slice(&report).map_err(|_| TraceError::Report)?;
    let all: Vec<Evidence> = list(&report, "evidence")?;
    let matches = |e: &&Evidence| e.key == asked || e.id.as_ref().is_some_and(|id| id.as_str() == asked);
    let Some(evidence) = all.iter().find(matches).cloned() else {
        let id =
            |e: Option<&Evidence>| e.and_then(|e| e.id.as_ref()).map_or("none".into(), EvidenceId::to_string);
        return Err(TraceError::Unknown {
            asked: asked.to_owned(),
            first: id(all.first()),
            last: id(all.last()),
        });
    };
    let mut claims: Vec<Claim> = list(&report, "claims")?;
    claims.retain(|claim| claim.evidence.iter().any(|id| evidence.id.as_ref() == Some(id)));
    let stored =
        evidence.artifact.and_then(|digest| objects.get_artifact(&digest).ok()).and_then(|artifact| {
            if evidence.pointer.is_empty() {
                None
            } else {
                artifact.to_json().pointer(&evidence.pointer).cloned()
            }
        });
    let gave = |entry: &&Entry| {
        let result = entry.digest("result").and_then(|digest| objects.get(&digest).ok());
        let result = result.and_then(|bytes| read_result(&bytes));
        result.is_some_and(|result| result.evidence.iter().any(|own| own.key == evidence.key))
    };
    let finished: Vec<&Entry> =
        entries.iter().filter(|entry| entry.kind == EntryKind::CallFinished).collect();
    let Some(first) = finished.iter().copied().find(|entry| gave(entry)) else {
        return Err(TraceError::NoCall { key: evidence.key });
    };
    let calls = upstream(first, &entries, &finished, &objects);
    Ok(Trace { claims, evidence, stored, calls })
}

/// A call and all calls whose outputs it used, nearest first.
fn upstream(
    first: &Entry,
    entries: &[Entry],
    finished: &[&Entry],
    objects: &FolderObjects,
) -> Vec<TracedCall> {
    let mut calls: Vec<TracedCall> = Vec::new();
    let mut open = std::collections::VecDeque::from([first]);
    while let Some(end) = open.pop_front() {
        let start = entries.iter().find(|entry| {
            entry.kind == EntryKind::CallStarted && entry.digest("call_id") == end.digest("call_id")
        });
        let Some(start) = start.filter(|start| calls.iter().all(|call| call.seq != start.seq)) else {
            continue;
        };
        let args = start.core.get("args").cloned().or_else(|| {
            let bytes = objects.get(&start.digest("args_object")?).ok()?;
            serde_json::from_slice(&bytes).ok()
        });
        let args = args.unwrap_or_default();
        let mut used = Vec::new();
        artifacts_in(&args, &mut used);
        open.extend(
            finished.iter().copied().filter(|entry| outputs(entry).values().any(|own| used.contains(own))),
        );
        calls.push(TracedCall {
            seq: start.seq,
            node: start.text("node").unwrap_or_default().to_owned(),
            tool: start.text("tool").unwrap_or_default().to_owned(),
            args,
            outputs: outputs(end),
            sources: end.meta.get("sources").cloned().unwrap_or_default(),
        });
    }
    calls
}

fn outputs(entry: &Entry) -> BTreeMap<String, Digest> {
    entry.core.get("outputs").and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}

/// The artifacts that arguments name.
pub(crate) fn artifacts_in(value: &Value, found: &mut Vec<Digest>) {
    match value {
        Value::Object(members) => {
            if let Some(digest) =
                members.get("$artifact").and_then(Value::as_str).and_then(|text| text.parse().ok())
            {
                found.push(digest);
            }
            members.values().for_each(|member| artifacts_in(member, found));
        }
        Value::Array(items) => items.iter().for_each(|item| artifacts_in(item, found)),
        _ => {}
    }
}

fn list<T: serde::de::DeserializeOwned>(report: &Value, key: &str) -> Result<Vec<T>, TraceError> {
    report.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).ok_or(TraceError::Report)
}
