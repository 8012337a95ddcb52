//! [`references`]: every object that a run's ledger leads to.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde_json::Value;

use crate::export::{ExportError, RunRecord};
use crate::{Digest, ObjectStore, StoreError};

/// The digests of all objects that the ledger names, directly or through other objects. Not every digest in a ledger
/// is one of an object: those that the store does not have are no objects. (What must be there was there when the
/// record was verified.)
///
/// # Errors
/// [`ExportError::Store`] when an object is damaged or cannot be read.
pub(super) fn references(record: &RunRecord) -> Result<BTreeSet<Digest>, ExportError> {
    let mut seen = BTreeSet::new();
    let mut open = Vec::new();
    for entry in record.ledger() {
        digests_in(&entry.core, &mut open);
        digests_in(&entry.meta, &mut open);
    }
    let mut found = BTreeSet::new();
    while let Some(digest) = open.pop() {
        if !seen.insert(digest) {
            continue;
        }
        if let Some(bytes) = get(record.objects(), &digest)? {
            found.insert(digest);
            digests_in(&document(&bytes), &mut open);
        }
    }
    Ok(found)
}

fn get(objects: &dyn ObjectStore, digest: &Digest) -> Result<Option<Bytes>, ExportError> {
    match objects.get(digest) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// A document, or the header of an artifact, which stands in the first line.
fn document(bytes: &[u8]) -> Value {
    let head = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    if head.starts_with(b"{") || head.starts_with(b"[") {
        serde_json::from_slice(bytes).or_else(|_| serde_json::from_slice(head)).unwrap_or_default()
    } else {
        Value::Null
    }
}

fn digests_in(value: &Value, found: &mut Vec<Digest>) {
    match value {
        Value::String(text) => found.extend(text.parse::<Digest>().ok()),
        Value::Array(items) => items.iter().for_each(|item| digests_in(item, found)),
        Value::Object(members) => members.values().for_each(|member| digests_in(member, found)),
        _ => {}
    }
}
