//! The process executor: it does what the local one does, and loses nothing when its workers are killed.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use leg_core::ledger::{Entry, EntryKind, MemoryLedger, read};
use leg_core::plan::{parse, validate};
use leg_core::run::{
    Change, Engine, LocalExecutor, NodeExecutor, ProcessExecutor, Recording, Resource, Run, RunOptions,
    RunOutcome, WorkerCommand,
};
use leg_core::{Approval, FolderObjects, MemoryObjects, ObjectStore, RunId, Status, compile};
use leg_testkit::conformance::{self, ExecutorCase, executor_registry};
use leg_testkit::told_world::{self, Allowed, any_tape};
use leg_testkit::{strategies, trail};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with objects and a trail, and an executor over it.
struct Place {
    folder: TempDir,
    executor: Arc<ProcessExecutor>,
}

impl Place {
    fn new(workers: usize) -> Self {
        Self::with(workers, &[])
    }

    fn with(workers: usize, more: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let command = WorkerCommand::new(env!("CARGO_BIN_EXE_leg-testkit-worker"))
            .arg(folder.path().join("objects"))
            .arg(folder.path().join("trail"));
        let command = more.iter().fold(command, |command, more| command.arg(*more));
        Self { executor: Arc::new(ProcessExecutor::new(command, workers)), folder }
    }

    fn trail(&self) -> PathBuf {
        self.folder.path().join("trail")
    }

    fn case(&self) -> ExecutorCase {
        let executor: Arc<dyn NodeExecutor> = Arc::<ProcessExecutor>::clone(&self.executor);
        let objects = Arc::new(FolderObjects::new(self.folder.path().join("objects")));
        ExecutorCase { executor, objects, trail: self.trail() }
    }
}

fn start(case: &ExecutorCase, plan: &Value) -> (Run, MemoryLedger) {
    let registry = Arc::new(executor_registry(&case.trail));
    let valid = validate(parse(plan).unwrap(), &registry).unwrap();
    let graph = Arc::new(compile(&valid, &registry).unwrap());
    let engine = Engine::new(registry)
        .with_objects(Arc::clone(&case.objects))
        .with_executor(Arc::clone(&case.executor));
    let ledger = MemoryLedger::default();
    let approval = Approval::new(&graph, "test", "2026-01-01T00:00:00Z");
    let mut options = RunOptions::new(RunId::new("test").unwrap());
    options.calls.grace_s = 0.2;
    let run = Run::start(graph, &approval, &engine, Recording::Memory(ledger.clone()), options).unwrap();
    (run, ledger)
}

async fn run(case: &ExecutorCase, plan: &Value) -> (RunOutcome, Vec<Entry>) {
    let (run, ledger) = start(case, plan);
    let outcome = run.finish().await;
    let reading = read(&ledger.bytes(), "ledger");
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
    (outcome, reading.entries)
}

fn node<'a>(outcome: &'a RunOutcome, id: &str) -> (Status, &'a str) {
    let output = &outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap().output;
    (output.status, output.error.as_ref().map_or("", |error| error.message.as_str()))
}

fn steps(steps: &Value) -> Value {
    json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": steps}]})
}

fn call(id: &str, tool: &str) -> Value {
    json!({"id": id, "tool": tool, "args": {"who": id, "n": 1}})
}

#[tokio::test(flavor = "multi_thread")]
async fn both_executors_conform() {
    let place = Place::new(2);
    let local = ExecutorCase {
        executor: Arc::new(LocalExecutor::default()),
        objects: Arc::new(MemoryObjects::default()),
        trail: place.trail(),
    };
    conformance::node_executor(&local).await;
    conformance::node_executor(&place.case()).await;
}

#[tokio::test(flavor = "current_thread")]
async fn it_works_from_a_single_threaded_runtime() {
    let place = Place::new(1);
    let (outcome, _) = run(&place.case(), &steps(&json!([call("a", "leave"), call("b", "leave")]))).await;
    assert_eq!(outcome.status, Status::Ok);
    assert_eq!(trail(&place.trail()).len(), 4);
    assert_eq!(place.executor.worker_ids().len(), 1, "one worker did both");
}

/// Random plans of the fakes, and of told parts: with conditions, fan-outs, failures, panics and sub-graphs.
fn any_plan() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => strategies::valid_plan().prop_map(|plan| plan.to_json()),
        3 => any_tape().prop_map(|mut tape| told_world::any_plan(&mut tape, Allowed::SWIFT)),
    ]
}

#[test]
fn random_plans_have_the_content_root_of_the_local_executor() {
    told_world::hush_told_panics();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let place = Place::new(2);
    let case = place.case();
    let local = ExecutorCase {
        executor: Arc::new(LocalExecutor::default()),
        objects: Arc::new(MemoryObjects::default()),
        trail: place.trail(),
    };
    let workers = AtomicUsize::new(0);
    let config =
        proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() };
    proptest::test_runner::TestRunner::new(config)
        .run(&any_plan(), |plan| {
            let (expected, expected_entries) = runtime.block_on(run(&local, &plan));
            let (found, entries) = runtime.block_on(run(&case, &plan));
            prop_assert_eq!(found.content_root, expected.content_root);
            prop_assert_eq!(cores(&entries), cores(&expected_entries));
            workers.fetch_max(place.executor.worker_ids().len(), Ordering::SeqCst);
            Ok(())
        })
        .unwrap();
    assert_eq!(workers.into_inner(), 2, "all plans went through the same two workers");
}

#[test]
fn a_worker_ends_with_its_run_and_at_a_line_that_is_no_message() {
    let place = Place::new(1);
    for (said, code) in [("", 0), ("nonsense\n", 1), ("{\"type\":\"stop\"}\n{\"type\":", 0)] {
        let mut worker = Command::new(env!("CARGO_BIN_EXE_leg-testkit-worker"))
            .args([place.folder.path().join("objects"), place.trail()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = worker.stdin.take().unwrap();
        input.write_all(said.as_bytes()).unwrap();
        drop(input);
        let ended = worker.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        assert!(String::from_utf8(ended.stdout).unwrap().starts_with("{\"type\":\"hello\",\"protocol\":1,"));
    }
}

/// Twelve nodes: four walkers of four calls each, and eight single calls.
fn twelve() -> Value {
    let walkers: Vec<Value> =
        (0..4).map(|n| json!({"id": format!("w{n}"), "agent": "walker", "task": "walk"})).collect();
    let call = |n: i64| json!({"id": format!("s{n}"), "tool": "leave", "args": {"who": format!("s{n}"), "n": 1, "pause_ms": 8}});
    let calls: Vec<Value> = (0..8).map(call).collect();
    json!({"version": 1, "question": "?", "tracks": [
        {"id": "a", "layers": [{"nodes": walkers[..2]}, {"nodes": walkers[2..]}]},
        {"id": "b", "steps": calls}]})
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_are_killed_at_random_moments_lose_nothing() {
    let undisturbed = Place::new(2);
    let (expected, expected_entries) = run(&undisturbed.case(), &twelve()).await;
    assert_eq!(expected.status, Status::Ok);
    let mut kills = 0;
    for seed in 1..=6_u64 {
        let place = Place::new(3);
        let (outcome, entries, killed) = run_with_a_killer(&place, seed).await;
        kills += killed;
        let lost = outcome.nodes.iter().any(|node| node.output.status != Status::Ok);
        // A killer that hits one node three times has won: the node says so, and the run goes on without it.
        if lost {
            let reasons: Vec<_> = outcome.nodes.iter().filter_map(|n| n.output.error.as_ref()).collect();
            assert!(
                reasons.iter().all(|e| e.message.contains("3 worker processes were lost")),
                "{reasons:?}"
            );
            continue;
        }
        assert_eq!(outcome.content_root, expected.content_root, "seed {seed}");
        assert_eq!(cores(&entries), cores(&expected_entries), "seed {seed}: each thing is recorded once");
        finished_calls_were_made_once(&place, killed);
    }
    assert!(kills >= 6, "the killer was too slow: {kills} kills");
}

/// Kills workers, one every few milliseconds, until so many are dead or the run has ended.
async fn run_with_a_killer(place: &Place, seed: u64) -> (RunOutcome, Vec<Entry>, usize) {
    let (executor, killed) = (Arc::clone(&place.executor), Arc::new(AtomicUsize::new(0)));
    let (over, count) = (Arc::new(AtomicBool::new(false)), Arc::clone(&killed));
    let ended = Arc::clone(&over);
    let killer = std::thread::spawn(move || {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut random = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state % below
        };
        while !ended.load(Ordering::SeqCst) && count.load(Ordering::SeqCst) < 5 {
            std::thread::sleep(Duration::from_millis(3 + random(30)));
            let ids = executor.worker_ids();
            if ids.is_empty() {
                continue;
            }
            let id = ids[usize::try_from(random(ids.len() as u64)).unwrap()];
            let done = Command::new("kill").args(["-9", &id.to_string()]).output().unwrap();
            count.fetch_add(usize::from(done.status.success()), Ordering::SeqCst);
        }
    });
    let (outcome, entries) = run(&place.case(), &twelve()).await;
    over.store(true, Ordering::SeqCst);
    killer.join().unwrap();
    (outcome, entries, killed.load(Ordering::SeqCst))
}

/// All that a replay compares, in an order that does not depend on luck.
fn cores(entries: &[Entry]) -> Vec<String> {
    let mut cores: Vec<String> =
        entries.iter().map(|entry| format!("{} {}", entry.kind.as_str(), entry.core)).collect();
    cores.sort();
    cores
}

/// A call is begun again only if its worker died before the call was recorded as finished: at most one call a kill,
/// and never one whose node had gone on to the next.
fn finished_calls_were_made_once(place: &Place, killed: usize) {
    let mut begun: BTreeMap<(String, i64), usize> = BTreeMap::new();
    for (began, who, n) in trail(&place.trail()) {
        if began {
            *begun.entry((who, n)).or_default() += 1;
        }
    }
    // Four walkers make the same calls under one name.
    let wanted: usize = begun.keys().map(|(who, _)| if who == "walker" { 4 } else { 1 }).sum();
    let made: usize = begun.values().sum();
    assert_eq!(begun.len(), 12, "{begun:?}");
    assert!(
        made >= wanted && made <= wanted + killed,
        "{made} calls, {wanted} wanted, {killed} kills: {begun:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_call_is_served_to_the_next_worker() {
    // The agent's first call finishes, its second one kills the worker once.
    let place = Place::new(1);
    let plan = json!({"version": 1, "question": "?", "tracks": [
        {"id": "t", "layers": [{"nodes": [{"id": "x", "agent": "unlucky", "task": "walk"}]}]}]});
    let (outcome, entries) = run(&place.case(), &plan).await;
    assert_eq!(node(&outcome, "x").0, Status::Ok, "{outcome:?}");
    let walked: Vec<_> = trail(&place.trail()).into_iter().map(|(began, _, n)| (began, n)).collect();
    assert_eq!(
        walked,
        [(true, 0), (false, 0), (true, 1), (true, 1), (false, 1), (true, 2), (false, 2)],
        "call 0 was not made again, call 1 was"
    );
    for kind in [EntryKind::CallStarted, EntryKind::CallFinished] {
        assert_eq!(entries.iter().filter(|entry| entry.kind == kind).count(), 3, "{kind:?}");
    }
    let started = outcome.nodes.iter().find(|node| node.id.as_str() == "x").unwrap();
    assert_eq!(started.output.evidence.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_made_again_is_drawn_from_the_budget_once() {
    for (calls, expected) in [(3, Status::Ok), (2, Status::Ok)] {
        let place = Place::new(1);
        let plan = json!({"version": 1, "question": "?", "tracks": [{"id": "t", "layers": [{"nodes": [
            {"id": "x", "agent": "unlucky", "task": "walk", "budget": {"calls": calls}}]}]}]});
        let (outcome, _) = run(&place.case(), &plan).await;
        assert_eq!(node(&outcome, "x").0, expected, "{outcome:?}");
        let output = &outcome.nodes.iter().find(|node| node.id.as_str() == "x").unwrap().output;
        assert_eq!(output.evidence.len(), calls, "{output:?}");
        assert!((output.usage.get(Resource::Calls) - calls as f64).abs() < 1e-9, "{output:?}");
        let made = trail(&place.trail()).iter().filter(|(began, ..)| *began).count();
        assert_eq!(made, calls + 1, "one call was begun twice");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_whose_worker_died_is_never_made_again() {
    let place = Place::new(1);
    let plan = steps(&json!([call("w", "crash_once_writing"), call("x", "leave")]));
    let (outcome, entries) = run(&place.case(), &plan).await;
    let (status, message) = node(&outcome, "w");
    assert_eq!(status, Status::OutcomeUnknown, "{message}");
    assert!(message.contains("nobody knows whether the call took effect"), "{message}");
    assert_eq!(node(&outcome, "x").0, Status::Ok);
    let began = trail(&place.trail()).iter().filter(|(began, who, _)| *began && who == "w").count();
    assert_eq!(began, 1);
    let end =
        entries.iter().find(|entry| entry.kind == EntryKind::CallFinished && entry.text("node") == Some("w"));
    assert_eq!(end.unwrap().text("status"), Some("outcome_unknown"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_kills_its_workers_fails_and_the_others_go_on() {
    let place = Place::new(2);
    let plan = steps(&json!([call("c", "crash"), call("p", "print"), call("x", "leave")]));
    let (outcome, entries) = run(&place.case(), &plan).await;
    let (status, message) = node(&outcome, "c");
    assert_eq!(status, Status::Failed);
    assert!(message.contains("3 worker processes were lost") && message.contains("signal: 6"), "{message}");
    let (status, message) = node(&outcome, "p");
    assert_eq!(status, Status::Failed);
    assert!(
        message.contains("nothing but the protocol may be printed") && message.contains("3 % done"),
        "{message}"
    );
    assert_eq!(node(&outcome, "x").0, Status::Ok);
    assert_eq!(outcome.status, Status::Ok, "a partial answer is an answer");
    let count = |kind| entries.iter().filter(|entry| entry.kind == kind).count();
    assert_eq!(count(EntryKind::CallStarted), count(EntryKind::CallFinished), "every call has an end");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_computes_without_a_pause_is_killed() {
    let place = Place::new(1);
    let mut spin = call("s", "spin");
    spin["timeout_s"] = json!(0.3);
    let plan = steps(&json!([spin, call("x", "leave")]));
    let (running, _) = start(&place.case(), &plan);
    let mut events = running.events();
    let mut spinning = Vec::new();
    while let Some(event) = events.next().await {
        if matches!(&event.event, Change::CallStarted { tool, .. } if tool == "spin") {
            spinning = place.executor.worker_ids();
        }
    }
    let outcome = running.finish().await;
    assert_eq!(node(&outcome, "s").0, Status::Timeout);
    assert_eq!(node(&outcome, "x").0, Status::Ok, "another worker did it: {outcome:?}");
    assert_eq!(spinning.len(), 1);
    assert!(!place.executor.worker_ids().contains(&spinning[0]), "the worker that computes is gone");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_cannot_serve_the_run_is_named() {
    let plan = steps(&json!([call("x", "leave")]));
    let wrong = |command: &str, args: &[&str]| {
        let command = args.iter().fold(WorkerCommand::new(command), |command, arg| command.arg(*arg));
        ExecutorCase { executor: Arc::new(ProcessExecutor::new(command, 1)), ..Place::new(1).case() }
    };
    let elsewhere = Place::new(1);
    let memory: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
    for (case, expected) in [
        (wrong("/nonexistent/leg", &[]), "cannot be started"),
        (wrong("echo", &["hello"]), "is no message"),
        (
            wrong(
                "echo",
                &[
                    "{\"type\":\"hello\",\"protocol\":99,\"engine\":\"9.0.0\",\"registry\":\"b3:0000000000000000000000000000000000000000000000000000000000000000\"}",
                ],
            ),
            "use one version",
        ),
        (wrong("true", &[]), "3 worker processes were lost"),
        (Place::with(1, &["more"]).case(), "the tools and agents of the worker"),
        (ExecutorCase { objects: memory, ..elsewhere.case() }, "does not see the objects of the run"),
    ] {
        let (outcome, _) = run(&case, &plan).await;
        let (status, message) = node(&outcome, "x");
        assert_eq!(status, Status::Failed, "{expected}");
        assert!(message.contains(expected), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_is_killed_while_it_waits_costs_nothing() {
    let place = Place::new(1);
    for round in 0..5 {
        let (outcome, _) = run(&place.case(), &steps(&json!([call("x", "leave")]))).await;
        assert_eq!(outcome.status, Status::Ok, "round {round}");
        for id in place.executor.worker_ids() {
            Command::new("kill").args(["-9", &id.to_string()]).output().unwrap();
        }
    }
}
