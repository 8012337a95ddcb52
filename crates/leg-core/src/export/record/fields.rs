//! Members of ledger entries that later versions of the ledger may leave out.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::ledger::Entry;

/// A whole number of `core`; 0 when it is left out.
pub(super) fn count(entry: &Entry, key: &str) -> u64 {
    entry.core.get(key).and_then(Value::as_u64).unwrap_or(0)
}

/// A text of `core`, or nothing.
pub(super) fn text(entry: &Entry, key: &str) -> String {
    entry.text(key).unwrap_or_default().to_owned()
}

/// When the entry was written.
pub(super) fn at(entry: &Entry) -> String {
    entry.meta.get("at").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A member of `core` or `meta` as a type; its default when it is left out.
pub(super) fn member<T: DeserializeOwned + Default>(part: &Value, key: &str) -> T {
    part.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}
