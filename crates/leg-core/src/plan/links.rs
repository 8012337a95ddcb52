//! The references in a step's arguments: where they stand, whether they fit.

use serde_json::Value;

use super::index::{Index, Produced};
use super::ports::{concrete_unit, port_at};
use super::reader::{bad_reference, escape};
use super::{Code, Diagnostic, ForEach, Items, Reference};
use crate::{Kind, Port, ToolSpec};

/// Something in arguments that is known only when the plan runs.
pub(super) struct Hole {
    /// JSON pointer inside the arguments.
    pub(super) pointer: String,
    /// The same as tokens, not escaped.
    pub(super) path: Vec<String>,
    pub(super) what: What,
}

/// What stands in a hole.
pub(super) enum What {
    /// `{"$ref": "…"}`.
    Reference(Reference),
    /// `{"$item": "…"}`.
    Item(String),
    /// One of both, not well-formed.
    Fault(Diagnostic),
}

/// All references in a value, in document order, with JSON pointers to their `{"$ref": …}` objects.
///
/// ```
/// let args = serde_json::json!({"data": {"$ref": "sst"}, "others": [1, {"$ref": "mean#/evidence/max/value"}]});
/// let found = leg_core::plan::references_in(&args);
/// assert_eq!(found[0].0, "/data");
/// assert_eq!((found[1].0.as_str(), found[1].1.node.as_str()), ("/others/1", "mean"));
/// ```
pub fn references_in(value: &Value) -> Vec<(String, Reference)> {
    holes_in(value)
        .into_iter()
        .filter_map(|hole| match hole.what {
            What::Reference(reference) => Some((hole.pointer, reference)),
            What::Item(_) | What::Fault(_) => None,
        })
        .collect()
}

/// All holes in a value, in document order.
pub(super) fn holes_in(value: &Value) -> Vec<Hole> {
    let mut holes = Vec::new();
    let mut open: Vec<(String, Vec<String>, &Value)> = vec![(String::new(), Vec::new(), value)];
    while let Some((pointer, path, value)) = open.pop() {
        let below = |token: String, value| {
            let mut path = path.clone();
            let pointer = format!("{pointer}/{}", escape(&token));
            path.push(token);
            (pointer, path, value)
        };
        match value {
            Value::Object(members) if members.contains_key("$ref") || members.contains_key("$item") => {
                let what = hole(value, &pointer);
                holes.push(Hole { pointer, path, what });
            }
            Value::Object(members) => {
                open.extend(members.iter().rev().map(|(key, value)| below(key.clone(), value)));
            }
            Value::Array(items) => {
                open.extend(items.iter().enumerate().rev().map(|(i, value)| below(i.to_string(), value)));
            }
            _ => {}
        }
    }
    holes
}

fn hole(value: &Value, pointer: &str) -> What {
    if let Some(text) = Reference::text_in(value) {
        return match text.parse() {
            Ok(reference) => What::Reference(reference),
            Err(error) => What::Fault(bad_reference(pointer, &error)),
        };
    }
    let members = value.as_object();
    let item = members.and_then(|members| members.get("$item")).and_then(Value::as_str);
    if let Some(item) = item.filter(|_| members.is_some_and(|members| members.len() == 1)) {
        if item.is_empty() || item.starts_with('/') {
            return What::Item(item.to_owned());
        }
        return What::Fault(
            Diagnostic::new(pointer, Code::BadReference, "`$item` needs a JSON pointer into the item")
                .hint("write `\"/name\"` for a member, `\"\"` for the whole item"),
        );
    }
    let key = if members.is_some_and(|members| members.contains_key("$ref")) { "$ref" } else { "$item" };
    let message = format!("`{key}` must be the only key of its object, and a text");
    What::Fault(Diagnostic::new(pointer, Code::BadReference, message).hint(
        "write `{\"$ref\": \"step\"}`, `{\"$ref\": \"step#/outputs/name\"}` or `{\"$item\": \"/name\"}`",
    ))
}

/// Checks a reference that an argument holds.
pub(super) fn check_argument(
    index: &Index<'_>,
    track: usize,
    (reference, path, at): (&Reference, &[String], &str),
    spec: Option<&ToolSpec>,
) -> Result<(), Diagnostic> {
    let node = index.find(track, &reference.node, at)?;
    let produced = node.produced(reference, at)?;
    let Some((spec, port)) = spec.and_then(|spec| Some((spec, port_at(spec, path)?))) else { return Ok(()) };
    let argument = path.first().map_or("", String::as_str);
    if !produced.kinds.is_empty() && !produced.kinds.iter().any(|kind| port.accepts(*kind)) {
        let message = format!(
            "argument `{argument}` of `{}` takes {}, and `{reference}` is {}",
            spec.name,
            names(&port.kinds()),
            names(&produced.kinds)
        );
        let hint = "refer to a step or an output of a kind that fits";
        return Err(Diagnostic::new(at, Code::KindMismatch, message).hint(hint));
    }
    check_unit(reference, at, &produced, (spec, argument, &port))
}

fn check_unit(
    reference: &Reference,
    at: &str,
    produced: &Produced,
    (spec, argument, port): (&ToolSpec, &str, &Port),
) -> Result<(), Diagnostic> {
    let (Some(given), Some(wanted)) = (produced.unit.as_deref(), concrete_unit(spec, port)) else {
        return Ok(());
    };
    if given == wanted {
        return Ok(());
    }
    let message = format!(
        "argument `{argument}` of `{}` is in `{wanted}`, and `{reference}` is in `{given}`",
        spec.name
    );
    Err(Diagnostic::new(at, Code::UnitMismatch, message)
        .hint("convert it first, or refer to another variable"))
}

/// Checks a fan-out and the `$item`s of its step.
pub(super) fn check_items(for_each: Option<&ForEach>, item: &str, at: &str) -> Result<(), Diagnostic> {
    let Some(for_each) = for_each else {
        return Err(Diagnostic::new(at, Code::BadReference, "`$item` stands in a step without `for_each`")
            .hint("give the step a `for_each`, or write the value"));
    };
    let Items::List(items) = &for_each.items else { return Ok(()) };
    match items.iter().position(|value| value.pointer(item).is_none()) {
        None => Ok(()),
        Some(position) => {
            let message =
                format!("item {position} of `for_each` has nothing at `{}`", super::nearest::clip(item));
            Err(Diagnostic::new(at, Code::BadReference, message)
                .hint("point to a member that all items have"))
        }
    }
}

fn names(kinds: &[Kind]) -> String {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
    format!("`{}`", names.join("` or `"))
}
