//! Proves a run: its ledger is verified, damage is found, a number is traced, and the run is replayed.
//!
//! A run folder holds `ledger.jsonl` (every record follows from the one before by hash), the report and a manifest.
//! Two roots stand for it: the *log root* is over the lines as they were written, with their times; the *content
//! root* is over what was asked and answered alone, so that two runs with the same answers have the same one.
//!
//! - [`verify`] recomputes all of it from the files; faults come as values, each with its place and kind.
//! - [`trace`] goes from a number back to the call that gave it, and to the calls that gave its inputs.
//! - [`replay`] compiles the recorded plan again and runs it with the recorded answers. No tool is called: here the
//!   replay gets tools that count, and the count stays at zero.
//!
//! Run it with `cargo run --example 03_verify_and_replay`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use leg::core::ledger::{LEDGER, RunFolder, trace, verify};
use leg::core::replay::replay;
use leg::core::routing::Router;
use leg::core::run::Proposal;
use leg::core::{Clock as _, FolderObjects, RegistryError, SystemClock, clock};
use leg::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

/// Adds a number to that of an earlier step, and counts its calls.
#[derive(Debug, Default)]
struct Add {
    calls: Arc<AtomicUsize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What is added.
    number: i64,
    /// The result of an earlier step.
    #[schemars(extend("x-leg-port" = {"kind": "scalar"}))]
    to: Option<ArtifactArgument>,
}

#[async_trait]
impl TypedTool for Add {
    const NAME: &'static str = "add";
    type Arguments = Arguments;

    fn describe(&self) -> ToolSpec {
        ToolSpec::new("numbers", "Adds two numbers.", Port::of(Kind::Scalar)).evidence(&["sum"])
    }

    async fn run(&self, arguments: Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        let earlier = arguments.to.map(|input| input.read(context)).transpose()?;
        let earlier = earlier.and_then(|artifact| artifact.content.get("sum")?.as_i64()).unwrap_or(0);
        let sum = earlier + arguments.number;
        let evidence = EvidenceDraft::new("sum", sum, "1", "sum").pointer("/content/sum");
        let artifact = Artifact::document(Kind::Scalar, "sum", json!({ "sum": sum }));
        Ok(ToolOutput::of(artifact).with_evidence([evidence]))
    }
}

/// A registry with the tool, and the count of its calls.
fn world() -> Result<(Arc<Registry>, Arc<AtomicUsize>), RegistryError> {
    let tool = Add::default();
    let calls = Arc::clone(&tool.calls);
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(tool))?;
    Ok((Arc::new(registry), calls))
}

const PLAN: &str = r#"{"version": 1, "question": "What is the sum?", "tracks": [{"id": "sum", "steps": [
  {"id": "one", "tool": "add", "args": {"number": 17}},
  {"id": "two", "tool": "add", "args": {"number": 25, "to": {"$ref": "one"}}}]}]}"#;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let runs = tempfile::tempdir()?;
    let (registry, calls) = world()?;
    let (plan, _) = read_plan(PLAN).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let valid = validate(plan.clone(), &registry).map_err(|diagnostics| format!("{diagnostics:?}"))?;
    let graph = Arc::new(compile(&valid, &registry)?);
    let at = clock::iso(SystemClock.now_nanos());
    let approval = Approval::new(&graph, "example", at);
    let mut options = RunOptions::new(RunId::new("sum")?);
    // A replay compiles the plan as it was proposed.
    options.proposal = Some(Proposal { plan, by: "example".into(), repairs: Vec::new() });
    let folder = RunFolder::new(runs.path(), &options.id);
    let engine =
        Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options)?;
    let outcome = run.finish().await;
    println!("== the run\nstatus {}, {} calls", outcome.status, calls.load(Ordering::Relaxed));

    let found = verify(&folder, Some(&outcome.content_root))?;
    println!("\n== verified\nwhole: {}, faults: {}", found.ok, found.faults.len());

    // A copy beside the run, so that it finds the same objects.
    let copy = runs.path().join("copy");
    fs::create_dir(&copy)?;
    for name in folder.files()? {
        fs::write(copy.join(&name), folder.read(&name)?)?;
    }
    let mut bytes = folder.read(LEDGER)?;
    let third = bytes.split_inclusive(|byte| *byte == b'\n').take(2).map(<[u8]>::len).sum::<usize>();
    if let Some(byte) = bytes.get_mut(third + 20) {
        *byte ^= 1;
    }
    fs::write(copy.join(LEDGER), bytes)?;
    let found = verify(&RunFolder::open(&copy)?, None)?;
    println!("\n== one bit of line 3 flipped\nwhole: {}", found.ok);
    let kinds: BTreeSet<String> =
        found.faults.iter().map(|fault| format!("{}: {:?}", fault.place, fault.kind)).collect();
    println!("{}", kinds.into_iter().collect::<Vec<_>>().join("\n"));

    println!("\n== where `two.sum` comes from");
    let way = trace(&folder, "two.sum")?;
    println!("{} = {}, stored as {}", way.evidence.key, way.evidence.value, way.stored.unwrap_or_default());
    for call in &way.calls {
        println!("node `{}` called `{}` with number {}", call.node, call.tool, call.args["number"]);
    }

    let (others, calls) = world()?;
    let again = replay(&folder, others, &Router::default(), Roles::default(), 4).await?;
    println!("\n== replayed\nevery record again: {}", again.ok);
    println!("same content root: {}", again.content_root == Some(outcome.content_root));
    println!("tools called: {}", calls.load(Ordering::Relaxed));
    Ok(())
}
