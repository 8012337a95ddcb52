//! Numbers that have no canonical form.

use serde_json::Value;

use super::nearest::clip;
use super::reader::escape;
use super::{Code, Diagnostic};
use crate::canonical;

/// A diagnostic for each number in the value that other readers would round.
pub(super) fn too_large(value: &Value, at: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut open = vec![(at.to_owned(), value)];
    while let Some((at, value)) = open.pop() {
        match value {
            Value::Number(number) if canonical::to_vec(value).is_err() => {
                let message =
                    format!("the number {} has no exact form in all readers", clip(&number.to_string()));
                found.push(Diagnostic::new(at, Code::BadValue, message).hint("write it as a text"));
            }
            Value::Array(items) => {
                open.extend(items.iter().enumerate().rev().map(|(i, value)| (format!("{at}/{i}"), value)));
            }
            Value::Object(members) => {
                let below = members.iter().rev().map(|(key, value)| (format!("{at}/{}", escape(key)), value));
                open.extend(below);
            }
            _ => {}
        }
    }
    found
}
