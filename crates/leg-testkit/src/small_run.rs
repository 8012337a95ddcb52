//! A small plan, its graph, and a run of it in a folder: for examples, and for tests that look at a finished run.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::RunFolder;
use leg_core::plan::{parse, validate};
use leg_core::run::{Engine, Proposal, Recording, Run, RunOptions, RunOutcome};
use leg_core::{Approval, FolderObjects, LayeredGraph, Plan, Registry, RunId, compile};
use serde_json::json;

use crate::fake_registry;

/// A plan over [`fake_registry`] with the track `coast`: `sst` loads a series of two values, 18.5 and 19.5 degC, `mean`
/// takes its mean.
///
/// # Panics
/// When it is no plan, which is a fault of this crate.
pub fn small_plan() -> Plan {
    let plan = json!({"version": 1, "question": "How warm was the water?", "tracks": [
        {"id": "coast", "goal": "temperature", "steps": [
            {"id": "sst", "tool": "load", "args": {"values": [18.5, 19.5]}},
            {"id": "mean", "tool": "mean", "args": {"data": {"$ref": "sst"}}}]}]});
    parse(&plan).unwrap()
}

/// [`small_plan`], compiled, with the registry.
///
/// # Panics
/// When it does not compile, which is a fault of this crate.
pub fn small_graph() -> (Arc<LayeredGraph>, Arc<Registry>) {
    let registry = fake_registry().unwrap();
    let graph = compile(&validate(small_plan(), &registry).unwrap(), &registry).unwrap();
    (Arc::new(graph), Arc::new(registry))
}

/// Runs [`small_plan`] into the folder `small` of `runs`.
///
/// # Panics
/// When the folder cannot be written, or holds the run already.
pub async fn small_run(runs: &Path) -> (RunOutcome, RunFolder) {
    let (graph, registry) = small_graph();
    let approval = Approval::new(&graph, "test", "2026-01-01T00:00:00Z");
    let engine = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    let mut options = RunOptions::new(RunId::new("small").unwrap());
    options.proposal = Some(Proposal { plan: small_plan(), by: "test".into(), repairs: Vec::new() });
    let folder = RunFolder::new(runs, &options.id);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    (run.finish().await, folder)
}
