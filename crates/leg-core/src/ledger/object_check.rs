//! Checks the objects that a ledger names: each is there, whole, and says what its record says.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::ledger::{Entry, EntryKind, Fault, FaultKind, LEDGER, evidence_digest};
use crate::run::{CallResult, Payload};
use crate::{Digest, Evidence, ObjectStore, StoreError};

/// What the objects of a run showed.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// What is wrong.
    pub faults: Vec<Fault>,
    /// All evidence that calls of the run gave.
    pub evidence: Vec<Evidence>,
}

/// Members of `core` that name an object.
const NAMED: [&str; 6] = ["args_object", "definitions", "graph", "output", "plan", "result"];

/// Checks every object once, however many records name it; `lines` are the entries' line numbers. A run at the payload
/// level `minimal` keeps neither artifacts nor pictures; where they are there they must be whole.
pub(crate) fn check(entries: &[Entry], lines: &[usize], store: &dyn ObjectStore) -> Objects {
    let mut found = Objects::default();
    let mut named: BTreeMap<Digest, BTreeSet<usize>> = BTreeMap::new();
    let mut needed: BTreeSet<Digest> = BTreeSet::new();
    let minimal = entries.iter().any(|entry| {
        entry.kind == EntryKind::RunStarted && entry.text("payload") == Some(Payload::Minimal.as_str())
    });
    let mut results: BTreeMap<Digest, Vec<(usize, &Entry)>> = BTreeMap::new();
    for (entry, &line) in entries.iter().zip(lines) {
        let documents = documents(entry);
        needed.extend(&documents);
        let data = data(entry);
        if !minimal {
            needed.extend(&data);
        }
        for digest in documents.into_iter().chain(data) {
            named.entry(digest).or_default().insert(line);
        }
        if let Some(result) = entry.digest("result") {
            results.entry(result).or_default().push((line, entry));
        }
    }
    for (digest, by) in &named {
        match store.get(digest) {
            Ok(bytes) => {
                for (line, entry) in results.remove(digest).unwrap_or_default() {
                    found.result(line, entry, &bytes);
                }
            }
            Err(StoreError::Missing { .. }) if !needed.contains(digest) => {}
            Err(error) => found.faults.push(fault(digest, by, &error)),
        }
    }
    found
}

/// Documents that an entry names: plans, arguments, results, words. They are kept at every payload level.
fn documents(entry: &Entry) -> Vec<Digest> {
    NAMED.iter().filter_map(|key| entry.digest(key)).collect()
}

/// Artifacts, pictures and raw responses that a call or a join left.
fn data(entry: &Entry) -> Vec<Digest> {
    let mut found: Vec<Digest> = outputs(entry).into_values().collect();
    let renderings = entry.meta.get("renderings").and_then(Value::as_array);
    found.extend(renderings.into_iter().flatten().filter_map(|one| member::<Digest>(one, "digest")));
    found.extend(member::<Vec<Digest>>(&entry.meta, "raw").unwrap_or_default());
    found
}

/// The place of an object, as faults name it.
pub(crate) fn place(digest: &Digest) -> String {
    let hex = digest.to_hex();
    let (head, tail) = hex.split_at(2);
    format!("objects/{head}/{tail}")
}

/// A stored result of a call; renderings and sources stand in the record.
pub(crate) fn read_result(bytes: &[u8]) -> Option<CallResult> {
    let mut value: Value = serde_json::from_slice(bytes).ok()?;
    let members = value.as_object_mut()?;
    members.insert("renderings".into(), Value::Array(Vec::new()));
    members.insert("sources".into(), Value::Array(Vec::new()));
    serde_json::from_value(value).ok()
}

impl Objects {
    /// A call's stored result must be what its record says.
    fn result(&mut self, line: usize, entry: &Entry, bytes: &[u8]) {
        let place = format!("{LEDGER}:{line}");
        let Some(result) = read_result(bytes) else {
            let message = "the stored result is not a result";
            return self.faults.push(Fault::new(place, FaultKind::Inconsistent, message));
        };
        let named: BTreeMap<String, Digest> =
            result.outputs.iter().map(|(name, summary)| (name.clone(), summary.digest)).collect();
        if named != outputs(entry) || evidence_digest(&result.evidence).ok() != entry.digest("evidence") {
            let message = "the stored result is not the one of the record";
            self.faults.push(Fault::new(place, FaultKind::Inconsistent, message));
        }
        self.evidence.extend(result.evidence);
    }
}

fn outputs(entry: &Entry) -> BTreeMap<String, Digest> {
    member(&entry.core, "outputs").unwrap_or_default()
}

fn fault(digest: &Digest, by: &BTreeSet<usize>, error: &StoreError) -> Fault {
    let kind = match error {
        StoreError::Missing { .. } => FaultKind::MissingObject,
        _ => FaultKind::DamagedObject,
    };
    let by: Vec<String> = by.iter().map(|line| format!("{LEDGER}:{line}")).collect();
    Fault::new(place(digest), kind, format!("{error}; named by {}", by.join(", ")))
}

fn member<T: serde::de::DeserializeOwned>(value: &Value, key: &str) -> Option<T> {
    serde_json::from_value(value.get(key)?.clone()).ok()
}
