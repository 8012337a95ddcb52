//! Limits of time, hosts and disk: nodes, layers and runs end in time even when a tool does not, late results go
//! nowhere, and a stopped run can go on.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]
#![expect(clippy::disallowed_methods, reason = "threads that are held need a real clock")]

mod support;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use leg_core::ledger::{Entry, EntryKind, LEDGER, LedgerError, LedgerStore, RunFolder, read, verify};
use leg_core::replay::replay;
use leg_core::routing::Router;
use leg_core::run::{Change, Durability, Engine, Payload, Recording, Roles, Run, RunOptions, RunOutcome};
use leg_core::{FolderObjects, Plan, Status};
use leg_testkit::ToldTool;
use leg_testkit::told_world::{told_registry, told_tool};
use serde_json::{Value, json};
use support::{approval, graph, options, plan, start};

fn steps(steps: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]}))
}

fn status(outcome: &RunOutcome, id: &str) -> Status {
    outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap().output.status
}

fn run_with(
    runs: &Path,
    plan: &Plan,
    tool: ToldTool,
    change: impl FnOnce(&mut RunOptions),
) -> (Run, RunFolder) {
    let registry = told_registry(vec![tool]);
    let graph = graph(plan, &registry);
    let engine = Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    let mut options = options(plan, 16);
    change(&mut options);
    let folder = RunFolder::new(runs, &options.id);
    let approval = approval(&graph);
    (Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap(), folder)
}

fn entries(folder: &RunFolder) -> Vec<Entry> {
    read(&folder.read(LEDGER).unwrap(), LEDGER).entries
}

/// Three ways to be too slow: asleep, holding a thread, computing.
const SLOW: [&str; 3] = ["ms", "block_ms", "burn_ms"];

fn limited(how: &str, limit: &str, long_ms: u64) -> (RunOutcome, Vec<Entry>, Duration) {
    let mut slow = json!({"id": "slow", "tool": "told", "args": {"id": "slow", how: long_ms, "deaf": true}});
    if limit == "node" {
        slow["timeout_s"] = json!(0.05);
    }
    let plan = steps(&json!([slow, {"id": "quick", "tool": "told", "args": {"id": "quick"}}]));
    let runs = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let started = Instant::now();
    let (outcome, folder) = runtime.block_on(async {
        let (run, folder) = run_with(runs.path(), &plan, told_tool(), |options| {
            options.calls.grace_s = 0.2;
            match limit {
                "layer" => options.layer_timeout_s = Some(0.05),
                "run" => options.run_timeout_s = Some(0.05),
                "idle" => options.calls.idle_s = Some(0.05),
                _ => {}
            }
        });
        (run.finish().await, folder)
    });
    let took = started.elapsed();
    let found = verify(&folder, None).unwrap();
    assert!(found.ok, "{how} {limit}: {:?}", found.faults);
    assert_eq!(found.content_root, Some(outcome.content_root));
    // The work of a thread cannot be stopped: nobody waits for it.
    runtime.shutdown_background();
    (outcome, entries(&folder), took)
}

#[test]
fn every_limit_holds_for_every_kind_of_slowness() {
    for limit in ["node", "layer", "run", "idle"] {
        for how in SLOW {
            let (outcome, entries, took) = limited(how, limit, 3_000);
            assert_eq!(status(&outcome, "slow"), Status::Timeout, "{how} {limit}");
            assert_eq!(status(&outcome, "quick"), Status::Ok, "{how} {limit}");
            assert!(took < Duration::from_millis(2_500), "{how} {limit}: {took:?}");
            assert_eq!(entries.last().unwrap().kind, EntryKind::RunFinished);
            let expected = if limit == "run" { Status::Timeout } else { Status::Failed };
            assert!([expected, Status::Ok].contains(&outcome.status), "{how} {limit}: {}", outcome.status);
        }
    }
}

#[test]
fn a_late_result_is_recorded_and_goes_nowhere() {
    let mut roots = Vec::new();
    for (how, long) in [("ms", 200), ("block_ms", 200), ("burn_ms", 200), ("ms", 3_000)] {
        let (outcome, entries, _) = limited(how, "node", long);
        let late: Vec<&Entry> = entries.iter().filter(|entry| entry.text("status") == Some("late")).collect();
        assert_eq!(late.len(), usize::from(long == 200), "{how}");
        assert!(late.iter().all(|entry| !entry.is_compared() && entry.meta["outputs"]["result"].is_string()));
        assert!(outcome.nodes.iter().find(|n| n.id.as_str() == "slow").unwrap().output.outputs.is_empty());
        roots.push((how, long, outcome.content_root));
    }
    // The same arguments, with and without a late result, have one root.
    let again = limited("ms", "node", 200).0.content_root;
    assert_eq!(roots[0].2, again);
}

#[tokio::test(start_paused = true)]
async fn a_stopped_run_is_whole_replays_and_goes_on() {
    let plan = steps(&json!([
        {"id": "a", "tool": "told", "args": {"id": "a"}},
        {"id": "b", "tool": "told", "args": {"id": "b", "ms": 60_000, "of": {"$ref": "a"}}},
        {"id": "c", "tool": "told", "args": {"id": "c", "of": {"$ref": "b"}}}]));
    let runs = tempfile::tempdir().unwrap();
    let (run, folder) = run_with(runs.path(), &plan, told_tool(), |_| {});
    let stop = run.stopper();
    let (outcome, ()) = tokio::join!(run.finish(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.cancel();
    });
    assert_eq!((outcome.status, status(&outcome, "b")), (Status::Cancelled, Status::Cancelled));
    assert!(verify(&folder, None).unwrap().ok);
    let dead = || told_registry(vec![told_tool().panicking()]);
    let replayed = replay(&folder, dead(), &Router::default(), Roles::default(), 4).await.unwrap();
    assert!(replayed.ok, "{:#?}", replayed.divergence);
    let tool = told_tool();
    let engine = Engine::new(told_registry(vec![tool.clone()]))
        .with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
    let again = Run::resume(folder.clone(), &engine, 4).unwrap().finish().await;
    assert_eq!(again.status, Status::Ok);
    let ids: Vec<Value> = tool.heard().iter().map(|args| args["id"].clone()).collect();
    assert_eq!(ids, ["b", "c"], "what was finished is not made again");
    let found = verify(&folder, None).unwrap();
    assert!(found.ok, "{:?}", found.faults);
    let replayed = replay(&folder, dead(), &Router::default(), Roles::default(), 4).await.unwrap();
    assert!(replayed.ok, "{:#?}", replayed.divergence);
}

#[tokio::test(start_paused = true)]
async fn no_more_calls_than_allowed_contact_a_host() {
    let all: Vec<Value> = (0..12)
        .map(|n| json!({"id": format!("s{n}"), "tool": (["one", "two"][n % 2]), "args": {"id": n, "ms": 10}}))
        .collect();
    let plan = steps(&json!(all));
    let one = ToldTool::new("one").external(&["a.example", "b.example"]);
    let two = ToldTool::new("two").external(&["b.example", "c.example"]);
    for per_host in [1, 3] {
        let registry = told_registry(vec![one.clone(), two.clone()]);
        let mut options = options(&plan, 16);
        options.per_host = per_host;
        let began = tokio::time::Instant::now();
        let (run, _) = start(&plan, &registry, options);
        assert_eq!(run.finish().await.status, Status::Ok);
        // All twelve contact `b.example`.
        assert_eq!(began.elapsed(), Duration::from_millis(120 / per_host as u64));
        assert!(one.peak() <= per_host && two.peak() <= per_host);
    }
}

#[tokio::test(start_paused = true)]
async fn a_long_call_gives_signs_of_life_and_progress_keeps_it_from_being_idle() {
    let plan = steps(&json!([
        {"id": "told", "tool": "told", "args": {"id": "told", "ms": 60_000, "tell_ms": 3_000}},
        {"id": "mute", "tool": "told", "args": {"id": "mute", "ms": 60_000}}]));
    let registry = told_registry(vec![told_tool()]);
    let mut options = options(&plan, 16);
    options.calls.idle_s = Some(5.0);
    options.calls.heartbeat_s = 2.0;
    let (run, _) = start(&plan, &registry, options);
    let mut events = run.events();
    let heard = async {
        let (mut beats, mut progress, mut seqs) = (0, 0, Vec::new());
        while let Some(event) = events.next().await {
            match &event.event {
                Change::Heartbeat { .. } => beats += 1,
                Change::Progress { .. } => progress += 1,
                _ => seqs.push(event.seq),
            }
        }
        (beats, progress, seqs)
    };
    let (outcome, (beats, progress, seqs)) = tokio::join!(run.finish(), heard);
    assert_eq!(status(&outcome, "told"), Status::Ok);
    assert_eq!(status(&outcome, "mute"), Status::Timeout);
    assert!(beats >= 25, "{beats}");
    assert!(progress >= 15, "{progress}");
    assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn each_payload_level_keeps_what_it_says_and_hashes_the_same() {
    let plan = steps(&json!([
        {"id": "x", "tool": "told", "args": {"id": "x", "v": 1}},
        {"id": "y", "tool": "told", "args": {"id": "y", "of": {"$ref": "x"}}}]));
    let mut roots = Vec::new();
    for payload in [Payload::Minimal, Payload::Standard, Payload::Full] {
        let runs = tempfile::tempdir().unwrap();
        let (run, folder) = run_with(runs.path(), &plan, told_tool(), |options| options.payload = payload);
        let outcome = run.finish().await;
        let found = verify(&folder, None).unwrap();
        assert!(found.ok, "{payload:?}: {:?}", found.faults);
        roots.push(outcome.content_root);
        let artifact = outcome.nodes[0].output.outputs["result"].digest;
        let kept = leg_core::ObjectStore::get(&FolderObjects::new(runs.path().join("objects")), &artifact);
        assert_eq!(kept.is_ok(), payload != Payload::Minimal, "{payload:?}");
    }
    assert!(roots.iter().all(|root| *root == roots[0]));
}

#[tokio::test]
async fn the_disk_is_reached_as_often_as_the_run_says() {
    let plan = steps(&json!([
        {"id": "x", "tool": "told", "args": {"id": "x"}},
        {"id": "y", "tool": "told", "args": {"id": "y", "of": {"$ref": "x"}}},
        {"id": "z", "tool": "told", "args": {"id": "z", "of": {"$ref": "y"}}}]));
    let mut roots = Vec::new();
    for durability in [Durability::None, Durability::Barrier, Durability::Record] {
        let runs = tempfile::tempdir().unwrap();
        let (run, folder) =
            run_with(runs.path(), &plan, told_tool(), |options| options.durability = durability);
        roots.push(run.finish().await.content_root);
        assert!(verify(&folder, None).unwrap().ok, "{durability:?}");
    }
    assert!(roots.iter().all(|root| *root == roots[0]));
}

/// Counts how often its lines are made to survive a loss of power.
#[derive(Debug, Default)]
struct Counting(Arc<AtomicUsize>);

impl LedgerStore for Counting {
    fn append(&mut self, _: &[u8]) -> Result<(), LedgerError> {
        Ok(())
    }

    fn sync(&mut self) -> Result<(), LedgerError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

#[tokio::test]
async fn there_is_one_sync_a_barrier_and_two_more() {
    // Three layers, the reporter after them.
    let plan = steps(&json!([
        {"id": "x", "tool": "told", "args": {"id": "x"}},
        {"id": "y", "tool": "told", "args": {"id": "y", "of": {"$ref": "x"}}},
        {"id": "z", "tool": "told", "args": {"id": "z", "of": {"$ref": "y"}}}]));
    for (durability, most) in [(Durability::None, 0), (Durability::Barrier, 3 + 2), (Durability::Record, 200)]
    {
        let syncs = Arc::new(AtomicUsize::new(0));
        let registry = told_registry(vec![told_tool()]);
        let graph = graph(&plan, &registry);
        let options = RunOptions { durability, ..options(&plan, 4) };
        let recording = Recording::Store(Box::new(Counting(Arc::clone(&syncs))));
        let run =
            Run::start(Arc::clone(&graph), &approval(&graph), &Engine::new(registry), recording, options);
        run.unwrap().finish().await;
        let count = syncs.load(Ordering::Relaxed);
        assert!(count <= most, "{durability:?}: {count} syncs");
        assert!(durability != Durability::Record || count > 20, "{durability:?}: {count} syncs");
        assert!(durability != Durability::Barrier || count == most, "{durability:?}: {count} syncs");
    }
}
