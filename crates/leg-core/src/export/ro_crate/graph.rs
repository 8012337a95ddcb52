//! [`Crate`]: the entities of a crate, flat, each once.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// The entities of a crate in the order in which they were first named.
#[derive(Debug, Default)]
pub(super) struct Crate {
    order: Vec<String>,
    entities: BTreeMap<String, Map<String, Value>>,
}

impl Crate {
    /// Adds an entity, or properties to the one that has this id; what is null or empty is left out.
    pub(super) fn add(&mut self, id: &str, types: &[&str], properties: Value) {
        let entity = self.entity(id);
        let types = match types {
            [one] => json!(one),
            many => json!(many),
        };
        entity.insert("@type".to_owned(), types);
        if let Value::Object(members) = properties {
            // An empty value is a value; an empty name or description says nothing.
            let said =
                |key: &str, value: &Value| !value.is_null() && (key == "value" || value.as_str() != Some(""));
            entity.extend(members.into_iter().filter(|(key, value)| said(key, value)));
        }
    }

    /// Whether there is an entity with this id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.entities.contains_key(id)
    }

    /// Points from one entity to another, once.
    pub(super) fn link(&mut self, from: &str, property: &str, to: &str) {
        self.append(from, property, json!({ "@id": to }));
    }

    /// Adds a value to a property, once.
    pub(super) fn append(&mut self, id: &str, property: &str, value: Value) {
        let entity = self.entity(id);
        match entity.get_mut(property) {
            None => {
                entity.insert(property.to_owned(), value);
            }
            Some(Value::Array(values)) => {
                if !values.contains(&value) {
                    values.push(value);
                }
            }
            Some(one) if *one == value => {}
            Some(one) => *one = json!([one.take(), value]),
        }
    }

    fn entity(&mut self, id: &str) -> &mut Map<String, Value> {
        self.entities.entry(id.to_owned()).or_insert_with(|| {
            self.order.push(id.to_owned());
            Map::from_iter([("@id".to_owned(), json!(id))])
        })
    }

    /// The document.
    pub(super) fn into_json(self, context: &[&str]) -> Value {
        let Self { order, mut entities } = self;
        let graph: Vec<Value> =
            order.iter().filter_map(|id| entities.remove(id)).map(Value::Object).collect();
        json!({ "@context": context, "@graph": graph })
    }
}
