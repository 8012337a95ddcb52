//! Replaces references in arguments by what they refer to, and looks at conditions.

use std::cmp::Ordering;

use serde_json::{Map, Value, json};

use crate::plan::{Comparison, Condition, Items, Part, Reference};
use crate::run::NodeOutput;
use crate::run::join::rows_of;
use crate::{
    ArtifactArgument, Digest, NodeId, ObjectStore, ObjectStoreExt as _, Status, Summary, ToolError,
    ToolErrorKind,
};

/// What became of a reference.
enum Resolved {
    /// It has a value.
    Value(Value),
    /// The step was skipped because its condition was false: an optional argument is dropped.
    Absent,
}

/// Replaces every reference in `args`.
///
/// A reference to an artifact becomes `{"$artifact": digest, "kind": kind}`, one to evidence its value. `required`
/// names the arguments that cannot be dropped when the step that they refer to was skipped by its condition.
pub(crate) fn resolve(
    args: &Value,
    required: &[&str],
    look_up: &dyn Fn(&NodeId) -> Option<std::sync::Arc<NodeOutput>>,
    primary: &dyn Fn(&NodeId) -> String,
) -> Result<Value, ToolError> {
    let Value::Object(members) = args else {
        return Ok(args.clone());
    };
    let mut out = Map::new();
    for (key, value) in members {
        match walk(value, look_up, primary)? {
            Some(value) => {
                out.insert(key.clone(), value);
            }
            None if required.contains(&key.as_str()) => {
                let message = format!("argument `{key}` refers to a step that was skipped");
                return Err(ToolError::new(ToolErrorKind::NotFound, message));
            }
            None => {}
        }
    }
    Ok(Value::Object(out))
}

/// The value with its references replaced; `None` for a reference to a step that its condition skipped.
fn walk(
    value: &Value,
    look_up: &dyn Fn(&NodeId) -> Option<std::sync::Arc<NodeOutput>>,
    primary: &dyn Fn(&NodeId) -> String,
) -> Result<Option<Value>, ToolError> {
    if let Some(text) = Reference::text_in(value) {
        let reference: Reference = text.parse().map_err(|error| ToolError::invalid(format!("{error}")))?;
        return match follow(&reference, look_up, primary)? {
            Resolved::Value(value) => Ok(Some(value)),
            Resolved::Absent => Ok(None),
        };
    }
    Ok(Some(match value {
        Value::Array(items) => {
            let mut out = Vec::with_capacity(items.len());
            for item in items {
                out.extend(walk(item, look_up, primary)?);
            }
            Value::Array(out)
        }
        Value::Object(members) => {
            let mut out = Map::new();
            for (key, member) in members {
                if let Some(member) = walk(member, look_up, primary)? {
                    out.insert(key.clone(), member);
                }
            }
            Value::Object(out)
        }
        plain => plain.clone(),
    }))
}

fn follow(
    reference: &Reference,
    look_up: &dyn Fn(&NodeId) -> Option<std::sync::Arc<NodeOutput>>,
    primary: &dyn Fn(&NodeId) -> String,
) -> Result<Resolved, ToolError> {
    let node = &reference.node;
    let missing = |message: String| ToolError::new(ToolErrorKind::NotFound, message);
    let output = look_up(node).ok_or_else(|| missing(format!("step `{node}` has no result")))?;
    if reference.part == Part::Status {
        return Ok(Resolved::Value(json!(output.status)));
    }
    match output.status {
        Status::Ok => {}
        // A skip without an error is one by condition.
        Status::Skipped if output.error.is_none() => return Ok(Resolved::Absent),
        other => return Err(missing(format!("it needs `{node}`, which ended {other}"))),
    }
    let plain = |summary: &Summary| json!(ArtifactArgument::from(summary));
    let artifact = |name: &str| {
        if let Some(items) = &output.items {
            // A fan-out whose results are joined as a list.
            let all = items.iter().filter_map(|item| item.get(name)).map(plain);
            return Ok(Resolved::Value(all.collect()));
        }
        let summary = output
            .outputs
            .get(name)
            .ok_or_else(|| missing(format!("step `{node}` has no output `{name}`")))?;
        Ok(Resolved::Value(plain(summary)))
    };
    match &reference.part {
        Part::Primary => artifact(&primary(node)),
        Part::Output(name) => artifact(name),
        Part::Evidence { name, field } if output.items.is_some() => {
            let all = output.evidence.iter().filter(|evidence| evidence.name == *name);
            Ok(Resolved::Value(all.map(|evidence| field_of(evidence, field)).collect()))
        }
        Part::Evidence { name, field } => {
            let found = output.evidence.iter().find(|evidence| evidence.name == *name);
            let evidence = found.ok_or_else(|| missing(format!("step `{node}` has no evidence `{name}`")))?;
            Ok(Resolved::Value(field_of(evidence, field)))
        }
        Part::Status => Ok(Resolved::Value(json!(output.status))),
    }
}

fn field_of(evidence: &crate::Evidence, field: &str) -> Value {
    match field {
        "unit" => json!(evidence.unit),
        "n" => json!(evidence.n),
        "when" => json!(evidence.when),
        _ => evidence.value.clone(),
    }
}

/// The items of a fan-out: those of the plan; a list that an evidence holds; the rows of a table, the numbers of a
/// series, the members of a list.
pub(crate) fn items_of(
    items: &Items,
    objects: &dyn ObjectStore,
    look_up: &dyn Fn(&NodeId) -> Option<std::sync::Arc<NodeOutput>>,
    primary: &dyn Fn(&NodeId) -> String,
) -> Result<Vec<Value>, ToolError> {
    let reference = match items {
        Items::List(items) => return Ok(items.clone()),
        Items::Reference(reference) => reference,
    };
    let invalid = |message: String| ToolError::new(ToolErrorKind::InvalidArguments, message);
    match follow(reference, look_up, primary)? {
        Resolved::Value(Value::Array(items)) => Ok(items),
        Resolved::Value(value) => {
            let digest = value.get("$artifact").and_then(Value::as_str);
            let Some(digest) = digest.and_then(|text| text.parse::<Digest>().ok()) else {
                return Err(invalid(format!(
                    "`for_each` goes over `{reference}`, which is one value, no list"
                )));
            };
            let artifact = objects
                .get_artifact(&digest)
                .map_err(|error| ToolError::new(ToolErrorKind::BadData, error.to_string()))?;
            rows_of(&artifact).ok_or_else(|| {
                invalid(format!(
                    "`for_each` goes over `{reference}`, a {} without rows; name a table, a list or a series",
                    artifact.kind
                ))
            })
        }
        Resolved::Absent => Ok(Vec::new()),
    }
}

/// The arguments with every `{"$item": "/pointer"}` replaced by that part of the item.
pub(crate) fn with_item(args: &Value, item: &Value) -> Result<Value, ToolError> {
    if let Some(members) = args.as_object()
        && members.len() == 1
        && let Some(pointer) = members.get("$item").and_then(Value::as_str)
    {
        return item.pointer(pointer).cloned().ok_or_else(|| {
            ToolError::new(ToolErrorKind::NotFound, format!("the item has nothing at `{pointer}`"))
        });
    }
    Ok(match args {
        Value::Array(items) => {
            Value::Array(items.iter().map(|value| with_item(value, item)).collect::<Result<_, _>>()?)
        }
        Value::Object(members) => Value::Object(
            members
                .iter()
                .map(|(key, value)| Ok((key.clone(), with_item(value, item)?)))
                .collect::<Result<_, ToolError>>()?,
        ),
        plain => plain.clone(),
    })
}

/// Whether a condition holds. A value that is not there holds for nothing but `ne`.
pub(crate) fn holds(
    condition: &Condition,
    look_up: &dyn Fn(&NodeId) -> Option<std::sync::Arc<NodeOutput>>,
    primary: &dyn Fn(&NodeId) -> String,
) -> bool {
    let value = match follow(&condition.reference, look_up, primary) {
        Ok(Resolved::Value(value)) => value,
        Ok(Resolved::Absent) | Err(_) => Value::Null,
    };
    let order = compare(&value, &condition.value);
    match condition.op {
        Comparison::Exists => !value.is_null(),
        Comparison::Eq => order == Some(Ordering::Equal),
        Comparison::Ne => order != Some(Ordering::Equal),
        Comparison::Lt => order == Some(Ordering::Less),
        Comparison::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Comparison::Gt => order == Some(Ordering::Greater),
        Comparison::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

fn compare(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64()?.partial_cmp(&b.as_f64()?),
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (a, b) if a == b => Some(Ordering::Equal),
        _ => None,
    }
}
