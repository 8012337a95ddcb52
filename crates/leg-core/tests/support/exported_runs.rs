//! Runs that show what exports must carry.

use std::sync::Arc;

use leg_core::ledger::RunFolder;
use leg_core::run::{Engine, Recording, Run};
use leg_core::{
    Agent, AgentAnswer, AgentSpec, AgentTask, Desk, FolderObjects, Registry, Status, ToolError, ToolErrorKind,
};
use leg_testkit::{FakeTool, ScriptedReplanner};
use serde_json::json;
use tempfile::TempDir;

use crate::support;
use crate::support::{plan, registry, run_in};

/// A run of everything at once: two tracks, steps that feed steps, a figure, a failed call and the step that is
/// skipped for it, a condition that does not hold, agents in a layer with a consolidator, sources.
pub(crate) async fn rich() -> (TempDir, RunFolder) {
    let folder = tempfile::tempdir().unwrap();
    let broken = FakeTool::echo("echo").failing(usize::MAX, ToolErrorKind::NoData);
    let plan = plan(json!({"version": 1, "question": "How <b>warm</b> was it?", "tracks": [
        {"id": "sea", "goal": "the mean", "steps": [
            {"id": "sst", "tool": "load", "args": {"values": [1.0, 2.5], "offset": 1}},
            {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
            {"id": "two", "tool": "add", "args": {"a": {"$ref": "sst"}, "b": {"$ref": "sst"}}},
            {"id": "chart", "tool": "draw", "args": {"data": {"$ref": "two"}}},
            {"id": "each", "tool": "load", "args": {"values": {"$item": ""}},
             "for_each": {"items": [[1.0], [2.0]], "as": "v", "max": 5, "join": "concat"}},
            {"id": "all", "tool": "mean", "args": {"data": {"$ref": "each"}}},
            {"id": "bad", "tool": "echo", "args": {"deep": {"list": [1, null]}, "flag": true, "word": "x"}},
            {"id": "after", "tool": "publish", "args": {"of": {"$ref": "bad"}}},
            {"id": "never", "tool": "load", "args": {}, "when": {"ref": "m#/evidence/n/value", "op": "gt", "value": 99}}],
         "result": {"$ref": "m"}},
        {"id": "surge", "layers": [
            {"nodes": [{"id": "track", "agent": "tracker", "task": "best track"}]},
            {"nodes": [{"id": "g", "agent": "gauge", "task": "levels"}, {"id": "h", "agent": "marks", "task": "marks"}]}]}]}));
    let (outcome, run) = run_in(folder.path(), &plan, &registry(vec![broken])).await;
    assert_eq!(outcome.status, Status::Ok);
    (folder, run)
}

/// Answers with a plan of its own.
#[derive(Debug)]
struct Planning;

#[async_trait::async_trait]
impl Agent for Planning {
    fn spec(&self) -> AgentSpec {
        let mut spec = AgentSpec::specialist("planning".parse().unwrap(), "Answers with a plan.");
        spec.tools = vec!["load".parse().unwrap(), "mean".parse().unwrap()];
        spec
    }

    async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let graph = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "in", "steps": [
            {"id": "a", "tool": "load", "args": {}},
            {"id": "b", "tool": "mean", "args": {"data": {"$ref": "a"}}}]}]}));
        Ok(AgentAnswer { graph: Some(graph), ..AgentAnswer::default() })
    }
}

/// A run in which an agent plans, the overseer fires nodes again, the plan is mended, and all is taken up again.
pub(crate) async fn eventful() -> (TempDir, RunFolder) {
    let folder = tempfile::tempdir().unwrap();
    let mut registry = Registry::default();
    for tool in leg_testkit::fake_tools() {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    let shaky = FakeTool::series("shaky", &[4.0]).failing(3, ToolErrorKind::NoData);
    registry.add_tool(Arc::new(shaky)).unwrap();
    registry.add_agent(Arc::new(Planning)).unwrap();
    let registry = Arc::new(registry);
    let track = |word: &str| {
        json!({"version": 1, "question": "q", "tracks": [
            {"id": "t", "steps": [
                {"id": "x", "tool": "shaky", "args": {}},
                {"id": word, "tool": "mean", "args": {"data": {"$ref": "x"}}}], "result": {"$ref": word}},
            {"id": "p", "layers": [{"nodes": [{"id": "own", "agent": "planning", "task": "plan it"}]}]}]})
    };
    let first = plan(track("m"));
    let engine = Engine::new(Arc::clone(&registry))
        .with_objects(Arc::new(FolderObjects::new(folder.path().join("objects"))))
        .with_replanner(Arc::new(ScriptedReplanner::new().giving(plan(track("n")))));
    let graph = support::graph(&first, &registry);
    let options = support::options(&first, 4);
    let run = RunFolder::new(folder.path(), &options.id);
    let approval = support::approval(&graph);
    Run::start(graph, &approval, &engine, Recording::Folder(run.clone()), options).unwrap().finish().await;
    for _ in 0..3 {
        if let Ok(resumed) = Run::resume(run.clone(), &engine, 4) {
            resumed.finish().await;
        }
    }
    (folder, run)
}
