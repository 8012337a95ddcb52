//! The published JSON Schema of a plan.

use serde_json::{Value, json};

use super::parse::{COMPARISONS, DEFAULT_MAX, METERS};
use super::validate::{MAX_ITEMS, MAX_RETRIES};
use super::{MAX_NODES, MAX_TRACKS, PLAN_VERSION};
use crate::Registry;

/// The JSON Schema (2020-12) of a plan; with a registry, the names of tools and agents are those of the registry.
///
/// It says what [`parse`](super::parse()) accepts, and the limits that [`validate`](super::validate()) checks; what a
/// schema cannot say, such as references that fit, is left to the validation.
///
/// ```
/// let schema = leg_core::plan::plan_schema(None);
/// assert_eq!(schema["properties"]["version"]["const"], 1);
/// ```
pub fn plan_schema(registry: Option<&Registry>) -> Value {
    let tools = registry.map(|registry| registry.tools().map(|tool| tool.spec.name.to_string()).collect());
    let agents = registry.map(|registry| registry.agents().map(|agent| agent.spec.id.to_string()).collect());
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Plan",
        "description": "A question and the independent tracks that answer it.",
        "type": "object",
        "properties": {
            "version": {"const": PLAN_VERSION},
            "question": {"type": "string"},
            "tracks": {"type": "array", "items": {"$ref": "#/$defs/track"}, "minItems": 1, "maxItems": MAX_TRACKS}
        },
        "required": ["version", "question", "tracks"],
        "additionalProperties": false,
        "$defs": {
            "id": {"type": "string", "pattern": "^[a-z][a-z0-9_]*$", "maxLength": 64,
                "description": "Unique in the plan."},
            "reference": {
                "description": "`step` for its primary output, `step#/outputs/NAME`, `step#/evidence/NAME/value`.",
                "type": "object", "properties": {"$ref": {"type": "string", "minLength": 1}},
                "required": ["$ref"], "additionalProperties": false},
            "track": track(),
            "step": step(&named(tools, "^[A-Za-z0-9_-]{1,64}$")),
            "layer": {
                "description": "Agents that work side by side.",
                "type": "object",
                "properties": {
                    "nodes": {"type": "array", "items": {"$ref": "#/$defs/node"}, "minItems": 1, "maxItems": MAX_NODES},
                    "policy": {"enum": ["settle", "fail_fast"], "default": "settle"}},
                "required": ["nodes"], "additionalProperties": false},
            "node": node(&named(agents, "^[a-z][a-z0-9_]*$")),
            "for_each": for_each(),
            "when": when(),
            "timeout_s": {"type": "number", "exclusiveMinimum": 0},
            "retries": {"type": "integer", "minimum": 0, "maximum": MAX_RETRIES},
            "budget": {
                "description": "What the node may spend. What is absent has no limit; 0 is nothing.",
                "type": "object",
                "propertyNames": {"enum": METERS},
                "additionalProperties": {"type": "number", "minimum": 0}}
        }
    })
}

/// Names of the registry, or the pattern of a name.
fn named(names: Option<Vec<String>>, pattern: &str) -> Value {
    match names {
        // An empty enumeration is no schema for some readers; without names nothing is allowed.
        Some(names) if names.is_empty() => json!(false),
        Some(names) => json!({"enum": names}),
        None => json!({"type": "string", "pattern": pattern}),
    }
}

fn track() -> Value {
    json!({
        "description": "An independent line of work: tool calls as `steps`, or agents as `layers`.",
        "type": "object",
        "properties": {
            "id": {"$ref": "#/$defs/id"},
            "goal": {"type": "string"},
            "barriers": {"enum": ["strict", "dataflow"], "default": "strict"},
            "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1, "maxItems": MAX_NODES},
            "layers": {"type": "array", "items": {"$ref": "#/$defs/layer"}, "minItems": 1, "maxItems": MAX_NODES},
            "result": {"$ref": "#/$defs/reference"}},
        "required": ["id"],
        "oneOf": [{"required": ["steps"]}, {"required": ["layers"]}],
        "additionalProperties": false
    })
}

fn step(tool: &Value) -> Value {
    json!({
        "description": "A tool call. A value in `args` may be a reference, or `{\"$item\": \"/pointer\"}` in a fan-out.",
        "type": "object",
        "properties": {
            "id": {"$ref": "#/$defs/id"},
            "tool": tool,
            "args": {"type": "object", "default": {}},
            "for_each": {"$ref": "#/$defs/for_each"},
            "when": {"$ref": "#/$defs/when"},
            "timeout_s": {"$ref": "#/$defs/timeout_s"},
            "retries": {"$ref": "#/$defs/retries"},
            "budget": {"$ref": "#/$defs/budget"}},
        "required": ["id", "tool"],
        "additionalProperties": false
    })
}

fn node(agent: &Value) -> Value {
    json!({
        "description": "An agent and its task.",
        "type": "object",
        "properties": {
            "id": {"$ref": "#/$defs/id"},
            "agent": agent,
            "task": {"type": "string"},
            "when": {"$ref": "#/$defs/when"},
            "timeout_s": {"$ref": "#/$defs/timeout_s"},
            "retries": {"$ref": "#/$defs/retries"},
            "budget": {"$ref": "#/$defs/budget"}},
        "required": ["id", "agent", "task"],
        "additionalProperties": false
    })
}

fn for_each() -> Value {
    json!({
        "description": "Runs the step once for each item.",
        "type": "object",
        "properties": {
            "items": {"anyOf": [
                {"type": "array", "minItems": 1, "maxItems": MAX_ITEMS}, {"$ref": "#/$defs/reference"}]},
            "as": {"type": "string"},
            "max": {"type": "integer", "minimum": 1, "maximum": MAX_ITEMS, "default": DEFAULT_MAX},
            "join": {"enum": ["list", "concat", "table"], "default": "list"}},
        "required": ["items", "as"],
        "additionalProperties": false
    })
}

fn when() -> Value {
    let with_value: Vec<&str> =
        COMPARISONS.iter().map(|(name, _)| *name).filter(|name| *name != "exists").collect();
    let reference =
        json!({"type": "string", "description": "`step#/evidence/NAME/value` or `step#/status`."});
    json!({
        "description": "The node runs only if this holds; else it is skipped.",
        "oneOf": [
            {"type": "object",
             "properties": {"ref": reference, "op": {"enum": with_value},
                "value": {"type": ["number", "string", "boolean", "null"]}},
             "required": ["ref", "op", "value"], "additionalProperties": false},
            {"type": "object", "properties": {"ref": reference, "op": {"const": "exists"}},
             "required": ["ref", "op"], "additionalProperties": false}]
    })
}
