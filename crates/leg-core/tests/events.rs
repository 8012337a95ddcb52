//! Events of real runs keep what `docs/events.md` promises.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::run::{Change, EventStream, RevisionCause, RunEvent, event_schema};
use leg_core::{Status, ToolErrorKind};
use leg_testkit::FakeTool;
use serde_json::json;
use support::{options, plan, registry, start};

async fn rest(mut stream: EventStream) -> Vec<Arc<RunEvent>> {
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        events.push(event);
    }
    events
}

fn type_of(event: &RunEvent) -> String {
    serde_json::to_value(event).unwrap()["event"]["type"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_run_tells_every_change_of_state_once_and_in_order() {
    let plan = plan(json!({"version": 1, "question": "?", "tracks": [
        {"id": "sea", "steps": [
            {"id": "all", "tool": "load", "args": {"offset": {"$item": ""}},
             "for_each": {"items": [1, 2, 3], "as": "n"}},
            {"id": "gone", "tool": "observe", "args": {}},
            {"id": "mean", "tool": "echo", "args": {"data": {"$ref": "gone"}}},
            {"id": "never", "tool": "echo", "args": {},
             "when": {"ref": "all#/status", "op": "eq", "value": "failed"}}]},
        {"id": "coast", "layers": [
            {"nodes": [{"id": "a", "agent": "tracker", "task": "t"}]},
            {"nodes": [{"id": "b", "agent": "gauge", "task": "t"}, {"id": "c", "agent": "marks", "task": "t"}]}]}]}));
    let registry = registry(vec![FakeTool::echo("observe").failing(9, ToolErrorKind::NoData)]);
    let (run, _ledger) = start(&plan, &registry, options(&plan, 8));
    let (all, half) = (run.events(), run.events_from(12));
    let (outcome, all, half) = tokio::join!(run.finish(), rest(all), rest(half));
    assert_eq!(outcome.status, Status::Ok);
    let changes: Vec<Arc<RunEvent>> =
        all.iter().filter(|event| !event.event.is_sign_of_life()).cloned().collect();
    let seqs: Vec<u64> = changes.iter().map(|event| event.seq).collect();
    assert_eq!(seqs, (0..changes.len() as u64).collect::<Vec<_>>());
    assert_eq!(half.iter().filter(|event| !event.event.is_sign_of_life()).count(), changes.len() - 12);
    assert_eq!(type_of(&changes[0]), "run_started");
    assert_eq!(changes.iter().filter(|event| type_of(event) == "run_finished").count(), 1);
    assert_eq!(type_of(changes.last().unwrap()), "run_finished");

    let schema = event_schema();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let mut state: BTreeMap<String, &str> = BTreeMap::new();
    for event in &all {
        let json = serde_json::to_value(event.as_ref()).unwrap();
        assert!(validator.is_valid(&json), "{json}");
        match &event.event {
            Change::NodeStarted { node, .. } => {
                assert_eq!(state.insert(node.to_string(), "open"), None, "{node} starts once");
            }
            Change::CallStarted { node, .. } | Change::CallFinished { node, .. } => {
                assert_eq!(state.get(node.as_str()), Some(&"open"), "{node} calls while it runs");
            }
            Change::NodeFinished { node, status, .. } => {
                let before = state.insert(node.to_string(), "ended");
                assert!(
                    before == Some("open") || (before.is_none() && !status.is_ok()),
                    "{node}: {before:?}"
                );
            }
            // A step that fans out starts with its expansion.
            Change::PlanRevision { node: Some(node), .. } => {
                state.insert(node.to_string(), "open");
            }
            Change::Gap { node, .. } => assert!(state.get(node.as_str()) != Some(&"ended"), "{node}"),
            _ => {}
        }
    }
    assert!(state.values().all(|state| *state == "ended"), "{state:?}");
    for node in ["all", "all[0]", "all[2]", "gone", "mean", "never", "a", "b", "c"] {
        assert!(state.contains_key(node), "{node} ended");
    }
    let gaps: Vec<String> = changes
        .iter()
        .filter_map(|event| match &event.event {
            Change::Gap { node, .. } => Some(node.to_string()),
            _ => None,
        })
        .collect();
    assert!(gaps.contains(&"gone".to_owned()) && gaps.contains(&"mean".to_owned()), "{gaps:?}");
    assert!(changes.iter().any(|event| matches!(
        &event.event,
        Change::PlanRevision { cause: RevisionCause::ForEach, node: Some(node), children, rev: 0 }
            if node.as_str() == "all" && children.len() == 3
    )));
}

#[tokio::test]
async fn a_reader_that_never_reads_does_not_hold_the_run() {
    let steps: Vec<_> =
        (0..300).map(|n| json!({"id": format!("s{n}"), "tool": "echo", "args": {"n": n}})).collect();
    let plan = plan(json!({"version": 1, "question": "?", "tracks": [{"id": "sea", "steps": steps}]}));
    let registry = registry(Vec::new());
    let (run, _ledger) = start(&plan, &registry, options(&plan, 8));
    let stalled = run.events();
    assert_eq!(run.finish().await.status, Status::Ok);
    let types: Vec<String> = rest(stalled).await.iter().map(|event| type_of(event)).collect();
    assert_eq!(types.iter().filter(|name| *name == "node_finished").count(), 301);
    assert_eq!(types.last().unwrap(), "run_finished");
}
