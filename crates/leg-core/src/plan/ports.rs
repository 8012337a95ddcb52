//! What a tool's JSON Schema says about a place in the arguments.

use serde_json::Value;

use crate::tool::resolve_reference;
use crate::{Port, ToolSpec};

/// The port of the place in the arguments. One of an array holds for its items.
pub(super) fn port_at(spec: &ToolSpec, path: &[String]) -> Option<Port> {
    let mut schema = &spec.arguments;
    let mut port = None;
    for token in path {
        let (next, is_item) = child(&spec.arguments, schema, token)?;
        schema = next;
        let own = forms(&spec.arguments, schema).find_map(|form| form.get("x-leg-port"));
        port = own.or(if is_item { port } else { None });
    }
    serde_json::from_value(port?.clone()).ok()
}

/// The port's unit if it is a CF string, and neither `any` nor an expression of an argument of its tool.
pub(super) fn concrete_unit<'a>(spec: &ToolSpec, port: &'a Port) -> Option<&'a str> {
    let unit = port.unit.trim();
    let names_an_argument = || {
        unit.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .any(|word| !word.is_empty() && spec.arguments.pointer(&format!("/properties/{word}")).is_some())
    };
    (!unit.is_empty() && unit != "any" && !unit.starts_with('=') && !names_an_argument()).then_some(unit)
}

/// The schema of the place in the arguments.
pub(super) fn schema_at<'a>(root: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(root, |schema, token| child(root, schema, token).map(|(next, _)| next))
}

/// The names of the members that an object may have here.
pub(super) fn members<'a>(root: &'a Value, schema: &'a Value) -> Vec<&'a str> {
    forms(root, schema)
        .filter_map(|form| form.get("properties")?.as_object())
        .flat_map(|members| members.keys().map(String::as_str))
        .collect()
}

/// The schema itself and the alternatives in it, with local references resolved.
pub(super) fn forms<'a>(root: &'a Value, schema: &'a Value) -> impl Iterator<Item = &'a Value> {
    let schema = resolve(root, schema);
    let inner = ["anyOf", "oneOf", "allOf"]
        .into_iter()
        .filter_map(|keyword| schema.get(keyword)?.as_array())
        .flatten()
        .map(|form| resolve(root, form));
    std::iter::once(schema).chain(inner)
}

/// The schema below a key or an index, and whether it is one of an array's items.
fn child<'a>(root: &'a Value, schema: &'a Value, token: &str) -> Option<(&'a Value, bool)> {
    forms(root, schema).find_map(|form| {
        if let Some(member) = form.get("properties").and_then(|members| members.get(token)) {
            return Some((member, false));
        }
        let index: usize = token.parse().ok()?;
        let prefix = form.get("prefixItems").and_then(|items| items.get(index));
        prefix.or_else(|| form.get("items").filter(|items| items.is_object())).map(|item| (item, true))
    })
}

/// Follows references to what they mean. A registered tool's have no circles; the bound is for other schemas.
fn resolve<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    const HOPS: usize = 64;
    for _ in 0..HOPS {
        let text = schema.get("$ref").and_then(Value::as_str);
        let Some(target) = text.and_then(|text| resolve_reference(root, text).ok()) else { break };
        schema = target;
    }
    schema
}

/// The types other than null that a value may have here; `None` when the schema does not say.
pub(super) fn types<'a>(root: &'a Value, schema: &'a Value) -> Option<Vec<&'a str>> {
    let resolved = resolve(root, schema);
    let alternatives = ["anyOf", "oneOf"].iter().any(|keyword| resolved.get(*keyword).is_some());
    if resolved.get("allOf").is_some() || resolved.get("not").is_some() {
        return None;
    }
    let mut types = Vec::new();
    for form in forms(root, schema).skip(usize::from(alternatives)) {
        match form.get("type") {
            Some(Value::String(name)) => types.push(name.as_str()),
            Some(Value::Array(names)) => types.extend(names.iter().filter_map(Value::as_str)),
            _ => return None,
        }
    }
    types.retain(|name| *name != "null");
    Some(types)
}
