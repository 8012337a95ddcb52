//! The property of a plan's text.

use leg_core::Registry;
use leg_core::plan::{Code, read, repair};

use super::plan_json::check_plan;

/// What a model may write as a plan: it is mended or refused, never invented.
///
/// - What was mended is JSON, and mending it again changes nothing.
/// - A key of the mended value stands in the text, but for its escapes.
/// - A text that is refused gives a message with what to do or where, and never two of one kind for nothing.
/// - What reads as a plan goes through validation and compiling without a panic.
///
/// # Panics
/// When one of these does not hold.
pub fn plan_text(registry: &Registry, data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match repair(&text) {
        Ok((value, _)) => {
            let again = repair(&value.to_string());
            assert_eq!(again, Ok((value.clone(), Vec::new())), "mended twice is not mended once: {text:?}");
            if !text.contains('\\') {
                for key in keys(&value) {
                    assert!(text.contains(&key), "the key {key:?} was invented: {text:?}");
                }
            }
        }
        Err(fault) => {
            let known = [
                Code::NotJson,
                Code::Truncated,
                Code::NoPlan,
                Code::TooLarge,
                Code::DuplicateKey,
                Code::BadValue,
            ];
            assert!(known.contains(&fault.code), "{fault:?}");
            assert!(!fault.message.is_empty() && fault.pointer.is_empty(), "{fault:?}");
        }
    }
    if let Ok((plan, _)) = read(&text) {
        check_plan(registry, plan);
    }
}

fn keys(value: &serde_json::Value) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Array(items) => open.extend(items),
            serde_json::Value::Object(members) => {
                // A raw line break in a key was mended to an escape, and reads as the same letter.
                found.extend(members.keys().cloned());
                open.extend(members.values());
            }
            _ => {}
        }
    }
    found
}
