//! Members of the core of a record, by their form.

use serde_json::Value;

use crate::Digest;

/// A member that is a text.
pub(crate) fn text<'a>(core: &'a Value, key: &str) -> Result<&'a str, String> {
    core.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is missing"))
}

/// A member that is a number from 0.
pub(crate) fn number(core: &Value, key: &str) -> Result<u64, String> {
    core.get(key).and_then(Value::as_u64).ok_or_else(|| format!("`{key}` is missing"))
}

/// A member that is a digest.
pub(crate) fn digest(core: &Value, key: &str) -> Result<Digest, String> {
    text(core, key)?.parse().map_err(|error| format!("`{key}`: {error}"))
}
