//! Writes a tool: typed arguments, a port, an artifact, evidence. Then a plan uses it.
//!
//! - The *arguments* are a struct. Its doc comments and types become the JSON Schema that models read and that every
//!   plan is checked against, so there is one definition.
//! - A *port* on an argument says what kind of artifact it takes. In a plan the argument is a reference such as
//!   `{"$ref": "tide"}`; the tool is given `{"$artifact": "b3:…"}`, an [`ArtifactArgument`], and reads it.
//! - The *artifact* is the full result. It is stored under its digest.
//! - *Evidence* are the few numbers of it that a report may state. Each points to its place in the artifact.
//!   A report's claims cite it and are checked against it.
//!
//! Run it with `cargo run --example 04_write_a_tool`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use leg::core::artifact::{Coord, Variable};
use leg::core::{Clock as _, SystemClock, clock};
use leg::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// A series of levels, from the plan itself.
#[derive(Debug)]
struct Series;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeriesArguments {
    /// Levels in metres, one an hour.
    #[schemars(length(min = 1))]
    levels: Vec<f64>,
}

#[async_trait]
impl TypedTool for Series {
    const NAME: &'static str = "series";
    type Arguments = SeriesArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("tide", "Hourly levels.", Port::of(Kind::Series).dims(&["time"]).unit("m"))
    }

    async fn run(&self, arguments: SeriesArguments, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        let hours = (0..arguments.levels.len()).map(|hour| format!("2026-01-01T{hour:02}:00:00Z"));
        let coord = Coord::texts(hours);
        let variable = Variable {
            name: "level".into(),
            standard_name: None,
            units: "m".into(),
            dims: vec!["time".into()],
            shape: vec![arguments.levels.len()],
            values: arguments.levels,
        };
        Ok(ToolOutput::of(Artifact::array(Kind::Series, "level", variable).with_coord("time", coord)))
    }
}

/// The difference between the highest and the lowest level.
#[derive(Debug)]
struct TidalRange;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TidalRangeArguments {
    /// The levels.
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "m"}))]
    data: ArtifactArgument,
}

#[async_trait]
impl TypedTool for TidalRange {
    const NAME: &'static str = "tidal_range";
    type Arguments = TidalRangeArguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("tide", "Highest minus lowest level.", Port::of(Kind::Statistic).unit("=data"))
            .description(
                "Range of a series. Missing values are left out; a series without values is an error.",
            )
            .evidence(&["range", "highest"])
    }

    async fn run(
        &self,
        arguments: TidalRangeArguments,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let series = arguments.data.read(context)?;
        let level =
            series.primary().ok_or_else(|| ToolError::invalid("`data` has no array; give a series"))?;
        let present = level.values.iter().copied().filter(|value| value.is_finite());
        let (lowest, highest) = present
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        let range = highest - lowest;
        if !range.is_finite() {
            return Err(ToolError::no_data("every level is missing; choose another period"));
        }
        let unit = series.units();
        let content = json!({ "range": range, "highest": highest, "unit": unit });
        let evidence = [
            EvidenceDraft::new("range", range, unit, "highest minus lowest").pointer("/content/range"),
            EvidenceDraft::new("highest", highest, unit, "highest level").pointer("/content/highest"),
        ];
        let artifact = Artifact::document(Kind::Statistic, "tidal range", content);
        Ok(ToolOutput::of(artifact).with_evidence(evidence))
    }
}

const PLAN: &str = r#"{"version": 1, "question": "How large is the tide?", "tracks": [{"id": "tide", "steps": [
  {"id": "levels", "tool": "series", "args": {"levels": [0.25, 1.5, 2.75, 1.25, 0.5]}},
  {"id": "range", "tool": "tidal_range", "args": {"data": {"$ref": "levels"}}}]}]}"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(Series))?.add_tool(Arc::new(TidalRange))?;
    if let Some(tool) = registry.tool(TidalRange::NAME) {
        println!("== what a model is told\n{}: {}", tool.spec.name, tool.spec.summary);
        println!("{}", serde_json::to_string_pretty(&tool.spec.arguments)?);
    }
    let registry = Arc::new(registry);

    let (plan, _) = read_plan(PLAN).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let valid = validate(plan, &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let graph = Arc::new(compile(&valid, &registry)?);
    let at = clock::iso(SystemClock.now_nanos());
    let approval = Approval::new(&graph, "example", at);
    let options = RunOptions::new(RunId::new("tide")?);
    let run = Run::start(graph, &approval, &Engine::new(registry), Recording::Off, options)?;
    let outcome = run.finish().await;

    println!("\n== the claims of the report");
    for claim in outcome.report.claims() {
        println!("{} {:?} {:?}", claim.text, claim.evidence, claim.verdict);
    }
    println!("every number is backed: {}", outcome.is_good());
    Ok(())
}
