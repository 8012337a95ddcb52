//! Numbers and texts that the service writes in several ways.

use serde::{Deserialize as _, Deserializer};
use serde_json::Value;

/// A number, a text that holds one, or nothing: `1.5`, `"1.5"`, `""`, `null`. Any other text is nothing too.
pub(crate) fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = match Value::deserialize(deserializer)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    Ok(number.filter(|number| number.is_finite()))
}

/// A text or a number as text; nothing becomes an empty text.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text,
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    })
}

/// The rows that can be read, and how many could not: one bad row is no reason to lose the others.
pub(crate) fn rows<T: serde::de::DeserializeOwned>(rows: Vec<Value>) -> (Vec<T>, usize) {
    let all = rows.len();
    let read: Vec<T> = rows.into_iter().filter_map(|row| serde_json::from_value(row).ok()).collect();
    let bad = all - read.len();
    (read, bad)
}

/// A list, or nothing. Another thing where a list is due is an answer that cannot be read.
pub(crate) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Value>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Array(list) => Ok(list),
        Value::Null => Ok(Vec::new()),
        _ => Err(serde::de::Error::custom("a list is due, and another thing stands there")),
    }
}
