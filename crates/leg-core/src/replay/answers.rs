//! Recorded answers, and a store that reads a run's objects and keeps new ones to itself.

use std::collections::BTreeMap;

use bytes::Bytes;

use crate::artifact::{FolderObjects, MemoryObjects};
use crate::ledger::{Entry, EntryKind, read_result};
use crate::run::{Answers, CallKey, CallResult};
use crate::{Digest, ObjectStore, StoreError, ToolError, ToolErrorKind};

/// The answers of a recorded run, by call id.
#[derive(Debug, Default)]
pub(crate) struct RecordedAnswers {
    answers: BTreeMap<Digest, Result<CallResult, ToolError>>,
}

impl RecordedAnswers {
    /// Reads the answers from ledger entries and stored results.
    pub(crate) fn of(entries: &[Entry], objects: &dyn ObjectStore) -> Result<Self, StoreError> {
        let mut answers = BTreeMap::new();
        for entry in entries.iter().filter(|entry| entry.kind == EntryKind::CallFinished) {
            let Some(call_id) = entry.digest("call_id") else { continue };
            let answer = match entry.digest("result") {
                Some(digest) => {
                    let bytes = objects.get(&digest)?;
                    let mut result = read_result(&bytes).unwrap_or_default();
                    result.renderings = member(entry, "renderings");
                    result.sources = member(entry, "sources");
                    Ok(result)
                }
                None => Err(recorded_error(entry)),
            };
            answers.insert(call_id, answer);
        }
        Ok(Self { answers })
    }
}

fn member<T: serde::de::DeserializeOwned + Default>(entry: &Entry, key: &str) -> T {
    entry.meta.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}

fn recorded_error(entry: &Entry) -> ToolError {
    let recorded = entry.core.get("error").and_then(|error| serde_json::from_value(error.clone()).ok());
    recorded
        .unwrap_or_else(|| ToolError::new(ToolErrorKind::Internal, "the record has no result and no error"))
}

impl Answers for RecordedAnswers {
    /// A call that the record does not have is never made: it is a divergence.
    fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        let missing = || {
            let message = format!("call {} is not in the record", call.call_id.short());
            Err(ToolError::new(ToolErrorKind::Internal, message))
        };
        Some(self.answers.get(&call.call_id).cloned().unwrap_or_else(missing))
    }
}

/// Reads from a run's objects, writes to memory.
#[derive(Debug)]
pub(crate) struct OverlayObjects {
    recorded: FolderObjects,
    new: MemoryObjects,
}

impl OverlayObjects {
    pub(crate) fn over(recorded: FolderObjects) -> Self {
        Self { recorded, new: MemoryObjects::default() }
    }
}

impl ObjectStore for OverlayObjects {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        self.new.put(bytes)
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        self.new.get(digest).or_else(|_| self.recorded.get(digest))
    }
}
