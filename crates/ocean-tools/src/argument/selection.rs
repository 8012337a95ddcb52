//! [`SelectionArgument`]: a selection and the dataset it is from.

use std::borrow::Cow;

use ocean_data::Selection;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

/// The keys of a selection, and `dataset`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct SelectionArgument {
    /// Name of the dataset; the default one if absent.
    pub(crate) dataset: Option<String>,
    /// What to take from it.
    pub(crate) selection: Selection,
}

impl SelectionArgument {
    /// Reads the JSON form.
    ///
    /// # Errors
    /// A message with a pointer and the right shape.
    pub(crate) fn from_json(mut value: Value) -> Result<Self, String> {
        let dataset = match value.as_object_mut().and_then(|members| members.remove("dataset")) {
            None | Some(Value::Null) => None,
            Some(Value::String(name)) => Some(name),
            Some(other) => return Err(format!("`/dataset` is {other}; write the name of an open dataset")),
        };
        let selection = Selection::from_json(&value).map_err(|error| error.to_string())?;
        Ok(Self { dataset, selection })
    }

    /// The canonical JSON form.
    pub(crate) fn to_json(&self) -> Value {
        let mut value = self.selection.to_json();
        if let (Some(name), Some(members)) = (&self.dataset, value.as_object_mut()) {
            members.insert("dataset".to_owned(), json!(name));
        }
        value
    }

    /// The JSON Schema of the form.
    pub(crate) fn schema() -> Value {
        let mut schema = Selection::json_schema();
        if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
            let description = "name of an open dataset; the first one if absent";
            properties.insert("dataset".to_owned(), json!({"type": "string", "description": description}));
        }
        schema
    }
}

impl<'de> Deserialize<'de> for SelectionArgument {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_json(Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for SelectionArgument {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "SelectionArgument".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        Schema::try_from(Self::schema()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back_from_its_json_and_refuses_unknown_keys() {
        let json = json!({"variable": "sst", "dataset": "a", "time": ["2015", "2016-03"]});
        let argument = SelectionArgument::from_json(json).unwrap();
        assert_eq!(argument.dataset.as_deref(), Some("a"));
        assert_eq!(SelectionArgument::from_json(argument.to_json()).unwrap(), argument);
        for (wrong, named) in [
            (json!({"variable": "sst", "lon_range": [1, 2]}), "lon_range"),
            (json!({"variable": "sst", "dataset": 3}), "/dataset"),
            (json!({"region": {"name": "x"}}), "/variable"),
            (json!("sst"), "variable"),
        ] {
            let message = SelectionArgument::from_json(wrong).unwrap_err();
            assert!(message.contains(named), "{message}");
        }
    }
}
