//! A registry of small tools and agents with the schemas that real ones have.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Desk, Kind, Port, Registry, Tool, ToolContext,
    ToolError, ToolName, ToolOutput, ToolSpec,
};
use serde_json::{Value, json};

#[derive(Debug)]
struct Fake(ToolSpec);

#[async_trait]
impl Tool for Fake {
    fn spec(&self) -> ToolSpec {
        self.0.clone()
    }

    async fn call(&self, _: Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Err(ToolError::no_data("a fake has no data"))
    }
}

#[derive(Debug)]
struct FakeAgent(&'static str);

#[async_trait]
impl Agent for FakeAgent {
    fn spec(&self) -> AgentSpec {
        AgentSpec::specialist(AgentId::new(self.0).unwrap(), "a fake")
    }

    async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        Err(ToolError::no_data("a fake has no data"))
    }
}

fn pair() -> Value {
    json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
}

fn region() -> Value {
    json!({"description": "Where.", "anyOf": [
        {"type": "object", "properties": {"lon": pair(), "lat": pair()}, "required": ["lon", "lat"], "additionalProperties": false},
        {"type": "object", "properties": {"point": pair()}, "required": ["point"], "additionalProperties": false},
        {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"], "additionalProperties": false},
        {"type": "null"}]})
}

fn depth() -> Value {
    json!({"anyOf": [
        {"type": "string", "enum": ["surface", "bottom", "mixed_layer", "column"]},
        {"type": "object", "properties": {"at": {"type": "number"}}, "required": ["at"], "additionalProperties": false},
        {"type": "object", "properties": {"range": pair()}, "required": ["range"], "additionalProperties": false},
        {"type": "null"}]})
}

fn arguments(required: &[&str], properties: &Value) -> Value {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn port(kind: &str, unit: &str) -> Value {
    json!({"type": "object", "x-leg-port": {"kind": kind, "unit": unit}})
}

fn tool(name: &str, arguments: Value, output: Port) -> ToolSpec {
    let mut spec = ToolSpec::new("fake", "a fake", output);
    spec.name = ToolName::new(name).unwrap();
    spec.arguments = arguments;
    spec
}

/// The registry.
pub(crate) fn registry() -> Registry {
    let selection = json!({"type": "object", "properties": {
        "region": region(), "depth": depth(),
        "time": {"type": "array", "items": {"type": "string", "format": "date"}, "minItems": 2, "maxItems": 2}},
        "additionalProperties": false});
    let tools = [
        tool(
            "load_dataset",
            arguments(
                &["variable"],
                &json!({"variable": {"type": "string"}, "region": region(), "depth": depth(),
                    "time": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2},
                    "season": {"type": ["string", "null"]}, "selection": selection}),
            ),
            Port::of(Kind::Field),
        ),
        tool(
            "compute_area_weighted_mean",
            arguments(
                &["data"],
                &json!({"data": port("field", "any"), "weights": {"type": ["string", "null"]}}),
            ),
            Port::of(Kind::Series).unit("=data"),
        )
        .evidence(&["max", "min", "mean", "n"]),
        tool("get_currents", arguments(&[], &json!({})), Port::of(Kind::Field).unit("m s-1"))
            .output("u", Port::of(Kind::Field).unit("m s-1"))
            .output("names", Port::of(Kind::Table)),
        tool(
            "compute_heat",
            arguments(
                &["data"],
                &json!({"data": port("field", "degC"), "depth": {"type": "object", "x-leg-port": {"kind": "scalar"}},
                    "scaled": port("field", "data m-1")}),
            ),
            Port::of(Kind::Map).unit("J m-2"),
        ),
        tool(
            "plot",
            arguments(
                &["data"],
                &json!({"data": {"type": "object", "x-leg-port": {"kind": "series", "or": ["map"]}},
                    "others": {"type": "array", "items": port("series", "any")},
                    "title": {"type": "string"}, "width": {"type": "integer", "minimum": 1, "maximum": 4000},
                    "levels": {"type": "array", "items": {"type": "number"}},
                    "grid": {"type": "boolean"}, "threshold": {"type": "number"},
                    "years": {"type": "array", "items": {"type": "string"}},
                    "year": {"type": "string", "x-leg-format": "date"},
                    "style": {"type": "string", "enum": ["line", "bars"]}}),
            ),
            Port::of(Kind::Figure),
        ),
    ];
    let mut registry = Registry::default();
    for tool in tools {
        registry.add_tool(Arc::new(Fake(tool))).unwrap();
    }
    for agent in ["nhc", "coops", "usgs"] {
        registry.add_agent(Arc::new(FakeAgent(agent))).unwrap();
    }
    registry
}
