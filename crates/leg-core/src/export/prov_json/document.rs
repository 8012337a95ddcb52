//! [`Document`]: elements and relations of a PROV document.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::export::names::{NAMESPACE, segment};

/// Elements by id, relations each once.
#[derive(Debug, Default)]
pub(super) struct Document {
    elements: BTreeMap<&'static str, BTreeMap<String, Map<String, Value>>>,
    relations: BTreeMap<&'static str, BTreeSet<Vec<(&'static str, String)>>>,
}

impl Document {
    /// Adds an entity, an activity or an agent; attributes without a text are left out.
    pub(super) fn element(&mut self, sort: &'static str, id: &str, attributes: &[(&str, &str)]) {
        let element = self.elements.entry(sort).or_default().entry(id.to_owned()).or_default();
        for (name, text) in attributes.iter().filter(|(_, text)| !text.is_empty()) {
            // Types are names, and all else is text.
            let value = match *name {
                "prov:type" => json!({ "$": text, "type": "xsd:QName" }),
                _ => json!(text),
            };
            element.insert((*name).to_owned(), value);
        }
    }

    /// Adds a relation between elements.
    pub(super) fn relation(&mut self, sort: &'static str, ends: &[(&'static str, &str)]) {
        let ends = ends.iter().map(|(role, id)| (*role, (*id).to_owned())).collect();
        self.relations.entry(sort).or_default().insert(ends);
    }

    /// An activity used an entity.
    pub(super) fn used(&mut self, activity: &str, entity: &str) {
        self.relation("used", &[("prov:activity", activity), ("prov:entity", entity)]);
    }

    /// An activity made an entity.
    pub(super) fn generated(&mut self, entity: &str, activity: &str) {
        self.relation("wasGeneratedBy", &[("prov:entity", entity), ("prov:activity", activity)]);
    }

    /// An entity came from another.
    pub(super) fn derived(&mut self, entity: &str, from: &str) {
        self.relation("wasDerivedFrom", &[("prov:generatedEntity", entity), ("prov:usedEntity", from)]);
    }

    /// An activity used what another one made, or is part of what another one does.
    pub(super) fn informed(&mut self, activity: &str, by: &str) {
        self.relation("wasInformedBy", &[("prov:informed", activity), ("prov:informant", by)]);
    }

    /// An agent did an activity; a plan says what was to be done.
    pub(super) fn associated(&mut self, activity: &str, agent: &str, plan: Option<&str>) {
        let mut ends = vec![("prov:activity", activity), ("prov:agent", agent)];
        ends.extend(plan.map(|plan| ("prov:plan", plan)));
        self.relation("wasAssociatedWith", &ends);
    }

    /// An agent answers for an entity.
    pub(super) fn attributed(&mut self, entity: &str, agent: &str) {
        self.relation("wasAttributedTo", &[("prov:entity", entity), ("prov:agent", agent)]);
    }

    /// The document.
    pub(super) fn into_json(self, run: &str) -> Value {
        let mut out = Map::new();
        out.insert(
            "prefix".to_owned(),
            json!({
                "leg": NAMESPACE,
                "run": format!("{NAMESPACE}run/{}/", segment(run)),
            }),
        );
        for (sort, elements) in self.elements {
            out.insert(sort.to_owned(), json!(elements));
        }
        for (sort, relations) in self.relations {
            let named = relations.into_iter().enumerate().map(|(at, ends)| {
                let ends: Map<String, Value> =
                    ends.into_iter().map(|(role, id)| (role.to_owned(), json!(id))).collect();
                (format!("_:{sort}{at}"), Value::Object(ends))
            });
            out.insert(sort.to_owned(), Value::Object(named.collect()));
        }
        Value::Object(out)
    }
}
