//! From the text of a model to a graph: read, validate, compile, show. Nothing runs yet.
//!
//! 1. `read_plan` finds the plan in a text, mends its form (fences, comments, stray commas) and says what it mended.
//!    It never invents a key or a value.
//! 2. `validate` checks the plan against a [`Registry`]: names, arguments, references, kinds. It gives *all* that is
//!    wrong, each with a place, a code and a hint, so that a model can repair its plan in one turn.
//! 3. `compile` levels the steps of each track into layers. What does not need one another shares a layer.
//!
//! Run it with `cargo run --example 01_compile_a_plan`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use leg::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

/// Gives water levels of a station. Example 04 explains how a tool is written.
#[derive(Debug)]
struct Levels;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Station {
    /// The name of the station.
    station: String,
}

#[async_trait]
impl TypedTool for Levels {
    const NAME: &'static str = "water_levels";
    type Arguments = Station;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("gauge", "Water levels of a station.", Port::of(Kind::Table))
    }

    async fn run(&self, arguments: Station, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let table = Artifact::document(Kind::Table, "levels", json!({ "station": arguments.station }));
        Ok(ToolOutput::of(table))
    }
}

/// Compares two tables. The ports say what kind of artifact an argument takes.
#[derive(Debug)]
struct Compare;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Pair {
    /// The first table.
    #[schemars(extend("x-leg-port" = {"kind": "table"}))]
    a: Value,
    /// The second table.
    #[schemars(extend("x-leg-port" = {"kind": "table"}))]
    b: Value,
}

#[async_trait]
impl TypedTool for Compare {
    const NAME: &'static str = "compare";
    type Arguments = Pair;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("gauge", "Compares two tables.", Port::of(Kind::Text))
    }

    async fn run(&self, pair: Pair, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::of(Artifact::document(Kind::Text, "comparison", json!(pair.a == pair.b))))
    }
}

/// What a model might write: prose, a fence, a comment and a comma too many.
const ANSWER: &str = r#"I will look at the two coasts on their own:
```json
{
  "version": 1,
  "question": "Where was the water higher?",
  "tracks": [
    {"id": "gulf", "goal": "levels in the Gulf", "steps": [
      {"id": "pensacola", "tool": "water_levels", "args": {"station": "Pensacola"}},
      {"id": "galveston", "tool": "water_levels", "args": {"station": "Galveston"}},
      {"id": "both", "tool": "compare", "args": {"a": {"$ref": "pensacola"}, "b": {"$ref": "galveston"}}}, // waits
    ]},
    {"id": "atlantic", "goal": "levels at the Atlantic", "steps": [
      {"id": "battery", "tool": "water_levels", "args": {"station": "The Battery"}}
    ]}
  ]
}
```"#;

/// Three mistakes; all of them are named at once.
const BROKEN: &str = r#"{"version": 1, "question": "Where?", "tracks": [{"id": "gulf", "steps": [
  {"id": "one", "tool": "water_level", "args": {"station": "Pensacola"}},
  {"id": "two", "tool": "water_levels", "args": {"statoin": "Galveston"}},
  {"id": "three", "tool": "compare", "args": {"a": {"$ref": "two"}, "b": {"$ref": "tow"}}}]}]}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(Levels))?.add_tool(Arc::new(Compare))?;

    let (plan, repairs) = read_plan(ANSWER).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    println!("== mended in the text");
    for repair in &repairs {
        println!("{repair}");
    }

    let valid = validate(plan, &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let graph = compile(&valid, &registry)?;
    println!("\n== the graph\n{}", graph.display().tree());
    println!("== as Mermaid\n{}", graph.display().mermaid());

    let cost = graph.cost();
    println!("== its cost");
    println!("{} nodes in {} layers, {} one after the other", cost.nodes, cost.layers, cost.critical_path);
    println!("at least {} calls, at most {:?}", cost.calls_at_least, cost.calls_at_most);
    println!("hosts: {:?}", cost.hosts);

    println!("\n== a broken plan");
    let (broken, _) = read_plan(BROKEN).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    for diagnostic in validate(broken, &registry).err().into_iter().flatten() {
        println!("{} {diagnostic}", diagnostic.code.as_str());
    }
    Ok(())
}
