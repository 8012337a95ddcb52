//! What every [`NodeExecutor`] must do.

#![expect(clippy::panic, reason = "a suite says by panicking what does not hold")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use leg_core::ledger::{Entry, EntryKind, MemoryLedger, read};
use leg_core::plan::{parse, validate};
use leg_core::run::{
    Change, Engine, LocalExecutor, NodeEnd, NodeExecutor, Recording, Run, RunOptions, RunOutcome,
};
use leg_core::{
    Agent, Approval, Digest, Effect, MemoryObjects, ObjectStore, Registry, RunId, Status, Tool,
    ToolErrorKind, compile,
};
use serde_json::{Value, json};

use crate::told_world::told_tool;
use crate::{Deed, FakeAgent, FakeTool, ToldAgent, TrailTool, fake_agents, fake_tools};

/// An executor with what it works on.
#[derive(Debug, Clone)]
pub struct ExecutorCase {
    /// The executor.
    pub executor: Arc<dyn NodeExecutor>,
    /// The objects that its work goes to.
    pub objects: Arc<dyn ObjectStore>,
    /// The file that [`executor_registry`] was made with, on both sides.
    pub trail: PathBuf,
}

/// The tools and agents that the suite runs: [`fake_tools`] and [`fake_agents`], tools that fail, panic, wait and leave
/// a trail, tools that crash and hang (which only a process survives), and the agents `walker`, who leaves a trail of
/// four calls, `unlucky`, whose second of three calls crashes once, and `burglar`, who calls a tool that is not on its
/// list; the parts of [`told_world`](crate::told_world). A worker serves the same.
///
/// # Panics
/// When one of them cannot be registered, which is a fault of this crate.
pub fn executor_registry(trail: &Path) -> Registry {
    let step = |n: i64| json!({"who": "walker", "n": n, "pause_ms": 5});
    let walker = (0..4).fold(agent("walker"), |agent, n| agent.calling("leave", step(n)));
    let own: Vec<Arc<dyn Tool>> = vec![
        Arc::new(FakeTool::echo("fails").failing(usize::MAX, ToolErrorKind::NoData)),
        Arc::new(FakeTool::echo("panics").panicking()),
        Arc::new(TrailTool::new("leave", trail, Deed::Answer)),
        Arc::new(TrailTool::new("change", trail, Deed::Answer).effect(Effect::Write)),
        Arc::new(TrailTool::new("crash", trail, Deed::Abort)),
        Arc::new(TrailTool::new("crash_once", trail, Deed::AbortOnce)),
        Arc::new(TrailTool::new("crash_once_writing", trail, Deed::AbortOnce).effect(Effect::Write)),
        Arc::new(TrailTool::new("spin", trail, Deed::Spin)),
        Arc::new(TrailTool::new("print", trail, Deed::Print)),
        Arc::new(told_tool()),
    ];
    let unlucky =
        agent("unlucky").calling("leave", step(0)).calling("crash_once", step(1)).calling("leave", step(2));
    let tools = fake_tools().into_iter().map(|tool| Arc::new(tool) as Arc<dyn Tool>).chain(own);
    let burglar = agent("burglar").calling("echo", json!({"n": 1})).calling_unlisted("publish", json!({}));
    let mut registry = Registry::default();
    for tool in tools {
        let added = registry.add_tool(tool).map(|_| ());
        added.unwrap_or_else(|error| panic!("{error}"));
    }
    let told = ToldAgent::new("told", &["told"]).unwrap_or_else(|error| panic!("{error}"));
    let fakes = fake_agents().into_iter().chain([walker, unlucky, burglar]);
    let agents =
        fakes.map(|agent| Arc::new(agent) as Arc<dyn Agent>).chain([Arc::new(told) as Arc<dyn Agent>]);
    for agent in agents {
        let added = registry.add_agent(agent).map(|_| ());
        added.unwrap_or_else(|error| panic!("{error}"));
    }
    registry
}

fn agent(id: &str) -> FakeAgent {
    FakeAgent::new(id).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks an executor against the local one: the same content root and the same records for tools, agents, folds and
/// reports, for what fails, panics and is refused; time limits and the stop signal hold; progress is heard.
///
/// # Panics
/// When the executor does not do what the port promises.
pub async fn node_executor(case: &ExecutorCase) {
    let local = ExecutorCase {
        executor: Arc::new(LocalExecutor::default()),
        objects: Arc::new(MemoryObjects::default()),
        trail: case.trail.clone(),
    };
    for (name, plan) in plans() {
        let (expected, expected_records) = run(&local, &plan).await;
        let (found, records) = run(case, &plan).await;
        assert_eq!(found.status, expected.status, "plan `{name}` ends as in the local executor");
        assert_eq!(
            statuses(&found),
            statuses(&expected),
            "nodes of plan `{name}` end as in the local executor"
        );
        assert_eq!(
            cores(&records),
            cores(&expected_records),
            "plan `{name}` leaves the records of the local one"
        );
        assert_eq!(
            found.content_root, expected.content_root,
            "plan `{name}` has the content root of the local one"
        );
        let (evidence, other) = (&found.report.evidence, &expected.report.evidence);
        assert_eq!(evidence, other, "plan `{name}` gives the evidence of the local executor");
        for artifact in found.nodes.iter().flat_map(|node| node.output.outputs.values()) {
            assert!(
                case.objects.get(&artifact.digest).is_ok(),
                "artifacts of plan `{name}` are in the run's store"
            );
        }
    }
    without_a_ledger_the_nodes_end_the_same_too(&local, case).await;
    a_slow_node_times_out(case).await;
    a_stopped_run_ends(case).await;
}

fn one_track(steps: &Value) -> Value {
    json!({"version": 1, "question": "How warm was it?", "tracks": [{"id": "t", "steps": steps}]})
}

fn plans() -> Vec<(&'static str, Value)> {
    let wide: Vec<Value> = (0..20)
        .map(|n| json!({"id": format!("n{n}"), "tool": "leave", "args": {"who": "wide", "n": n}}))
        .collect();
    vec![
        (
            "steps",
            one_track(&json!([
                {"id": "a", "tool": "load", "args": {"values": [0.1, -2.5, 1e21]}},
                {"id": "b", "tool": "load", "args": {"values": [1, 2, 3], "offset": 0.2}},
                {"id": "sum", "tool": "add", "args": {"a": {"$ref": "a"}, "b": {"$ref": "b"}}},
                {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sum"}}},
                {"id": "pic", "tool": "draw", "args": {"data": {"$ref": "sum"}}},
                {"id": "w", "tool": "publish", "args": {"text": "x".repeat(2000)}}])),
        ),
        (
            "agents and folds",
            json!({"version": 1, "question": "How high was it?", "tracks": [
                {"id": "seen", "layers": [
                    {"nodes": [{"id": "track", "agent": "tracker", "task": "the \"track\"\n of 2022"}]},
                    {"nodes": [{"id": "gauges", "agent": "gauge", "task": "levels"},
                               {"id": "marks", "agent": "marks", "task": "marks"},
                               {"id": "walk", "agent": "walker", "task": "walk"}]},
                    {"nodes": [{"id": "map", "agent": "mapper", "task": "a map"}]}]},
                {"id": "expected", "layers": [{"nodes": [{"id": "f", "agent": "forecaster", "task": "wind"}]}]}]}),
        ),
        (
            "what goes wrong",
            json!({"version": 1, "question": "?", "tracks": [
                {"id": "a", "steps": [
                    {"id": "none", "tool": "fails", "args": {}},
                    {"id": "broken", "tool": "panics", "args": {}},
                    {"id": "after", "tool": "echo", "args": {"x": {"$ref": "none"}}},
                    {"id": "fine", "tool": "echo", "args": {"k": 1}}]},
                {"id": "b", "layers": [{"nodes": [{"id": "thief", "agent": "burglar", "task": "all"}]}]}]}),
        ),
        (
            "what comes back",
            one_track(&json!([
                {"id": "again", "tool": "told", "args": {"v": 1, "flaky": 1}},
                {"id": "never", "tool": "told", "args": {"v": 2, "flaky": 9}}])),
        ),
        ("a wide layer", one_track(&json!(wide))),
    ]
}

fn start(case: &ExecutorCase, plan: &Value, recording: Recording) -> Run {
    let registry = Arc::new(executor_registry(&case.trail));
    let plan = parse(plan).unwrap_or_else(|faults| panic!("{faults:?}"));
    let valid = validate(plan, &registry).unwrap_or_else(|faults| panic!("{faults:?}"));
    let graph = Arc::new(compile(&valid, &registry).unwrap_or_else(|error| panic!("{error}")));
    let engine = Engine::new(registry)
        .with_objects(Arc::clone(&case.objects))
        .with_executor(Arc::clone(&case.executor));
    let id = RunId::new("conformance").unwrap_or_else(|error| panic!("{error}"));
    let approval = Approval::new(&graph, "suite", "2026-01-01T00:00:00Z");
    Run::start(graph, &approval, &engine, recording, RunOptions::new(id))
        .unwrap_or_else(|error| panic!("{error}"))
}

async fn run(case: &ExecutorCase, plan: &Value) -> (RunOutcome, Vec<Entry>) {
    let ledger = MemoryLedger::default();
    let outcome = start(case, plan, Recording::Memory(ledger.clone())).finish().await;
    let reading = read(&ledger.bytes(), "ledger");
    assert!(reading.faults.is_empty(), "the ledger verifies: {:?}", reading.faults);
    (outcome, reading.entries)
}

fn statuses(outcome: &RunOutcome) -> BTreeMap<&str, Status> {
    outcome.nodes.iter().map(|node| (node.id.as_str(), node.output.status)).collect()
}

/// The replayed parts of all records, in an order that does not depend on luck.
fn cores(entries: &[Entry]) -> Vec<String> {
    let mut cores: Vec<String> =
        entries.iter().map(|entry| format!("{} {}", entry.kind.as_str(), entry.core)).collect();
    cores.sort();
    cores
}

async fn without_a_ledger_the_nodes_end_the_same_too(local: &ExecutorCase, case: &ExecutorCase) {
    let plan = one_track(&json!([{"id": "x", "tool": "echo", "args": {"k": 1}}]));
    let expected = start(local, &plan, Recording::Off).finish().await;
    let found = start(case, &plan, Recording::Off).finish().await;
    let ends = |outcome: &RunOutcome| -> Vec<(String, Status, usize)> {
        let end = |node: &NodeEnd| (node.id.to_string(), node.output.status, node.output.calls.len());
        outcome.nodes.iter().map(end).collect()
    };
    assert_eq!(ends(&found), ends(&expected), "without a ledger the nodes end as with the local executor");
    assert_eq!(found.content_root, Digest::NOTHING, "without a ledger nothing is hashed");
}

/// A tool that would take an hour.
fn patient() -> Value {
    json!({"id": "slow", "tool": "leave", "args": {"who": "slow", "n": 1, "pause_ms": 3_600_000}})
}

async fn a_slow_node_times_out(case: &ExecutorCase) {
    let mut slow = patient();
    slow["timeout_s"] = json!(0.2);
    let (outcome, entries) =
        run(case, &one_track(&json!([slow, {"id": "x", "tool": "echo", "args": {}}]))).await;
    assert_eq!(statuses(&outcome)["slow"], Status::Timeout, "a node that is too slow times out");
    assert_eq!(statuses(&outcome)["x"], Status::Ok, "its sibling does not");
    every_call_has_an_end(&entries);
}

async fn a_stopped_run_ends(case: &ExecutorCase) {
    let ledger = MemoryLedger::default();
    let plan =
        one_track(&json!([patient(), {"id": "after", "tool": "echo", "args": {"x": {"$ref": "slow"}}}]));
    let run = start(case, &plan, Recording::Memory(ledger.clone()));
    let mut events = run.events();
    let stop = run.stopper();
    let ended = tokio::time::timeout(Duration::from_mins(1), async {
        while let Some(event) = events.next().await {
            if matches!(event.event, Change::Progress { done: 1, total: 2, .. }) {
                stop.cancel();
            }
        }
        run.finish().await
    });
    let outcome = ended.await.unwrap_or_else(|_| panic!("progress is heard, and a stopped run ends"));
    assert_eq!(outcome.status, Status::Cancelled, "a stopped run is cancelled");
    assert_eq!(statuses(&outcome)["slow"], Status::Cancelled, "a stopped node is cancelled");
    every_call_has_an_end(&read(&ledger.bytes(), "ledger").entries);
}

fn every_call_has_an_end(entries: &[Entry]) {
    let calls = |kind| {
        let mut calls: Vec<_> = entries
            .iter()
            .filter(|entry| entry.kind == kind && entry.text("status") != Some("late"))
            .map(|entry| entry.digest("call_id"))
            .collect();
        calls.sort();
        calls
    };
    assert_eq!(
        calls(EntryKind::CallStarted),
        calls(EntryKind::CallFinished),
        "a call that started has ended"
    );
}
