//! [`Divergence`]: the first record that a replay does not give again.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use crate::ledger::Entry;

/// The first record that differs, with both sides.
///
/// ```
/// use leg_core::replay::Divergence;
///
/// let divergence = Divergence {
///     seq: 12,
///     kind: "call_finished".to_owned(),
///     recorded: Some(serde_json::json!({"status": "ok"})),
///     replayed: Some(serde_json::json!({"status": "failed"})),
/// };
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Divergence {
    /// Its place in the recorded ledger; that of the replay for a record that is only there.
    pub seq: u64,
    /// What it says.
    pub kind: String,
    /// What was recorded.
    pub recorded: Option<Value>,
    /// What the replay gives.
    pub replayed: Option<Value>,
}

/// Compares the replayed parts of all records. Records of parallel work stand in any order, so each is compared
/// with the one of the same subject.
pub(crate) fn first_divergence(recorded: &[Entry], replayed: &[Entry]) -> Option<Divergence> {
    let mut others: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in replayed.iter().rev().filter(|entry| entry.is_compared()) {
        others.entry(entry.subject()).or_default().push(entry);
    }
    for entry in recorded.iter().filter(|entry| entry.is_compared()) {
        let other = others.get_mut(&entry.subject()).and_then(Vec::pop);
        if other.is_none_or(|other| other.h_core != entry.h_core) {
            return Some(Divergence {
                seq: entry.seq,
                kind: entry.kind.as_str().to_owned(),
                recorded: Some(entry.core.clone()),
                replayed: other.map(|other| other.core.clone()),
            });
        }
    }
    let rest = others.into_values().flatten().min_by_key(|entry| entry.seq)?;
    Some(Divergence {
        seq: rest.seq,
        kind: rest.kind.as_str().to_owned(),
        recorded: None,
        replayed: Some(rest.core.clone()),
    })
}
