//! Run crates of runs of every sort, read strictly.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

#[path = "support/exported_runs.rs"]
mod exported_runs;
mod support;

use std::path::PathBuf;
use std::sync::Arc;

use exported_runs::{eventful, rich};
use leg_core::export::{ExportError, export};
use leg_core::ledger::{FaultKind, RunFolder, SigningKey, sign, verify};
use leg_core::run::{Engine, Recording, Run};
use leg_core::{FolderObjects, Status, ToolErrorKind};
use leg_testkit::{FakeTool, check_run_crate, check_run_crate_document};
use serde_json::{Value, json};
use support::{plan, registry, run_in};
use tempfile::TempDir;

fn crate_of(folder: &TempDir, run: &RunFolder) -> PathBuf {
    let path = folder.path().join("crate");
    export(run, "ro-crate", &path).unwrap();
    path
}

fn document(path: &std::path::Path) -> Value {
    serde_json::from_slice(&std::fs::read(path.join("ro-crate-metadata.json")).unwrap()).unwrap()
}

fn of_kind<'a>(document: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = document["@graph"].as_array().unwrap().iter();
    all.filter(|entity| entity["@type"] == kind).collect()
}

#[tokio::test]
async fn a_rich_run_is_a_strict_crate_and_still_a_run_folder() {
    let (folder, run) = rich().await;
    let path = crate_of(&folder, &run);
    assert_eq!(check_run_crate(&path), Vec::<String>::new());
    let crate_run = RunFolder::open(&path).unwrap();
    let verified = verify(&crate_run, None).unwrap();
    assert!(verified.ok, "{:?}", verified.faults);
    let document = document(&path);
    let failed: Vec<&Value> = of_kind(&document, "CreateAction")
        .into_iter()
        .filter(|action| action["actionStatus"] == "http://schema.org/FailedActionStatus")
        .collect();
    assert_eq!(failed.len(), 1);
    assert!(failed[0]["error"].as_str().unwrap().starts_with("no_data: "), "{}", failed[0]);
    // `after` was skipped and `never` had nothing to do: gaps and plan, no steps.
    let steps: Vec<&str> =
        of_kind(&document, "HowToStep").iter().map(|step| step["name"].as_str().unwrap()).collect();
    let expected = [
        "sst",
        "each",
        "each[0]",
        "each[1]",
        "all",
        "bad",
        "m",
        "two",
        "chart",
        "track",
        "g",
        "h",
        "consolidator_surge_2",
        "merge",
        "reporter",
    ];
    let mut sorted = (steps.clone(), expected.to_vec());
    sorted.0.retain(|step| !step.starts_with("image"));
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    assert_eq!(sorted.0, sorted.1);
    // A crate of a crate is the same crate.
    let again = folder.path().join("again");
    export(&crate_run, "ro-crate", &again).unwrap();
    assert_eq!(document.to_string(), self::document(&again).to_string());
}

#[tokio::test]
async fn a_changed_description_is_found_and_a_later_signature_is_no_change() {
    let (folder, run) = rich().await;
    let path = crate_of(&folder, &run);
    let crate_run = RunFolder::open(&path).unwrap();
    let description = path.join("ro-crate-metadata.json");
    let whole = std::fs::read(&description).unwrap();
    let step = whole.len() / 100;
    for at in (0..whole.len()).step_by(step) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        std::fs::write(&description, &changed).unwrap();
        let found = verify(&crate_run, None).unwrap().faults;
        assert_eq!(found.len(), 1, "byte {at}: {found:?}");
        assert_eq!(
            (found[0].place.as_str(), found[0].kind),
            ("ro-crate-metadata.json", FaultKind::ChangedFile)
        );
    }
    std::fs::write(&description, &whole).unwrap();
    sign(&crate_run, &SigningKey::from_seed(&[1; 32])).unwrap();
    let signed = verify(&crate_run, None).unwrap();
    assert!(signed.ok, "{:?}", signed.faults);
    // One that names the signature is as good.
    let again = folder.path().join("again");
    export(&crate_run, "ro-crate", &again).unwrap();
    assert_ne!(std::fs::read(again.join("ro-crate-metadata.json")).unwrap(), whole);
    let signed = verify(&RunFolder::open(&again).unwrap(), None).unwrap();
    assert!(signed.ok, "{:?}", signed.faults);
    assert_eq!(signed.signed_by.len(), 1);
}

#[tokio::test]
async fn whatever_is_left_out_is_noticed() {
    let (folder, run) = rich().await;
    let path = crate_of(&folder, &run);
    let whole = document(&path);
    assert!(check_run_crate_document(&path, &whole).is_empty());
    let graph = whole["@graph"].as_array().unwrap();
    for (at, entity) in graph.iter().enumerate() {
        let id = entity["@id"].as_str().unwrap();
        let mut without = whole.clone();
        without["@graph"].as_array_mut().unwrap().remove(at);
        assert!(!check_run_crate_document(&path, &without).is_empty(), "`{id}` is not missed");
        // Gone with all that leads to it, as if it had never been written.
        for entity in without["@graph"].as_array_mut().unwrap() {
            entity.as_object_mut().unwrap().retain(|_, value| {
                if let Value::Array(values) = value {
                    values.retain(|value| value["@id"] != id);
                }
                value["@id"] != id && value.as_array().is_none_or(|values| !values.is_empty())
            });
        }
        assert!(
            !check_run_crate_document(&path, &without).is_empty(),
            "`{id}` is not missed when nothing names it"
        );
    }
}

#[tokio::test]
async fn a_broken_link_of_any_property_is_noticed() {
    let (folder, run) = rich().await;
    let path = crate_of(&folder, &run);
    let whole = document(&path);
    assert!(check_run_crate_document(&path, &whole).is_empty());
    let needed = [
        "conformsTo",
        "about",
        "mainEntity",
        "hasPart",
        "mentions",
        "license",
        "programmingLanguage",
        "step",
        "workExample",
        "exampleOfWork",
        "position",
        "instrument",
        "object",
        "agent",
        "startTime",
        "endTime",
        "actionStatus",
        "error",
        "resourceUsage",
        "propertyID",
        "additionalType",
        "sourceParameter",
        "targetParameter",
        "connection",
        "sha256",
        "softwareVersion",
        "input",
        "output",
    ];
    for (at, entity) in whole["@graph"].as_array().unwrap().iter().enumerate() {
        for property in needed.iter().filter(|property| entity.get(**property).is_some()) {
            let mut without = whole.clone();
            without["@graph"][at].as_object_mut().unwrap().remove(*property);
            let faults = check_run_crate_document(&path, &without);
            assert!(!faults.is_empty(), "`{property}` of {} is not missed", entity["@id"]);
        }
    }
}

#[tokio::test]
async fn a_run_that_failed_is_a_crate_too() {
    let folder = tempfile::tempdir().unwrap();
    let broken = FakeTool::series("load", &[1.0]).failing(usize::MAX, ToolErrorKind::Unavailable);
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "t", "steps": [{"id": "x", "tool": "load", "args": {}, "retries": 0}]}]}));
    let (outcome, run) = run_in(folder.path(), &plan, &registry(vec![broken])).await;
    assert_eq!(outcome.status, Status::Failed);
    let path = crate_of(&folder, &run);
    assert_eq!(check_run_crate(&path), Vec::<String>::new());
}

#[tokio::test]
async fn a_run_in_which_nothing_started_has_no_process_to_describe() {
    let folder = tempfile::tempdir().unwrap();
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "t", "steps": [{"id": "x", "tool": "load", "args": {}}]}]}));
    let registry = registry(vec![]);
    let graph = support::graph(&plan, &registry);
    let engine = Engine::new(Arc::clone(&registry))
        .with_objects(Arc::new(FolderObjects::new(folder.path().join("objects"))));
    let options = support::options(&plan, 1);
    let run = RunFolder::new(folder.path(), &options.id);
    let approval = support::approval(&graph);
    let started = Run::start(graph, &approval, &engine, Recording::Folder(run.clone()), options).unwrap();
    started.stopper().cancel();
    started.finish().await;
    let refused = export(&run, "ro-crate", &folder.path().join("crate"));
    assert!(matches!(refused, Err(ExportError::NothingRan)), "{refused:?}");
    assert!(!folder.path().join("crate").exists());
    export(&run, "bundle", &folder.path().join("bundle")).unwrap();
}

#[tokio::test]
async fn a_run_of_several_plans_and_sessions_is_a_strict_crate() {
    let (folder, run) = eventful().await;
    let path = crate_of(&folder, &run);
    let ledger = std::fs::read_to_string(path.join("ledger.jsonl")).unwrap();
    for cause in ["sub_graph", "replan", "resume"] {
        assert!(ledger.contains(&format!("\"cause\":\"{cause}\"")), "no {cause}");
    }
    assert_eq!(check_run_crate(&path), Vec::<String>::new());
    let document = document(&path);
    let steps: Vec<&str> =
        of_kind(&document, "HowToStep").iter().map(|step| step["name"].as_str().unwrap()).collect();
    for step in ["own", "own__a", "own__b"] {
        assert!(steps.contains(&step), "{steps:?}");
    }
    let bundle = folder.path().join("bundle");
    export(&run, "bundle", &bundle).unwrap();
    assert!(verify(&RunFolder::open(&bundle).unwrap(), None).unwrap().ok);
}
