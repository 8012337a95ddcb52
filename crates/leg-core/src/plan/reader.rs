//! Reads checked pieces of JSON, and collects what is wrong.

use serde_json::{Map, Value};

use super::nearest::{clip, hint, list, nearest};
use super::{Code, Diagnostic, Reference};
use crate::{IdError, NodeId};

/// Collects what is wrong while pieces are read; a piece that is wrong is `None`.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) found: Vec<Diagnostic>,
}

impl Reader {
    pub(super) fn reference(&mut self, value: &Value, at: &str) -> Option<Reference> {
        if let Some(text) = Reference::text_in(value) {
            return self.reference_text(text, at);
        }
        if value.is_object() {
            self.found.push(
                Diagnostic::new(at, Code::BadReference, "a reference is an object with the one key `$ref`")
                    .hint("write `{\"$ref\": \"step\"}`"),
            );
        } else {
            self.wrong_type(at, "a reference `{\"$ref\": \"step\"}`", value);
        }
        None
    }

    pub(super) fn reference_text(&mut self, text: &str, at: &str) -> Option<Reference> {
        text.parse().map_err(|error| self.found.push(bad_reference(at, &error))).ok()
    }

    pub(super) fn node_id(&mut self, members: &Map<String, Value>, at: &str) -> Option<NodeId> {
        let id = self.id(members, at, "id", NodeId::new)?;
        if id.as_str().contains('[') {
            self.found.push(
                Diagnostic::new(
                    format!("{at}/id"),
                    Code::BadId,
                    format!("`{id}` is the id of one item of a fan-out; a plan does not write it"),
                )
                .hint("use small letters, digits and `_` only"),
            );
            return None;
        }
        Some(id)
    }

    pub(super) fn id<T>(
        &mut self,
        members: &Map<String, Value>,
        at: &str,
        key: &str,
        new: impl Fn(String) -> Result<T, IdError>,
    ) -> Option<T> {
        let at = format!("{at}/{key}");
        let text = members.get(key).and_then(|text| self.text(text, &at))?;
        new(text).map_err(|error| self.found.push(Diagnostic::new(at, Code::BadId, error.to_string()))).ok()
    }

    /// The value, if each of its numbers has a canonical form.
    pub(super) fn exact(&mut self, value: &Value, at: &str) -> Option<Value> {
        let faults = super::numbers::too_large(value, at);
        let exact = faults.is_empty().then(|| value.clone());
        self.found.extend(faults);
        exact
    }

    pub(super) fn text(&mut self, value: &Value, at: &str) -> Option<String> {
        if let Value::String(text) = value {
            return Some(text.clone());
        }
        self.wrong_type(at, "a text", value);
        None
    }

    pub(super) fn number(&mut self, value: &Value, at: &str, expected: &str) -> Option<f64> {
        if let Some(number) = value.as_f64() {
            return Some(number);
        }
        self.wrong_type(at, expected, value);
        None
    }

    pub(super) fn count(&mut self, value: &Value, at: &str) -> Option<usize> {
        if let Some(count) = value.as_u64() {
            return Some(usize::try_from(count).unwrap_or(usize::MAX));
        }
        if value.is_number() {
            let message = format!("expected a whole number from 0, found {value}");
            self.found.push(Diagnostic::new(at, Code::BadValue, message));
        } else {
            self.wrong_type(at, "a whole number from 0", value);
        }
        None
    }

    pub(super) fn choice<T: Copy>(&mut self, value: &Value, at: &str, choices: &[(&str, T)]) -> Option<T> {
        let names = choices.iter().map(|(name, _)| *name);
        let Value::String(text) = value else {
            self.wrong_type(at, "a text", value);
            if let Some(last) = self.found.last_mut() {
                last.hint = Some(list(names, "allowed"));
            }
            return None;
        };
        let chosen = choices.iter().find(|(name, _)| name == text).map(|(_, chosen)| *chosen);
        if chosen.is_none() {
            let message = format!("`{}` is not allowed here", clip(text));
            self.found.push(Diagnostic::new(at, Code::BadValue, message).hint(list(names, "allowed")));
        }
        chosen
    }

    pub(super) fn items<T>(
        &mut self,
        members: &Map<String, Value>,
        at: &str,
        key: &str,
        read: impl Fn(&mut Self, &Value, &str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let at = format!("{at}/{key}");
        match members.get(key)? {
            Value::Array(items) => {
                let read: Vec<Option<T>> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| read(self, item, &format!("{at}/{index}")))
                    .collect();
                read.into_iter().collect()
            }
            other => {
                self.wrong_type(&at, "a list", other);
                None
            }
        }
    }

    /// An object with known keys. A missing key that was only misspelled is one fault, not two.
    pub(super) fn object<'a>(
        &mut self,
        value: &'a Value,
        at: &str,
        known: &[&str],
        required: &[&str],
    ) -> Option<&'a Map<String, Value>> {
        let Value::Object(members) = value else {
            self.wrong_type(at, "an object", value);
            if let Some(last) = self.found.last_mut() {
                last.hint = Some(list(known.iter().copied(), "its keys"));
            }
            return None;
        };
        let mut meant = Vec::new();
        for key in members.keys().filter(|key| !known.contains(&key.as_str())) {
            let absent = known.iter().copied().filter(|name| !members.contains_key(*name));
            meant.extend(nearest(key, absent.clone()));
            let hint = match nearest(key, absent) {
                Some(name) => format!("did you mean `{name}`?"),
                None => hint(key, known.iter().copied(), "allowed keys"),
            };
            let message = format!("the key `{}` is not known", clip(key));
            let place = format!("{at}/{}", escape(key));
            self.found.push(Diagnostic::new(place, Code::UnknownKey, message).hint(hint));
        }
        for key in required.iter().filter(|key| !members.contains_key(**key) && !meant.contains(*key)) {
            self.found.push(Diagnostic::new(at, Code::MissingKey, format!("the key `{key}` is missing")));
        }
        Some(members)
    }

    pub(super) fn wrong_type(&mut self, at: &str, expected: &str, found: &Value) {
        let message = format!("expected {expected}, found {}", describe(found));
        self.found.push(Diagnostic::new(at, Code::WrongType, message));
    }
}

/// A text that is no reference.
pub(super) fn bad_reference(at: &str, error: &super::ReferenceError) -> Diagnostic {
    Diagnostic::new(at, Code::BadReference, error.to_string())
}

/// A key as a token of a JSON pointer.
pub(super) fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// What a value is, in words.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => format!("the text {}", Value::String(clip(text))),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
