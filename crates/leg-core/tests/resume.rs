//! A run that was stopped anywhere goes on, ends as if it had not been stopped, and makes no finished call twice.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{EntryKind, LEDGER, RunFolder, read, verify};
use leg_core::run::{Engine, ResumeError, Run, RunOutcome};
use leg_core::{FolderObjects, Plan, Registry, Status, ToolErrorKind};
use leg_testkit::{Calls, FakeTool};
use serde_json::{Value, json};
use support::{plan, registry, run_in};

/// Twelve nodes: agents, steps, a fan-out, a consolidator, a merge.
fn twelve() -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "a", "steps": [
            {"id": "x", "tool": "load", "args": {"values": [1.0, 2.0, 6.0]}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "x"}}},
            {"id": "each", "tool": "load", "args": {"values": {"$item": ""}},
             "for_each": {"items": [[1.0], [2.0]], "as": "v", "max": 5, "join": "concat"}},
            {"id": "never", "tool": "echo", "args": {},
             "when": {"ref": "m#/evidence/mean/value", "op": "gt", "value": 100}}]},
        {"id": "b", "layers": [
            {"nodes": [{"id": "o1", "agent": "gauge", "task": "one"}, {"id": "o2", "agent": "marks", "task": "two"}]},
            {"nodes": [{"id": "o3", "agent": "gauge", "task": "three"}]}]}]}))
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Leaves of a finished run what a kill at this byte of the ledger would have left.
fn killed_at(runs: &Path, byte: usize) -> RunFolder {
    let folder = RunFolder::open(&runs.join("test")).unwrap();
    let ledger = folder.path().join(LEDGER);
    let bytes = std::fs::read(&ledger).unwrap();
    std::fs::write(&ledger, &bytes[..byte]).unwrap();
    for file in folder.files().unwrap() {
        if file != LEDGER {
            std::fs::remove_file(folder.path().join(file)).unwrap();
        }
    }
    folder
}

async fn resume(runs: &Path, folder: &RunFolder, registry: &Arc<Registry>) -> RunOutcome {
    let engine =
        Engine::new(Arc::clone(registry)).with_objects(Arc::new(FolderObjects::new(runs.join("objects"))));
    Run::resume(folder.clone(), &engine, 8).unwrap().finish().await
}

/// The digests of all records that are compared, in an order of their own.
fn cores(folder: &RunFolder) -> Vec<String> {
    let reading = read(&folder.read(LEDGER).unwrap(), LEDGER);
    let mut cores: Vec<String> =
        reading.entries.iter().filter(|e| e.is_compared()).map(|e| e.h_core.to_string()).collect();
    cores.sort();
    cores
}

#[tokio::test]
async fn a_run_that_was_cut_at_any_line_and_inside_the_last_two_ends_as_the_whole_one() {
    let own = || vec![FakeTool::series("load", &[1.0, 2.0])];
    let original = tempfile::tempdir().unwrap();
    let (whole, folder) = run_in(original.path(), &twelve(), &registry(own())).await;
    assert_eq!(whole.status, Status::Ok, "{:?}", whole.report.gaps);
    let bytes = folder.read(LEDGER).unwrap();
    let entries = read(&bytes, LEDGER).entries;
    let expected = cores(&folder);
    let report = folder.read("report.json").unwrap();
    let ends: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
    let opened = entries.iter().position(|entry| entry.kind == EntryKind::PlanApproved).unwrap();
    let inside = (ends[ends.len() - 3]..bytes.len()).step_by(7);
    for cut in ends[opened..ends.len() - 1].iter().copied().chain(inside) {
        let runs = tempfile::tempdir().unwrap();
        copy(original.path(), runs.path());
        let folder = killed_at(runs.path(), cut);
        let load = FakeTool::series("load", &[1.0, 2.0]);
        let calls = load.calls();
        let outcome = resume(runs.path(), &folder, &registry(vec![load])).await;
        assert_eq!(outcome.content_root, whole.content_root, "cut at {cut}");
        assert_eq!(cores(&folder), expected, "cut at {cut}");
        assert_eq!(folder.read("report.json").unwrap(), report, "cut at {cut}");
        let verification = verify(&folder, None).unwrap();
        assert!(verification.ok, "cut at {cut}: {:?}", verification.faults);
        let finished = entries
            .iter()
            .zip(&ends)
            .filter(|(entry, end)| **end <= cut && entry.kind == EntryKind::CallFinished)
            .filter(|(entry, _)| {
                ["x", "each[0]", "each[1]"].iter().any(|node| entry.text("node") == Some(node))
            })
            .count();
        assert_eq!(calls.count(), 3 - finished, "cut at {cut}");
    }
}

#[tokio::test]
async fn a_finished_run_has_nothing_to_resume_and_a_changed_tool_is_refused() {
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &twelve(), &registry(vec![])).await;
    let engine = |registry| {
        Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))))
    };
    let error = Run::resume(folder.clone(), &engine(registry(vec![])), 4).unwrap_err();
    assert!(matches!(error, ResumeError::Finished { status: Status::Ok }), "{error}");
    let other = registry(vec![FakeTool::series("load", &[9.0]).with_spec(|spec| spec.version = 2)]);
    let ledger = folder.path().join(LEDGER);
    let bytes = std::fs::read(&ledger).unwrap();
    std::fs::write(&ledger, &bytes[..bytes.len() - 5]).unwrap();
    let error = Run::resume(folder, &engine(other), 4).unwrap_err();
    assert!(matches!(error, ResumeError::Changed { .. }), "{error}");
}

fn steps(steps: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]}))
}

#[tokio::test]
async fn a_failed_run_is_opened_again_and_only_what_failed_runs_again() {
    let plan = steps(&json!([
        {"id": "x", "tool": "load", "args": {}},
        {"id": "y", "tool": "echo", "args": {"of": {"$ref": "x"}}},
        {"id": "z", "tool": "observe", "args": {"of": {"$ref": "y"}}}]));
    let tools = |broken: bool| {
        let load = FakeTool::series("load", &[1.0]);
        let mut observe = FakeTool::echo("observe");
        if broken {
            observe = observe.failing(usize::MAX, ToolErrorKind::NoData);
        }
        let calls: [Calls; 2] = [load.calls(), observe.calls()];
        (registry(vec![load, observe]), calls)
    };
    let runs = tempfile::tempdir().unwrap();
    let (broken, _) = tools(true);
    let (outcome, folder) = run_in(runs.path(), &plan, &broken).await;
    assert_eq!(outcome.status, Status::Failed);
    let (mended, [loads, observed]) = tools(false);
    let again = resume(runs.path(), &folder, &mended).await;
    assert_eq!(again.status, Status::Ok);
    assert_eq!((loads.count(), observed.count()), (0, 1));
    let verification = verify(&folder, None).unwrap();
    assert!(verification.ok, "{:?}", verification.faults);
    assert_eq!(verification.content_root, Some(again.content_root));
    // The same plan without a failure has the same content root.
    let other = tempfile::tempdir().unwrap();
    let (whole, _) = run_in(other.path(), &plan, &tools(false).0).await;
    assert_eq!(whole.content_root, again.content_root);
}

#[tokio::test]
async fn a_write_that_was_on_its_way_is_never_made_again() {
    let plan = steps(&json!([
        {"id": "w", "tool": "publish", "args": {"k": 1}}, {"id": "x", "tool": "load", "args": {}}]));
    let tools = || {
        let publish = FakeTool::echo("publish").effect(leg_core::Effect::Write);
        let calls = publish.calls();
        (registry(vec![publish]), calls)
    };
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &plan, &tools().0).await;
    let bytes = folder.read(LEDGER).unwrap();
    let mut at = 0;
    for (entry, line) in read(&bytes, LEDGER).entries.iter().zip(bytes.split_inclusive(|b| *b == b'\n')) {
        at += line.len();
        if entry.kind == EntryKind::CallStarted && entry.text("node") == Some("w") {
            break;
        }
    }
    let folder = {
        assert!(at < bytes.len());
        killed_at(runs.path(), at)
    };
    let (registry, calls) = tools();
    let outcome = resume(runs.path(), &folder, &registry).await;
    assert_eq!(calls.count(), 0);
    let node = outcome.nodes.iter().find(|node| node.id.as_str() == "w").unwrap();
    assert_eq!(node.output.status, Status::OutcomeUnknown);
    assert!(outcome.report.gaps.iter().any(|gap| gap.reason.contains("nobody knows")));
    assert!(verify(&folder, None).unwrap().ok);
}
