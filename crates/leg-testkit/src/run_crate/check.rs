//! [`check_run_crate`], and how the entities of a crate are looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Map, Value};

/// The name of a crate's description.
pub(super) const METADATA: &str = "ro-crate-metadata.json";

/// Everything that is wrong with the crate in a folder; nothing for a good one.
pub fn check_run_crate(folder: &Path) -> Vec<String> {
    let read =
        std::fs::read(folder.join(METADATA)).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
    match read {
        Some(document) => check_run_crate_document(folder, &document),
        None => vec![format!("`{METADATA}` is not there or no JSON")],
    }
}

/// The same for another description of the files in the folder.
pub fn check_run_crate_document(folder: &Path, document: &Value) -> Vec<String> {
    let mut check = Check::new(document);
    check.links();
    check.root();
    check.files(folder);
    check.workflow();
    check.parameters();
    check.actions();
    check.ledger(folder);
    check.faults
}

/// A crate under scrutiny.
pub(super) struct Check<'a> {
    pub(super) entities: BTreeMap<&'a str, &'a Map<String, Value>>,
    pub(super) faults: Vec<String>,
}

impl<'a> Check<'a> {
    pub(super) fn new(document: &'a Value) -> Self {
        let mut check = Self { entities: BTreeMap::new(), faults: Vec::new() };
        let contexts = document.get("@context").map(ToString::to_string).unwrap_or_default();
        for needed in
            ["https://w3id.org/ro/crate/1.1/context", "https://w3id.org/ro/terms/workflow-run/context"]
        {
            check.expect(contexts.contains(needed), || format!("the context lacks {needed}"));
        }
        for entity in document.get("@graph").and_then(Value::as_array).into_iter().flatten() {
            let id = entity.get("@id").and_then(Value::as_str);
            match (id, entity.as_object()) {
                (Some(id), Some(members)) => {
                    let twice = check.entities.insert(id, members).is_some();
                    check.expect(!twice, || format!("`{id}` stands twice"));
                }
                _ => check.faults.push(format!("an entity has no `@id`: {entity}")),
            }
        }
        check
    }

    pub(super) fn expect(&mut self, holds: bool, fault: impl FnOnce() -> String) {
        if !holds {
            self.faults.push(fault());
        }
    }

    /// What an entity points to.
    pub(super) fn targets(&self, id: &str, property: &str) -> Vec<&'a str> {
        let value = self.entities.get(id).and_then(|entity| entity.get(property));
        let ids = |value: &'a Value| value.get("@id").and_then(Value::as_str);
        match value {
            Some(Value::Array(values)) => values.iter().filter_map(ids).collect(),
            Some(value) => ids(value).into_iter().collect(),
            None => Vec::new(),
        }
    }

    pub(super) fn text(&self, id: &str, property: &str) -> &'a str {
        self.entities.get(id).and_then(|entity| entity.get(property)?.as_str()).unwrap_or_default()
    }

    pub(super) fn is(&self, id: &str, kind: &str) -> bool {
        match self.entities.get(id).and_then(|entity| entity.get("@type")) {
            Some(Value::String(one)) => one == kind,
            Some(Value::Array(kinds)) => kinds.iter().any(|one| one == kind),
            _ => false,
        }
    }

    pub(super) fn of_kind(&self, kind: &str) -> Vec<&'a str> {
        self.entities.keys().copied().filter(|id| self.is(id, kind)).collect()
    }

    /// At least one target, all of one of the kinds.
    pub(super) fn points(&mut self, id: &str, property: &str, kinds: &[&str]) -> Vec<&'a str> {
        let targets = self.targets(id, property);
        self.expect(!targets.is_empty(), || format!("`{id}` has no `{property}`"));
        for target in &targets {
            let fits = kinds.iter().any(|kind| self.is(target, kind));
            self.expect(fits, || format!("`{property}` of `{id}` is `{target}`, none of {kinds:?}"));
        }
        targets
    }

    pub(super) fn says(&mut self, id: &str, properties: &[&str]) {
        for property in properties {
            let said = self
                .entities
                .get(id)
                .and_then(|entity| entity.get(*property))
                .is_some_and(|value| !value.is_null() && value.as_str() != Some(""));
            self.expect(said, || format!("`{id}` does not say its `{property}`"));
        }
    }

    /// Every reference leads somewhere, and everything but the descriptor is referred to.
    pub(super) fn links(&mut self) {
        let mut named = BTreeSet::from([METADATA]);
        let mut faults = Vec::new();
        for (id, entity) in &self.entities {
            if !entity.contains_key("@type") {
                faults.push(format!("`{id}` has no `@type`"));
            }
            for (property, value) in *entity {
                let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
                for value in values {
                    if let Some(target) = value.get("@id").and_then(Value::as_str) {
                        named.insert(target);
                        if !self.entities.contains_key(target) {
                            faults.push(format!(
                                "`{property}` of `{id}` leads to `{target}`, which is not there"
                            ));
                        }
                    } else if value.is_object() || value.is_array() {
                        faults.push(format!("`{property}` of `{id}` is not flat"));
                    }
                }
            }
        }
        let lost = self.entities.keys().filter(|id| !named.contains(*id));
        faults.extend(lost.map(|id| format!("nothing leads to `{id}`")));
        self.faults.append(&mut faults);
    }

    /// The names of the parameters of an action's tool that its objects, or its results, are examples of.
    pub(super) fn shown(&self, action: &str, property: &str, side: &str) -> BTreeSet<&'a str> {
        let tools = self.targets(action, "instrument");
        let own: BTreeSet<&str> = tools.iter().flat_map(|tool| self.targets(tool, side)).collect();
        let values = self.targets(action, property);
        let examples = values.iter().flat_map(|value| self.targets(value, "exampleOfWork"));
        examples.filter(|parameter| own.contains(parameter)).map(|one| self.text(one, "name")).collect()
    }
}
