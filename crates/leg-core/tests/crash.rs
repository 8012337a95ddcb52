//! A run whose process is killed at any moment goes on, ends as if it had not been killed, and makes no finished call
//! twice; of two that go on with it at once, one does.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]
#![expect(clippy::disallowed_methods, reason = "the environment tells the child what it is")]

mod support;

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use leg_core::ledger::{EntryKind, LEDGER, LedgerError, RunFolder, read, verify};
use leg_core::run::{Engine, LockError, ResumeError, Run, RunOutcome};
use leg_core::{Digest, FolderObjects, Plan, Registry, Status};
use leg_testkit::told_world::{told_registry, told_tool};
use serde_json::json;
use support::{plan, run_in};

const FOLDER: &str = "LEG_TEST_CRASH_FOLDER";

/// Twelve nodes: steps, a fan-out, agents with two calls each, and what the engine adds.
fn twelve() -> Plan {
    let call = |id: &str| json!(["told", {"id": id, "ms": 3}]);
    let agent = |id: &str| {
        let calls = json!({"calls": [call(&format!("{id}_1")), call(&format!("{id}_2"))]});
        json!({"id": id, "agent": "told", "task": calls.to_string()})
    };
    plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "a", "steps": [
            {"id": "x", "tool": "told", "args": {"id": "x", "ms": 3, "list": [1, 2, 3]}},
            {"id": "y", "tool": "told", "args": {"id": "y", "ms": 4, "of": {"$ref": "x"}}},
            {"id": "each", "tool": "told", "args": {"id": {"$item": ""}, "ms": 3},
             "for_each": {"items": {"$ref": "x#/evidence/list/value"}, "as": "n", "join": "table"}},
            {"id": "z", "tool": "told", "args": {"id": "z", "ms": 3, "of": [{"$ref": "y"}, {"$ref": "each"}]}}]},
        {"id": "b", "layers": [
            {"nodes": [agent("p"), agent("q")]}, {"nodes": [agent("r"), agent("s")]}]}]}))
}

fn world(runs: &Path) -> Arc<Registry> {
    told_registry(vec![told_tool().counting_in(runs.join("counter"))])
}

/// What the child process does: it runs the plan, and says when it has begun.
#[test]
fn child_runs_until_it_is_killed() {
    let Ok(runs) = std::env::var(FOLDER) else { return };
    let runs = Path::new(&runs);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    println!("\nruns");
    runtime.block_on(run_in(runs, &twelve(), &world(runs)));
}

fn killed_after(runs: &Path, time: Duration) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child_runs_until_it_is_killed", "--nocapture"])
        .env(FOLDER, runs)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(output.any(|line| line == "runs"));
    std::thread::sleep(time);
    child.kill().unwrap();
    child.wait().unwrap();
}

/// How often each call was made.
fn counted(runs: &Path) -> BTreeMap<String, usize> {
    let text = std::fs::read_to_string(runs.join("counter")).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        *counts.entry(line.trim_matches('"').to_owned()).or_default() += 1;
    }
    counts
}

/// The ids in the arguments of the calls that a ledger says are finished.
fn finished(folder: &RunFolder) -> Vec<String> {
    let entries = read(&folder.read(LEDGER).unwrap(), LEDGER).entries;
    let ended = |call: &str| {
        entries.iter().any(|e| e.kind == EntryKind::CallFinished && e.text("call_id") == Some(call))
    };
    let started = entries.iter().filter(|entry| entry.kind == EntryKind::CallStarted);
    let id = |id: &serde_json::Value| id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    started
        .filter(|entry| ended(entry.text("call_id").unwrap()))
        .map(|entry| id(&entry.core["args"]["id"]))
        .collect()
}

fn engine(runs: &Path) -> Engine {
    Engine::new(world(runs)).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))))
}

fn resume(runs: &Path, folder: &RunFolder) -> Result<RunOutcome, ResumeError> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    runtime.block_on(async { Ok(Run::resume(folder.clone(), &engine(runs), 8)?.finish().await) })
}

/// One kill; says whether there was anything left to do.
fn one_kill(n: u64, root: Digest, report: &[u8]) -> bool {
    let runs = tempfile::tempdir().unwrap();
    let runs = runs.path();
    // Anywhere in the run, which takes some 30 ms, and some after its end.
    killed_after(runs, Duration::from_micros(n.wrapping_mul(0x9E37_79B9_7F4A_7C15) % 40_000));
    let Ok(folder) = RunFolder::open(&runs.join("test")) else { return false };
    let entries = read(&folder.read(LEDGER).unwrap(), LEDGER).entries;
    if !entries.iter().any(|entry| entry.kind == EntryKind::PlanApproved) {
        // Killed before anybody was told that the run has begun.
        return false;
    }
    let before = finished(&folder);
    match resume(runs, &folder) {
        Ok(outcome) => assert_eq!(outcome.content_root, root, "kill {n}"),
        Err(error) => {
            assert!(matches!(error, ResumeError::Finished { status: Status::Ok }), "kill {n}: {error}");
            return false;
        }
    }
    assert_eq!(folder.read("report.json").unwrap(), report, "kill {n}");
    let found = verify(&folder, Some(&root)).unwrap();
    assert!(found.ok, "kill {n}: {:?}", found.faults);
    let counts = counted(runs);
    assert_eq!(counts.len(), 14, "{counts:?}");
    for id in &before {
        assert_eq!(counts[id], 1, "kill {n}: `{id}` was finished");
    }
    // What was on its way may have been made, and is made again: once.
    assert!(counts.values().all(|count| *count <= 2), "kill {n}: {counts:?}");
    true
}

#[test]
fn a_run_killed_at_any_moment_goes_on_and_repeats_no_finished_call() {
    let original = tempfile::tempdir().unwrap();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let (whole, folder) = runtime.block_on(run_in(original.path(), &twelve(), &world(original.path())));
    assert_eq!(whole.status, Status::Ok);
    assert!(counted(original.path()).values().all(|count| *count == 1));
    let report = folder.read("report.json").unwrap();
    let resumed: usize = std::thread::scope(|scope| {
        let part = |first: u64| {
            let report = &report;
            move || (0..50).filter(|n| one_kill(first + 4 * n, whole.content_root, report)).count()
        };
        let threads: Vec<_> = (0..4).map(|first| scope.spawn(part(first))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).sum()
    });
    println!("{resumed} of 200 killed runs had something left to do");
    assert!(resumed > 40, "{resumed}");
}

#[test]
fn of_two_that_go_on_at_once_one_does_and_the_other_hears_who() {
    let runs = tempfile::tempdir().unwrap();
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
    let (whole, folder) = runtime.block_on(run_in(runs.path(), &twelve(), &world(runs.path())));
    let ledger = folder.path().join(LEDGER);
    let bytes = std::fs::read(&ledger).unwrap();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    std::fs::write(&ledger, lines[..lines.len() / 2].concat()).unwrap();
    runtime.block_on(async {
        let engine = engine(runs.path());
        let first = Run::resume(folder.clone(), &engine, 4).unwrap();
        let second = Run::resume(folder.clone(), &engine, 4).unwrap_err();
        let ResumeError::Ledger(LedgerError::Owner(LockError::RunLocked { owner: Some(owner), .. })) = second
        else {
            panic!("{second}")
        };
        assert_eq!((owner.owner.as_str(), owner.pid), ("resume", std::process::id()));
        assert!(owner.fence > 1, "higher than that of the session that was cut");
        assert_eq!(first.finish().await.content_root, whole.content_root);
    });
    assert!(verify(&folder, None).unwrap().ok);
    assert!(!folder.path().join(leg_core::ledger::LOCK).exists(), "a run that has ended is free");
    // Threads at once, again and again.
    for cut in [lines.len() / 3, lines.len() - 2] {
        std::fs::write(&ledger, lines[..cut].concat()).unwrap();
        let ends: Vec<Result<RunOutcome, ResumeError>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| resume(runs.path(), &folder))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for end in &ends {
            match end {
                Ok(outcome) => assert_eq!(outcome.content_root, whole.content_root),
                Err(ResumeError::Ledger(LedgerError::Owner(_)) | ResumeError::Finished { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
        assert_eq!(ends.iter().filter(|end| end.is_ok()).count(), 1);
        assert!(verify(&folder, None).unwrap().ok);
    }
}
