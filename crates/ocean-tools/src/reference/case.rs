//! [`Case`]: what is asked, and [`Given`]: members that all have to be read.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

use super::compare::Tolerance;

/// A reference case.
#[derive(Debug)]
pub(super) struct Case {
    /// The capability.
    pub(super) tool: String,
    /// File, variable and selection.
    pub(super) input: Given,
    /// What fixes the answer.
    pub(super) params: Given,
    /// The peer's answer.
    pub(super) expected: Value,
    /// How near is near enough.
    pub(super) tolerance: Tolerance,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    /// A message that names what is missing.
    pub(super) fn read(value: &Value) -> Result<Self, String> {
        let tool = value.get("tool").and_then(Value::as_str).ok_or("the case has no `tool`")?;
        let object = |key: &'static str| match value.get(key) {
            None | Some(Value::Null) => Ok(Given::new(key, Map::new())),
            Some(Value::Object(members)) => Ok(Given::new(key, members.clone())),
            Some(other) => Err(format!("`{key}` is {other}; it must be an object")),
        };
        let expected = value.get("expected").cloned().ok_or("the case has no `expected`")?;
        Ok(Self {
            tool: tool.to_owned(),
            input: object("input")?,
            params: object("params")?,
            expected,
            tolerance: Tolerance::read(value.get("tolerance"))?,
        })
    }

    /// Members that no adapter has read.
    pub(super) fn unread(&self) -> Vec<String> {
        [self.input.unread(), self.params.unread()].concat()
    }

    /// The members of the peer's answer.
    pub(super) fn expected_keys(&self) -> impl Iterator<Item = &str> {
        self.expected.as_object().into_iter().flat_map(|members| members.keys().map(String::as_str))
    }

    /// Whether the peer's answer has this member, so that what is not asked need not be computed.
    pub(super) fn wants(&self, key: &str) -> bool {
        self.expected.get(key).is_some()
    }
}

/// Members of an object, each marked when it is read.
#[derive(Debug)]
pub(super) struct Given {
    name: &'static str,
    members: Map<String, Value>,
    read: Mutex<BTreeSet<String>>,
}

impl Given {
    fn new(name: &'static str, members: Map<String, Value>) -> Self {
        Self { name, members, read: Mutex::default() }
    }

    /// A member of this one, as an object of its own to be read; `None` if it is absent. Its members count as read.
    pub(super) fn object(&self, key: &str) -> Option<Given> {
        match self.get(key) {
            Some(Value::Object(members)) => Some(Self::new(self.name, members.clone())),
            _ => None,
        }
    }

    /// A member that is there and not null.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.read.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned());
        self.members.get(key).filter(|value| !value.is_null())
    }

    /// A member that must be there.
    pub(super) fn need(&self, key: &str) -> Result<&Value, String> {
        self.get(key).ok_or_else(|| format!("`{}` has no `{key}`", self.name))
    }

    /// A text.
    pub(super) fn text(&self, key: &str) -> Result<&str, String> {
        self.need(key)?.as_str().ok_or_else(|| format!("`{}/{key}` is no text", self.name))
    }

    /// A number.
    pub(super) fn number(&self, key: &str) -> Result<f64, String> {
        self.need(key)?.as_f64().ok_or_else(|| format!("`{}/{key}` is no number", self.name))
    }

    /// A number, if it is there.
    pub(super) fn number_or(&self, key: &str, default: f64) -> Result<f64, String> {
        if self.get(key).is_some() { self.number(key) } else { Ok(default) }
    }

    /// A whole number.
    pub(super) fn index(&self, key: &str) -> Result<usize, String> {
        let number = self.need(key)?.as_u64().ok_or_else(|| format!("`{}/{key}` is no index", self.name))?;
        usize::try_from(number).map_err(|_| format!("`{}/{key}` is too large", self.name))
    }

    /// Numbers.
    pub(super) fn numbers(&self, key: &str) -> Result<Vec<f64>, String> {
        let list = self.need(key)?.as_array().ok_or_else(|| format!("`{}/{key}` is no list", self.name))?;
        list.iter()
            .map(|value| value.as_f64().ok_or_else(|| format!("`{}/{key}` holds {value}", self.name)))
            .collect()
    }

    /// A text that must be one of these when it is there: what the adapter does by itself.
    pub(super) fn one_of(&self, key: &str, known: &[&str]) -> Result<(), String> {
        match self.get(key) {
            None => Ok(()),
            Some(Value::String(text)) if known.contains(&text.as_str()) => Ok(()),
            Some(other) => Err(format!("`{}/{key}` is {other}; known are: {}", self.name, known.join(" | "))),
        }
    }

    /// `lat` and `lon` as a region; `None` when both are absent.
    pub(super) fn region(&self) -> Result<Option<Value>, String> {
        let pair = |key: &str| -> Result<Option<Vec<f64>>, String> {
            if self.get(key).is_none() {
                return Ok(None);
            }
            let pair = self.numbers(key)?;
            if pair.len() == 2 { Ok(Some(pair)) } else { Err(format!("`{}/{key}` is no pair", self.name)) }
        };
        let (lat, lon) = (pair("lat")?, pair("lon")?);
        if lat.is_none() && lon.is_none() {
            return Ok(None);
        }
        let lat = lat.unwrap_or_else(|| vec![-90.0, 90.0]);
        let lon = lon.unwrap_or_else(|| vec![0.0, 360.0]);
        Ok(Some(json!({ "lon": lon, "lat": lat })))
    }

    fn unread(&self) -> Vec<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        self.members
            .keys()
            .filter(|key| !read.contains(*key))
            .map(|key| format!("`{}/{key}`", self.name))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_adapter_read_is_told() {
        let case = Case::read(&json!({
            "tool": "area mean", "input": {"file": "a.nc", "lat": [0, 10], "every": 2},
            "params": {"weights": "cos(latitude)"}, "expected": {"n": 1}
        }))
        .unwrap();
        assert_eq!(case.input.text("file"), Ok("a.nc"));
        assert_eq!(case.input.region().unwrap(), Some(json!({"lon": [0.0, 360.0], "lat": [0.0, 10.0]})));
        assert_eq!(case.unread(), ["`input/every`", "`params/weights`"]);
        assert!(case.params.one_of("weights", &["equal"]).unwrap_err().contains("known are: equal"));
        assert!(case.wants("n") && !case.wants("mean"));
    }
}
