//! `FormalParameter`s: what tools and the workflow take and give, and the values that they had in this run.

use serde_json::{Value, json};

use super::graph::Crate;
use crate::export::names::segment;

const PROFILE: &str = "https://bioschemas.org/profiles/FormalParameter/1.0-RELEASE";

/// A parameter of a tool or of the workflow.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameter<'a> {
    /// The entity that has it.
    pub owner: &'a str,
    /// A word for the owner in the parameter's id.
    pub of: &'a str,
    /// `input` or `output`.
    pub side: &'static str,
    /// Its name.
    pub name: &'a str,
}

impl Parameter<'_> {
    /// Its id.
    pub(super) fn id(&self) -> String {
        format!("#parameter/{}/{}/{}", segment(self.of), self.side, segment(self.name))
    }

    /// Adds it with one more example, both ways.
    pub(super) fn example(&self, entities: &mut Crate, value: &str, sort: &str) {
        let id = self.id();
        if !entities.has(&id) {
            let profile = json!({ "name": "Bioschemas FormalParameter", "version": "1.0-RELEASE" });
            entities.add(PROFILE, &["CreativeWork"], profile);
            let properties = json!({ "name": self.name, "conformsTo": { "@id": PROFILE } });
            entities.add(&id, &["FormalParameter"], properties);
            entities.link(self.owner, self.side, &id);
        }
        entities.append(&id, "additionalType", json!(sort));
        entities.link(&id, "workExample", value);
        entities.link(value, "exampleOfWork", &id);
    }
}

/// The sort of a plain value, in the words of schema.org.
pub(super) fn sort(value: &Value) -> &'static str {
    match value {
        Value::Bool(_) => "Boolean",
        Value::Number(number) if number.is_f64() => "Float",
        Value::Number(_) => "Integer",
        Value::String(_) => "Text",
        Value::Null | Value::Array(_) | Value::Object(_) => "PropertyValue",
    }
}

/// A plain value as a property says it: a list or an object as its JSON text.
pub(super) fn plain(value: &Value) -> Value {
    match value {
        Value::Null => json!("missing"),
        Value::Array(_) | Value::Object(_) => json!(value.to_string()),
        plain => plain.clone(),
    }
}
