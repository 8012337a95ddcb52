//! An approval starts one run, in time, of exactly what was approved.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{LEDGER, MemoryLedger, RunFolder, read};
use leg_core::run::{Engine, Recording, Run, RunOptions, StartError};
use leg_core::{
    AgentId, Approval, ApprovalError, ChangedPart, DataClass, FixedClock, LayeredGraph, Registry, RunId,
    ToolName,
};
use leg_testkit::{FakeAgent, FakeTool};
use serde_json::json;

/// A tool and an agent that calls it, each in a version.
fn world(tool: u32, prompt: &str) -> Arc<Registry> {
    let mut registry = Registry::default();
    registry.add_tool(Arc::new(FakeTool::echo("observe").with_spec(|spec| spec.version = tool))).unwrap();
    let agent = FakeAgent::new("tracker").unwrap().data_class(DataClass::Observation);
    let agent =
        agent.calling("observe", json!({})).with_spec(|spec| prompt.clone_into(&mut spec.system_prompt));
    registry.add_agent(Arc::new(agent)).unwrap();
    Arc::new(registry)
}

fn graph(task: &str, registry: &Registry) -> Arc<LayeredGraph> {
    let nodes = json!([{"id": "storm", "agent": "tracker", "task": task}]);
    let tracks = json!([{"id": "surge", "goal": "", "layers": [{"nodes": nodes}]}]);
    support::graph(&support::plan(json!({"version": 1, "question": "q", "tracks": tracks})), registry)
}

fn start(
    graph: &Arc<LayeredGraph>,
    approval: &Approval,
    engine: &Engine,
    recording: Recording,
    id: &str,
) -> Result<Run, ApprovalError> {
    match Run::start(Arc::clone(graph), approval, engine, recording, RunOptions::new(RunId::new(id).unwrap()))
    {
        Ok(run) => Ok(run),
        Err(StartError::Approval(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn folder(runs: &Path, id: &str) -> Recording {
    Recording::Folder(RunFolder::new(runs, &RunId::new(id).unwrap()))
}

#[tokio::test]
async fn one_approval_starts_one_run_whatever_the_recording() {
    let registry = world(1, "");
    let graph = graph("a", &registry);
    let runs = tempfile::tempdir().unwrap();
    let recordings: [fn(&Path, &str) -> Recording; 3] =
        [|_, _| Recording::Off, |_, _| Recording::Memory(MemoryLedger::default()), folder];
    for first in recordings {
        for second in recordings {
            let approval = support::approval(&graph);
            let name = approval.id.as_str();
            let engine = Engine::new(Arc::clone(&registry));
            let recording = first(runs.path(), name);
            start(&graph, &approval, &engine, recording, name).unwrap().finish().await;
            // Neither a clone nor another engine makes it good again.
            let other = Engine::new(Arc::clone(&registry));
            let again = format!("{name}-2");
            let recording = second(runs.path(), &again);
            let error = start(&graph, &approval.clone(), &other, recording, &again).unwrap_err();
            assert_eq!(error, ApprovalError::Used { id: approval.id.clone(), run: None });
            assert!(!runs.path().join(&again).exists(), "nothing was begun");
        }
    }
}

#[tokio::test]
async fn where_runs_have_folders_a_copy_that_was_sent_elsewhere_is_used_too() {
    let registry = world(1, "");
    let graph = graph("a", &registry);
    let runs = tempfile::tempdir().unwrap();
    let engine = Engine::new(registry);
    let sent = json!(support::approval(&graph));
    let here: Approval = serde_json::from_value(sent.clone()).unwrap();
    let there: Approval = serde_json::from_value(sent).unwrap();
    start(&graph, &here, &engine, folder(runs.path(), "one"), "one").unwrap().finish().await;
    let error = start(&graph, &there, &engine, folder(runs.path(), "two"), "two").unwrap_err();
    assert_eq!(error, ApprovalError::Used { id: here.id.clone(), run: Some("one".to_owned()) });
    assert!(error.to_string().contains("started run `one` already"), "{error}");
    // The ledger says which approval it was.
    let ledger = std::fs::read(runs.path().join("one").join(LEDGER)).unwrap();
    let entries = read(&ledger, LEDGER).entries;
    let approved = entries.iter().find(|entry| entry.kind.as_str() == "plan_approved").unwrap();
    assert_eq!(approved.meta["id"], here.id.as_str());
}

#[tokio::test]
async fn a_start_that_failed_does_not_use_it_up() {
    let registry = world(1, "");
    let graph = graph("a", &registry);
    let runs = tempfile::tempdir().unwrap();
    let engine = Engine::new(registry);
    let approval = support::approval(&graph);
    std::fs::create_dir(runs.path().join("taken")).unwrap();
    let options = RunOptions::new(RunId::new("taken").unwrap());
    let error = Run::start(Arc::clone(&graph), &approval, &engine, folder(runs.path(), "taken"), options);
    assert!(matches!(error, Err(StartError::Ledger(_))));
    start(&graph, &approval, &engine, folder(runs.path(), "free"), "free").unwrap().finish().await;
}

#[tokio::test]
async fn after_its_end_it_starts_nothing() {
    let registry = world(1, "");
    let graph = graph("a", &registry);
    let nanos = |text: &str| i64::try_from(text.parse::<jiff::Timestamp>().unwrap().as_nanosecond()).unwrap();
    let clock = Arc::new(FixedClock::at(nanos("2026-12-01T09:59:59.999Z")));
    let engine = Engine::new(registry).with_clock(Arc::<FixedClock>::clone(&clock));
    let until = |end: &str| support::approval(&graph).expiring(end);
    let go = |approval: &Approval| start(&graph, approval, &engine, Recording::Off, "r").map(drop);
    assert_eq!(go(&until("2026-12-01T10:00:00Z")), Ok(()));
    assert_eq!(go(&until("2026-12-01T12:00:00+02:00")), Ok(()));
    clock.advance(1_000_000);
    let (expires, now) = ("2026-12-01T10:00:00Z".to_owned(), "2026-12-01T10:00:00.000Z".to_owned());
    assert_eq!(go(&until(&expires)), Err(ApprovalError::Expired { expires: expires.clone(), now }));
    for unreadable in ["", "tomorrow", "2026-12-01"] {
        let expires = unreadable.to_owned();
        assert_eq!(go(&until(unreadable)), Err(ApprovalError::Expiry { expires }));
    }
}

#[test]
fn what_changed_since_is_named() {
    let seen = graph("a", &world(1, ""));
    let approval = support::approval(&seen);
    let (tool, agent) = (ToolName::new("observe").unwrap(), AgentId::new("tracker").unwrap());
    for (task, version, prompt, expected) in [
        ("b", 1, "", vec![ChangedPart::Plan]),
        ("a", 2, "", vec![ChangedPart::Tool(tool.clone())]),
        ("a", 1, "be brief", vec![ChangedPart::Agent(agent.clone())]),
        ("b", 2, "be brief", vec![ChangedPart::Plan, ChangedPart::Agent(agent), ChangedPart::Tool(tool)]),
    ] {
        let now = graph(task, &world(version, prompt));
        let error = approval.covers(&now).unwrap_err();
        assert_eq!(
            error,
            ApprovalError::Changed { approved: seen.digest(), found: now.digest(), parts: expected.clone() }
        );
        for part in expected {
            assert!(error.to_string().contains(&part.to_string()), "{error}");
        }
        // Without the definitions that were seen, the digest alone decides, and what changed cannot be said.
        let mut bare = approval.clone();
        bare.definitions = None;
        assert!(matches!(bare.covers(&now), Err(ApprovalError::Changed { parts, .. }) if parts.is_empty()));
    }
}
