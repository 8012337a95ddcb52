//! What a step refers to: in its arguments, its condition, its fan-out.

use serde_json::Value;

use crate::NodeId;
use crate::plan::{Items, Reference, Step};

/// Shows every reference of a step in a fixed order: arguments, fan-out, condition.
fn visit_references<'a>(step: &'a Step, see: &mut impl FnMut(&'a str)) {
    visit_value(&step.args, see);
    if let Some(for_each) = &step.for_each {
        match &for_each.items {
            Items::List(items) => items.iter().for_each(|item| visit_value(item, see)),
            Items::Reference(reference) => see(reference.node.as_str()),
        }
    }
    if let Some(when) = &step.when {
        see(when.reference.node.as_str());
    }
}

/// The ids of the steps that a step refers to, with repetitions.
pub(crate) fn referenced_nodes(step: &Step) -> Vec<&str> {
    let mut names = Vec::new();
    visit_references(step, &mut |text| names.push(node_of(text)));
    names
}

/// The references of a step, each once, in the order of [`visit_references`].
pub(super) fn references(step: &Step) -> Vec<Reference> {
    let mut found: Vec<Reference> = Vec::new();
    let mut add = |reference: Reference| {
        if !found.contains(&reference) {
            found.push(reference);
        }
    };
    visit_value(&step.args, &mut |text| {
        if let Ok(reference) = text.parse() {
            add(reference);
        }
    });
    if let Some(for_each) = &step.for_each {
        match &for_each.items {
            Items::List(items) => {
                for item in items {
                    visit_value(item, &mut |text| {
                        if let Ok(reference) = text.parse() {
                            add(reference);
                        }
                    });
                }
            }
            Items::Reference(reference) => add(reference.clone()),
        }
    }
    if let Some(when) = &step.when {
        add(when.reference.clone());
    }
    found
}

/// Gives the steps that a step refers to other names, where `rename` has one.
pub(crate) fn rename_references(step: &mut Step, rename: &impl Fn(&str) -> Option<NodeId>) {
    rename_value(&mut step.args, rename);
    let own = |reference: &mut Reference| {
        if let Some(name) = rename(reference.node.as_str()) {
            reference.node = name;
        }
    };
    if let Some(when) = &mut step.when {
        own(&mut when.reference);
    }
    if let Some(for_each) = &mut step.for_each {
        match &mut for_each.items {
            Items::List(items) => items.iter_mut().for_each(|item| rename_value(item, rename)),
            Items::Reference(reference) => own(reference),
        }
    }
}

fn visit_value<'a>(value: &'a Value, see: &mut impl FnMut(&'a str)) {
    if let Some(text) = Reference::text_in(value) {
        see(text);
        return;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit_value(item, see)),
        Value::Object(members) => members.values().for_each(|member| visit_value(member, see)),
        _ => {}
    }
}

fn rename_value(value: &mut Value, rename: &impl Fn(&str) -> Option<NodeId>) {
    if let Some(text) = Reference::text_in(value) {
        let node = node_of(text);
        if let Some(name) = rename(node) {
            let renamed = format!("{name}{}", text.get(node.len()..).unwrap_or_default());
            if let Some(slot) = value.get_mut("$ref") {
                *slot = Value::String(renamed);
            }
        }
        return;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| rename_value(item, rename)),
        Value::Object(members) => members.values_mut().for_each(|member| rename_value(member, rename)),
        _ => {}
    }
}

/// The step in the text of a reference.
fn node_of(text: &str) -> &str {
    text.split('#').next().unwrap_or(text)
}
