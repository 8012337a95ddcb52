//! `run.json`: a summary of the ledger, and nothing that is not in it.

use serde_json::{Map, Value, json};

use crate::Digest;
use crate::canonical;
use crate::ledger::{Entry, EntryKind};

/// The kinds of records that a manifest tells of.
pub(crate) const TOLD: [EntryKind; 4] =
    [EntryKind::RunStarted, EntryKind::PlanProposed, EntryKind::PlanApproved, EntryKind::RunFinished];

/// The manifest of a ledger.
///
/// ```
/// use leg_core::ledger::{LEDGER, MANIFEST, manifest, read};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let reading = read(&folder.read(LEDGER)?, LEDGER);
/// let follows = manifest(&reading.entries, reading.log_root);
/// let stored: serde_json::Value = serde_json::from_slice(&folder.read(MANIFEST)?)?;
/// assert_eq!(stored, follows);
/// # Ok(())
/// # }
/// ```
pub fn manifest(entries: &[Entry], log_root: Digest) -> Value {
    manifest_of(entries, entries.len() as u64, log_root)
}

/// The manifest of a ledger with so many entries, from those of the kinds in [`TOLD`].
pub(crate) fn manifest_of(entries: &[Entry], count: u64, log_root: Digest) -> Value {
    let find = |kind: EntryKind| entries.iter().find(|entry| entry.kind == kind);
    let started = find(EntryKind::RunStarted);
    let approved = find(EntryKind::PlanApproved);
    // A run that was opened again has several ends: the last one counts.
    let finished = entries.iter().rfind(|entry| entry.kind == EntryKind::RunFinished);
    let core = |entry: Option<&Entry>, key: &str| entry.and_then(|entry| entry.core.get(key)).cloned();
    let meta = |entry: Option<&Entry>, key: &str| entry.and_then(|entry| entry.meta.get(key)).cloned();
    let mut out = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        out.insert(key.to_owned(), value.unwrap_or(Value::Null));
    };
    put("format", Some(json!(1)));
    put("run_id", meta(started, "run"));
    put("engine", meta(started, "engine"));
    put("registry", meta(started, "registry"));
    put("facts", meta(started, "facts"));
    put("question", core(started, "question"));
    put("started", meta(started, "at"));
    put("plan", core(find(EntryKind::PlanProposed), "plan"));
    put("plan_digest", core(approved, "plan_digest"));
    put("approved_by", meta(approved, "by"));
    put("finished", meta(finished, "at"));
    put("status", core(finished, "status"));
    put("content_root", core(finished, "content_root"));
    put("files", core(finished, "files"));
    put("entries", Some(json!(count)));
    put("log_root", Some(json!(log_root)));
    Value::Object(out)
}

/// The manifest's bytes in the run folder.
///
/// ```
/// use leg_core::ledger::{LEDGER, MANIFEST, manifest_bytes, read};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let reading = read(&folder.read(LEDGER)?, LEDGER);
/// assert_eq!(folder.read(MANIFEST)?, manifest_bytes(&reading.entries, reading.log_root));
/// # Ok(())
/// # }
/// ```
pub fn manifest_bytes(entries: &[Entry], log_root: Digest) -> Vec<u8> {
    as_file(&manifest(entries, log_root))
}

/// A manifest as it stands in the run folder.
pub(crate) fn as_file(manifest: &Value) -> Vec<u8> {
    let mut bytes = canonical::to_vec(manifest).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}
