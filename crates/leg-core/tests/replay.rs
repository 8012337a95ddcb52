//! The ledger on disk: verify finds every change, replay gives every record again.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{FaultKind, LEDGER, MANIFEST, RunFolder, read, trace, verify};
use leg_core::replay::replay;
use leg_core::routing::Router;
use leg_core::run::{Engine, Recording, Roles, Run};
use leg_core::{FolderObjects, Plan, Status};
use leg_testkit::FakeTool;
use serde_json::json;
use support::{approval, graph, options, plan, registry, run, run_in};

/// Two tracks, steps and agents, a picture, a large argument, a skipped node and a failure.
fn mixed() -> Plan {
    let values: Vec<f64> = (0..200).map(f64::from).collect();
    plan(json!({"version": 1, "question": "What happened?", "tracks": [
        {"id": "ocean", "goal": "series", "steps": [
            {"id": "sst", "tool": "load", "args": {"values": values}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
            {"id": "fig", "tool": "draw", "args": {"data": {"$ref": "sst"}}},
            {"id": "no", "tool": "echo", "args": {}, "when": {"ref": "m#/evidence/mean/value", "op": "lt", "value": 0}},
            {"id": "bad", "tool": "flood_zone", "args": {"of": {"$ref": "no"}}}]},
        {"id": "surge", "goal": "levels", "layers": [
            {"nodes": [{"id": "track", "agent": "tracker", "task": "best track"}]},
            {"nodes": [{"id": "gauges", "agent": "gauge", "task": "levels"}, {"id": "hwm", "agent": "marks", "task": "marks"}]}]}]}))
}

fn world() -> Arc<leg_core::Registry> {
    let zones =
        FakeTool::echo("flood_zone").data_class(leg_core::DataClass::Hypothetical).external("zones.example");
    registry(vec![zones.failing(usize::MAX, leg_core::ToolErrorKind::NoData)])
}

#[tokio::test]
async fn a_run_verifies_and_replays_without_calling_a_tool() {
    let runs = tempfile::tempdir().unwrap();
    let (outcome, folder) = run_in(runs.path(), &mixed(), &world()).await;
    assert_eq!(outcome.status, Status::Ok);
    let found = verify(&folder, None).unwrap();
    assert!(found.ok, "{:#?}", found.faults);
    assert_eq!(found.content_root, Some(outcome.content_root));
    assert_eq!(Some(found.log_root), outcome.log_root);
    assert!(verify(&folder, Some(&outcome.content_root)).unwrap().ok);
    let other = leg_core::Digest::of(leg_core::Domain::Run, b"other");
    assert_eq!(verify(&folder, Some(&other)).unwrap().faults[0].kind, FaultKind::Root);
    // The same definitions, and every call would be an end of the test.
    let dead: Vec<FakeTool> = leg_testkit::fake_tools().into_iter().map(FakeTool::panicking).collect();
    let calls: Vec<_> = dead.iter().map(FakeTool::calls).collect();
    let registry = registry(dead);
    for concurrency in [1, 2, 16] {
        let again = replay(&folder, Arc::clone(&registry), &Router::default(), Roles::default(), concurrency)
            .await
            .unwrap();
        assert!(again.ok, "{:#?}", again.divergence);
        assert_eq!(again.content_root, Some(outcome.content_root));
    }
    assert!(calls.iter().all(|calls| calls.count() == 0));
}

#[tokio::test]
async fn the_content_root_does_not_depend_on_threads_and_the_data_decides_it() {
    let plan = mixed();
    let mut roots = Vec::new();
    for concurrency in [1, 2, 16] {
        roots.push(run(&plan, &world(), concurrency).await.0.content_root);
    }
    assert!(roots.iter().all(|root| *root == roots[0]), "{roots:?}");
    let mut json = plan.to_json();
    json["tracks"][0]["steps"][0]["args"]["values"][7] = json!(7.5);
    let other = run(&support::plan(json), &world(), 2).await.0.content_root;
    assert_ne!(other, roots[0]);
}

#[tokio::test]
async fn another_consolidator_is_the_first_divergence() {
    #[derive(Debug)]
    struct Loud;
    #[async_trait::async_trait]
    impl leg_core::Fold for Loud {
        fn name(&self) -> String {
            "loud/1".into()
        }
        async fn fold(&self, _: leg_core::FoldInput) -> Result<leg_core::Brief, leg_core::ToolError> {
            Ok(leg_core::Brief::new("LOUD"))
        }
    }
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &mixed(), &world()).await;
    let roles = Roles { consolidator: Arc::new(Loud), ..Roles::default() };
    let again = replay(&folder, world(), &Router::default(), roles, 4).await.unwrap();
    let divergence = again.divergence.unwrap();
    assert_eq!(divergence.kind, "merge");
    assert_eq!(divergence.replayed.unwrap()["text"], "LOUD");
}

#[tokio::test]
async fn a_changed_definition_is_a_divergence_at_the_approval() {
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &mixed(), &world()).await;
    let changed = registry(vec![FakeTool::mean("mean").with_spec(|spec| spec.version += 1)]);
    let again = replay(&folder, changed, &Router::default(), Roles::default(), 4).await.unwrap();
    assert!(!again.ok);
    assert_eq!(again.divergence.unwrap().kind, "plan_approved");
}

#[tokio::test]
async fn every_changed_byte_is_found_and_its_file_named() {
    let runs = tempfile::tempdir().unwrap();
    let small = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "x", "tool": "load", "args": {"values": [1.0, 2.0]}}, {"id": "f", "tool": "draw", "args": {"data": {"$ref": "x"}}}]}]}));
    let (_, folder) = run_in(runs.path(), &small, &registry(vec![])).await;
    let mut files: Vec<_> =
        folder.files().unwrap().into_iter().map(|name| folder.path().join(name)).collect();
    objects(&runs.path().join("objects"), &mut files);
    let ledger = folder.read(LEDGER).unwrap();
    let last = ledger[..ledger.len() - 1].iter().rposition(|b| *b == b'\n').unwrap();
    for at in (0..last).step_by(7) {
        // A byte of a line that another follows: the chain alone finds it, and names the line or the next.
        let mut changed = ledger.clone();
        changed[at] ^= 1;
        let line = ledger[..at].split(|b| *b == b'\n').count();
        let places: Vec<String> =
            read(&changed, LEDGER).faults.into_iter().map(|fault| fault.place).collect();
        let near = |n: usize| places.contains(&format!("{LEDGER}:{n}"));
        assert!(near(line) || near(line + 1), "byte {at}, line {line}: {places:?}");
    }
    for file in files {
        let whole = fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        // The last line of the ledger to the byte; of the rest, bytes here and there.
        let first = if name == LEDGER { last } else { 0 };
        let step = if name == LEDGER { 3 } else { 97 };
        for at in (first..whole.len()).step_by(step).chain([whole.len() - 1]) {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            fs::write(&file, &changed).unwrap();
            let found = verify(&folder, None).unwrap();
            assert!(!found.ok, "byte {at} of {name}");
            let named = found.faults.iter().any(|fault| {
                let object = name.len() == 62 && fault.message.contains(&name);
                object || fault.place.contains(&name)
            });
            assert!(named, "byte {at} of {name}: {:?}", found.faults);
        }
        fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        assert!(!verify(&folder, None).unwrap().ok, "{name} cut short");
        fs::write(&file, &whole).unwrap();
    }
    assert!(verify(&folder, None).unwrap().ok);
}

fn objects(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.path().is_dir() {
            objects(&entry.path(), found);
        } else {
            found.push(entry.path());
        }
    }
}

#[tokio::test]
async fn lost_swapped_and_added_lines_and_files_are_found() {
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &mixed(), &world()).await;
    let path = folder.path().join(LEDGER);
    let whole = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = whole.lines().collect();
    let write = |lines: &[&str]| {
        fs::write(&path, lines.join("\n") + "\n").unwrap();
    };
    for at in 0..lines.len() {
        let mut cut = lines.clone();
        cut.remove(at);
        write(&cut);
        assert!(!verify(&folder, None).unwrap().ok, "line {at} removed");
        if at + 1 < lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(at, at + 1);
            write(&swapped);
            assert!(!verify(&folder, None).unwrap().ok, "lines {at} swapped");
        }
    }
    // The end of the ledger and its manifest taken away together.
    write(&lines[..lines.len() - 3]);
    let _ = fs::remove_file(folder.path().join(MANIFEST));
    let kinds: Vec<FaultKind> =
        verify(&folder, None).unwrap().faults.iter().map(|fault| fault.kind).collect();
    assert!(kinds.contains(&FaultKind::Unfinished), "{kinds:?}");
    write(&lines);
    folder.write_manifest().unwrap();
    assert!(verify(&folder, None).unwrap().ok);
    fs::write(folder.path().join("extra.txt"), "x").unwrap();
    assert_eq!(verify(&folder, None).unwrap().faults[0].kind, FaultKind::UnknownFile);
}

#[tokio::test]
async fn a_number_is_traced_to_the_call_that_gave_it_and_on() {
    let runs = tempfile::tempdir().unwrap();
    let (_, folder) = run_in(runs.path(), &mixed(), &world()).await;
    let found = trace(&folder, "m.mean").unwrap();
    let nodes: Vec<&str> = found.calls.iter().map(|call| call.node.as_str()).collect();
    assert_eq!(nodes, ["m", "sst"]);
    assert!(
        found.calls[1].args["values"].as_array().unwrap().len() == 200,
        "a large argument is found in its object"
    );
    let id = found.evidence.id.clone().unwrap();
    assert_eq!(trace(&folder, id.as_str()).unwrap().evidence, found.evidence);
    assert!(trace(&folder, "E999").unwrap_err().to_string().contains("E1 to E"));
}

#[tokio::test]
async fn a_run_folder_is_used_once_and_a_read_only_one_is_refused() {
    let runs = tempfile::tempdir().unwrap();
    let plan = mixed();
    let (_, folder) = run_in(runs.path(), &plan, &world()).await;
    let registry = world();
    let graph = graph(&plan, &registry);
    let engine =
        Engine::new(registry).with_objects(Arc::new(FolderObjects::new(runs.path().join("objects"))));
    let again = Run::start(
        Arc::clone(&graph),
        &approval(&graph),
        &engine,
        Recording::Folder(folder),
        options(&plan, 1),
    );
    assert!(again.unwrap_err().to_string().contains("exists already"));
    let file = runs.path().join("file");
    fs::write(&file, "x").unwrap();
    let folder = RunFolder::new(&file, &options(&plan, 1).id);
    let start = Run::start(
        Arc::clone(&graph),
        &approval(&graph),
        &engine,
        Recording::Folder(folder),
        options(&plan, 1),
    );
    assert!(start.unwrap_err().to_string().contains("writable"));
}
