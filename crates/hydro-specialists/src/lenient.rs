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
