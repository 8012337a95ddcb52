//! The guarantees D1, D3, D7 and D11, as the page words them.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use leg_core::ledger::{Entry, EntryKind, LEDGER, RunFolder, read, verify};
use leg_core::run::{Budget, Engine, LocalExecutor, Recording, Resource, Roles, Run, RunOptions, RunOutcome};
use leg_core::{
    Artifact, Digest, Effect, FolderObjects, Kind, Plan, Port, Status, Tool, ToolContext, ToolError,
    ToolErrorKind, ToolName, ToolOutput, ToolSpec,
};
use leg_testkit::told_world::{told_registry, told_tool};
use serde_json::{Value, json};
use support::{approval, graph, options, plan, start};

fn status(outcome: &RunOutcome, id: &str) -> Status {
    outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap().output.status
}

fn agent(id: &str, task: &Value) -> Value {
    json!({"id": id, "agent": "told", "task": task.to_string()})
}

fn layers(layers: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "layers": layers}]}))
}

fn steps(steps: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]}))
}

/// D1: a join whose one parent was not chosen runs, once, and so does all after it.
#[tokio::test]
async fn a_join_behind_a_node_that_was_not_chosen_runs_once() {
    let plan = steps(&json!([
        {"id": "choose", "tool": "told", "args": {"id": "choose", "v": 1}},
        {"id": "a", "tool": "told", "args": {"id": "a"}, "when": {"ref": "choose#/evidence/v/value", "op": "eq", "value": 1}},
        {"id": "b", "tool": "told", "args": {"id": "b"}, "when": {"ref": "choose#/evidence/v/value", "op": "ne", "value": 1}},
        {"id": "c", "tool": "told", "args": {"id": "c", "of": [{"$ref": "a"}, {"$ref": "b"}]}},
        {"id": "d", "tool": "told", "args": {"id": "d", "of": {"$ref": "c"}}}]));
    let tool = told_tool();
    let (run, ledger) = start(&plan, &told_registry(vec![tool.clone()]), options(&plan, 8));
    let outcome = run.finish().await;
    let found: Vec<Status> = ["a", "b", "c", "d"].iter().map(|id| status(&outcome, id)).collect();
    assert_eq!(found, [Status::Ok, Status::Skipped, Status::Ok, Status::Ok]);
    assert!(outcome.report.gaps.is_empty(), "a choice is no gap");
    let heard = tool.heard();
    let c = heard.iter().find(|args| args["id"] == "c").unwrap();
    assert_eq!(c["of"].as_array().unwrap().len(), 1);
    let entries = read(&ledger.bytes(), LEDGER).entries;
    let layers = entries.iter().filter(|e| e.kind == EntryKind::LayerStarted && e.core["layer"] == json!(2));
    assert_eq!(layers.count(), 1);
}

/// D1: a node that needs what is not there ends, names what it needed, and so does the run.
#[tokio::test]
async fn a_join_that_needs_what_failed_is_settled_and_names_it() {
    let plan = steps(&json!([
        {"id": "b", "tool": "told", "args": {"id": "b", "fail": "no_data"}},
        {"id": "c", "tool": "told", "args": {"id": "c", "of": {"$ref": "b"}}},
        {"id": "d", "tool": "told", "args": {"id": "d", "of": {"$ref": "c"}}}]));
    let (run, ledger) = start(&plan, &told_registry(vec![told_tool()]), options(&plan, 8));
    let outcome = run.finish().await;
    assert_eq!(outcome.status, Status::Failed);
    assert_eq!((status(&outcome, "c"), status(&outcome, "d")), (Status::Skipped, Status::Skipped));
    let reasons: Vec<&str> = outcome.report.gaps.iter().map(|gap| gap.reason.as_str()).collect();
    assert!(reasons[1].contains("`b`") && reasons[2].contains("`c`"), "{reasons:?}");
    assert!(read(&ledger.bytes(), LEDGER).faults.is_empty());
}

/// A consolidator that keeps what it is told.
#[derive(Debug, Default, Clone)]
struct Ear(Arc<Mutex<Vec<leg_core::FoldInput>>>);

#[async_trait::async_trait]
impl leg_core::Fold for Ear {
    fn name(&self) -> String {
        "ear/1".into()
    }
    async fn fold(&self, input: leg_core::FoldInput) -> Result<leg_core::Brief, ToolError> {
        self.0.lock().unwrap().push(input);
        Ok(leg_core::Brief::new("heard"))
    }
}

fn three(policy: &str) -> Plan {
    layers(&json!([{"policy": policy, "nodes": [
        agent("first", &json!({"ms": 10})),
        agent("second", &json!({"ms": 20, "fail": "no_data"})),
        agent("third", &json!({"ms": 200}))]}]))
}

async fn run_three(policy: &str) -> (RunOutcome, Vec<Entry>, Ear, Duration) {
    let plan = three(policy);
    let ear = Ear::default();
    let registry = told_registry(vec![told_tool()]);
    let roles = Roles { consolidator: Arc::new(ear.clone()), ..Roles::default() };
    let graph = graph(&plan, &registry);
    let engine = Engine::new(registry).with_executor(Arc::new(LocalExecutor::new(roles)));
    let ledger = leg_core::ledger::MemoryLedger::default();
    let approval = approval(&graph);
    let recording = Recording::Memory(ledger.clone());
    let began = tokio::time::Instant::now();
    let run = Run::start(graph, &approval, &engine, recording, options(&plan, 8)).unwrap();
    let outcome = run.finish().await;
    (outcome, read(&ledger.bytes(), LEDGER).entries, ear, began.elapsed())
}

/// D3, settle.
#[tokio::test(start_paused = true)]
async fn settled_siblings_all_end_and_the_consolidator_hears_of_the_failure() {
    let (outcome, entries, ear, took) = run_three("settle").await;
    let found: Vec<Status> = ["first", "second", "third"].iter().map(|id| status(&outcome, id)).collect();
    assert_eq!(found, [Status::Ok, Status::Failed, Status::Ok]);
    assert_eq!(took, Duration::from_millis(200));
    let heard = ear.0.lock().unwrap();
    let parts: Vec<(&str, Status)> = heard[0].parts.iter().map(|p| (p.from.as_str(), p.status)).collect();
    assert_eq!(parts, [("first", Status::Ok), ("second", Status::Failed), ("third", Status::Ok)]);
    assert!(heard[0].parts[1].text.contains("it fails, as it was told"));
    assert_eq!(heard[0].gaps.len(), 1);
    assert_eq!(entries.last().unwrap().kind, EntryKind::RunFinished);
}

/// D3, `fail_fast`; nothing is left alive.
#[test]
fn fail_fast_stops_the_third_and_leaves_nothing_alive() {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let base = runtime.metrics().num_alive_tasks();
    for _ in 0..20 {
        let (outcome, entries, _, took) = runtime.block_on(run_three("fail_fast"));
        let found: Vec<Status> = ["first", "second", "third"].iter().map(|id| status(&outcome, id)).collect();
        assert_eq!(found, [Status::Ok, Status::Failed, Status::Cancelled]);
        assert_eq!(took, Duration::from_millis(20));
        assert_eq!(entries.last().unwrap().kind, EntryKind::RunFinished);
        assert_eq!(runtime.metrics().num_alive_tasks(), base);
    }
}

/// D3: a node that panics is a node that failed.
#[tokio::test]
async fn a_panicking_agent_and_a_panicking_tool_are_failed_nodes() {
    let plan = layers(&json!([{"nodes": [
        agent("bad", &json!({"panic": true})),
        agent("calls_bad", &json!({"calls": [["told", {"id": "x", "panic": true}]]})),
        agent("good", &json!({"calls": [["told", {"id": "y"}]]}))]}]));
    let (run, _) = start(&plan, &told_registry(vec![told_tool()]), options(&plan, 8));
    let outcome = run.finish().await;
    let found: Vec<Status> = ["bad", "calls_bad", "good"].iter().map(|id| status(&outcome, id)).collect();
    assert_eq!(found, [Status::Failed, Status::Ok, Status::Ok]);
    assert_eq!(outcome.report.gaps.len(), 2);
}

/// A tool that takes effect and then, for some attempts, runs out of time.
#[derive(Debug, Clone)]
struct Commits {
    effect: Effect,
    times_out: usize,
    /// Call ids, at every attempt.
    seen: Arc<Mutex<Vec<Digest>>>,
    /// What took effect: the store knows its keys.
    store: Arc<Mutex<BTreeSet<Digest>>>,
}

impl Commits {
    fn new(effect: Effect, times_out: usize) -> Self {
        Self { effect, times_out, seen: Arc::default(), store: Arc::default() }
    }
}

#[async_trait::async_trait]
impl Tool for Commits {
    fn spec(&self) -> ToolSpec {
        let mut spec = ToolSpec::new("fake", "Commits.", Port::of(Kind::Table)).effect(self.effect);
        spec.name = ToolName::new("commits").unwrap();
        spec.arguments = json!({"type": "object"});
        spec
    }

    async fn call(&self, _: Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut seen = self.seen.lock().unwrap();
        seen.push(context.call_id());
        self.store.lock().unwrap().insert(context.call_id());
        if seen.len() <= self.times_out {
            return Err(ToolError::new(ToolErrorKind::Timeout, "no answer in time"));
        }
        Ok(ToolOutput::of(Artifact::document(Kind::Table, "t", json!({"columns": ["a"], "rows": [[1]]}))))
    }
}

async fn commit(tool: &Commits) -> RunOutcome {
    let mut registry = leg_core::Registry::default();
    registry.add_tool(Arc::new(tool.clone())).unwrap();
    let registry = Arc::new(registry);
    let plan = steps(&json!([{"id": "w", "tool": "commits", "args": {}}]));
    start(&plan, &registry, options(&plan, 1)).0.finish().await
}

/// D7.
#[tokio::test(start_paused = true)]
async fn a_call_is_tried_again_with_its_own_id_and_a_write_never() {
    let read = Commits::new(Effect::Read, 1);
    assert_eq!(status(&commit(&read).await, "w"), Status::Ok);
    let seen = read.seen.lock().unwrap().clone();
    assert!(seen.len() == 2 && seen[0] == seen[1]);

    let write = Commits::new(Effect::Write, 1);
    let outcome = commit(&write).await;
    assert_eq!(status(&outcome, "w"), Status::OutcomeUnknown);
    assert_eq!(write.seen.lock().unwrap().len(), 1);
    assert!(outcome.report.gaps[0].reason.contains("nobody knows"), "{:?}", outcome.report.gaps);

    for n in 0..100_usize {
        let idempotent = Commits::new(Effect::Idempotent, n.wrapping_mul(7) % 3);
        assert_eq!(status(&commit(&idempotent).await, "w"), Status::Ok);
        assert_eq!(idempotent.store.lock().unwrap().len(), 1, "committed once");
        assert_eq!(idempotent.seen.lock().unwrap().len(), n.wrapping_mul(7) % 3 + 1);
    }
}

fn fifty() -> Plan {
    let nodes: Vec<Value> = (0..50)
        .map(|n| json!({"id": format!("n{n}"), "tool": "told", "args": {"id": n, "tokens": 100}, "budget": {"tokens": 100}}))
        .collect();
    steps(&json!(nodes))
}

fn with_budget(plan: &Plan, budget: Budget) -> RunOptions {
    RunOptions { budget, ..options(plan, 16) }
}

fn started(entries: &[Entry]) -> Vec<&str> {
    let starts = entries.iter().filter(|entry| entry.kind == EntryKind::NodeStarted);
    starts.filter_map(|entry| entry.text("node")).filter(|node| *node != "reporter").collect()
}

/// D11.
#[tokio::test]
async fn of_fifty_nodes_of_a_hundred_tokens_ten_start_with_a_thousand() {
    let plan = fifty();
    let budget = Budget::default().with(Resource::Tokens, 1000.0).unwrap();
    let (run, ledger) = start(&plan, &told_registry(vec![told_tool()]), with_budget(&plan, budget));
    let outcome = run.finish().await;
    let entries = read(&ledger.bytes(), LEDGER).entries;
    assert_eq!(started(&entries).len(), 10);
    for n in 0..50 {
        let expected = if n < 10 { Status::Ok } else { Status::BudgetExhausted };
        assert_eq!(status(&outcome, &format!("n{n}")), expected, "n{n}");
    }
    let reason = &outcome.report.gaps[0].reason;
    assert!(reason.contains("tokens") && reason.contains("1000"), "the exact meter: {reason}");
    let spent: f64 = outcome.nodes.iter().map(|node| node.output.usage.get(Resource::Tokens)).sum();
    assert!((spent - 1000.0).abs() < 1e-9, "{spent}");
}

#[tokio::test]
async fn nothing_starts_with_a_limit_of_nothing_and_no_more_is_called_than_was_told_before() {
    let plan = fifty();
    for resource in [Resource::Nodes, Resource::Calls, Resource::Tokens] {
        let tool = told_tool();
        let budget = Budget::default().with(resource, 0.0).unwrap();
        let (run, ledger) = start(&plan, &told_registry(vec![tool.clone()]), with_budget(&plan, budget));
        assert_eq!(run.finish().await.status, Status::Failed);
        assert_eq!(started(&read(&ledger.bytes(), LEDGER).entries), [""; 0]);
        assert_eq!(tool.heard().len(), 0);
    }
    let tool = told_tool();
    let registry = told_registry(vec![tool.clone()]);
    let shown = graph(&plan, &registry).cost().calls_at_most.unwrap();
    start(&plan, &registry, options(&plan, 16)).0.finish().await;
    assert!(shown >= tool.heard().len());
}

async fn chain(runs: &Path) -> (RunOutcome, RunFolder) {
    let nodes: Vec<Value> = (0..8)
        .map(|n| {
            let mut args = json!({"id": n});
            if n > 0 {
                args["of"] = json!({"$ref": format!("n{}", n - 1)});
            }
            json!({"id": format!("n{n}"), "tool": "told", "args": args})
        })
        .collect();
    let plan = steps(&json!(nodes));
    let registry = told_registry(vec![told_tool()]);
    let graph = graph(&plan, &registry);
    let engine = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    let options = with_budget(&plan, Budget::default().with(Resource::Calls, 5.0).unwrap());
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    (run.finish().await, folder)
}

/// D11: what was spent before a kill is spent.
#[tokio::test]
async fn a_killed_run_goes_on_with_what_is_left_of_its_budget() {
    let runs = tempfile::tempdir().unwrap();
    let (whole, folder) = chain(runs.path()).await;
    assert_eq!(status(&whole, "n4"), Status::Ok);
    assert_eq!(status(&whole, "n5"), Status::BudgetExhausted);
    let ledger = folder.path().join(LEDGER);
    let bytes = std::fs::read(&ledger).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let opened = read(&bytes, LEDGER).entries.iter().position(|e| e.kind == EntryKind::PlanApproved).unwrap();
    for cut in opened + 1..lines.len() - 1 {
        std::fs::write(&ledger, lines[..cut].concat()).unwrap();
        let tool = told_tool();
        let engine = Engine::new(told_registry(vec![tool.clone()]))
            .with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
        let outcome = Run::resume(folder.clone(), &engine, 8).unwrap().finish().await;
        assert_eq!(outcome.content_root, whole.content_root, "cut at {cut}");
        let ended = read(&lines[..cut].concat(), LEDGER).entries;
        let ended = ended.iter().filter(|entry| entry.kind == EntryKind::CallFinished).count();
        assert_eq!(tool.heard().len(), 5 - ended, "cut at {cut}");
        let found = verify(&folder, None).unwrap();
        assert!(found.ok, "cut at {cut}: {:?}", found.faults);
    }
}
