//! Runs plans of the small world of `leg-testkit`.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of it")]

use std::sync::Arc;

use leg_core::ledger::{MemoryLedger, RunFolder};
use leg_core::plan::parse;
use leg_core::run::{Engine, LocalExecutor, Proposal, Recording, Roles, Run, RunOptions, RunOutcome};
use leg_core::{Approval, FolderObjects, LayeredGraph, Plan, Registry, RunId, Tool as _, compile};
use leg_testkit::{FakeTool, fake_agents, fake_tools};
use serde_json::Value;

/// The small world with some of its tools replaced or added.
pub fn registry(own: Vec<FakeTool>) -> Arc<Registry> {
    let mut registry = Registry::default();
    let names: Vec<_> = own.iter().map(|tool| tool.spec().name).collect();
    let others = fake_tools().into_iter().filter(|tool| !names.contains(&tool.spec().name));
    for tool in others.chain(own) {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    for agent in fake_agents() {
        registry.add_agent(Arc::new(agent)).unwrap();
    }
    Arc::new(registry)
}

#[expect(clippy::needless_pass_by_value, reason = "plans are written where they are used")]
pub fn plan(json: Value) -> Plan {
    parse(&json).unwrap()
}

pub fn graph(plan: &Plan, registry: &Registry) -> Arc<LayeredGraph> {
    let valid = leg_core::plan::validate(plan.clone(), registry).unwrap();
    Arc::new(compile(&valid, registry).unwrap())
}

pub fn approval(graph: &LayeredGraph) -> Approval {
    Approval::new(graph, "test", "2026-01-01T00:00:00Z")
}

pub fn options(plan: &Plan, concurrency: usize) -> RunOptions {
    let mut options = RunOptions::new(RunId::new("test").unwrap());
    options.concurrency = concurrency;
    options.proposal = Some(Proposal { plan: plan.clone(), by: "test".into(), repairs: Vec::new() });
    options
}

/// Starts a plan with a ledger in memory.
pub fn start(plan: &Plan, registry: &Arc<Registry>, options: RunOptions) -> (Run, MemoryLedger) {
    let graph = graph(plan, registry);
    let engine = Engine::new(Arc::clone(registry));
    let ledger = MemoryLedger::default();
    let approval = approval(&graph);
    (Run::start(graph, &approval, &engine, Recording::Memory(ledger.clone()), options).unwrap(), ledger)
}

pub async fn run(plan: &Plan, registry: &Arc<Registry>, concurrency: usize) -> (RunOutcome, MemoryLedger) {
    let (run, ledger) = start(plan, registry, options(plan, concurrency));
    (run.finish().await, ledger)
}

/// Runs a plan in a folder below `runs`.
pub async fn run_in(
    runs: &std::path::Path,
    plan: &Plan,
    registry: &Arc<Registry>,
) -> (RunOutcome, RunFolder) {
    let graph = graph(plan, registry);
    let engine = Engine::new(Arc::clone(registry))
        .with_objects(Arc::new(FolderObjects::new(runs.join("objects"))))
        .with_executor(Arc::new(LocalExecutor::new(Roles::default())));
    let options = options(plan, 8);
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    (run.finish().await, folder)
}
