//! What a plan becomes while it runs: fan-outs, plans inside nodes, nodes that are fired again, plans that are mended.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::path::Path;
use std::sync::Arc;

use leg_core::ledger::{Entry, EntryKind, LEDGER, RunFolder, read, verify};
use leg_core::replay::replay;
use leg_core::routing::Router;
use leg_core::run::{
    Action, Budget, Engine, Judgement, OverseerVerdict, Recording, Resource, Roles, RulesOverseer, Run,
    RunOutcome,
};
use leg_core::{FolderObjects, ObjectStoreExt as _, Plan, Registry, Status};
use leg_testkit::told_world::told_tool;
use leg_testkit::{FakeTool, ScriptedOverseer, ScriptedReplanner, ToldAgent, ToldTool};
use serde_json::{Value, json};
use support::{approval, graph, options, plan};

/// The small world, with `told` beside it; the agent `told` may call `told` and `load`.
fn world(own: Vec<FakeTool>, tools: Vec<ToldTool>) -> Arc<Registry> {
    let mut registry = Arc::into_inner(support::registry(own)).unwrap();
    for tool in tools {
        registry.add_tool(Arc::new(tool)).unwrap();
    }
    registry.add_agent(Arc::new(ToldAgent::new("told", &["told", "load"]).unwrap())).unwrap();
    Arc::new(registry)
}

fn steps(steps: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": steps}]}))
}

fn layers(layers: &Value) -> Plan {
    plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "layers": layers}]}))
}

fn agent(id: &str, task: &Value) -> Value {
    json!({"id": id, "agent": "told", "task": task.to_string()})
}

struct Ran {
    outcome: RunOutcome,
    folder: RunFolder,
    entries: Vec<Entry>,
    runs: tempfile::TempDir,
}

impl Ran {
    fn status(&self, id: &str) -> Status {
        self.outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap().output.status
    }

    fn of(&self, kind: EntryKind) -> Vec<&Entry> {
        self.entries.iter().filter(|entry| entry.kind == kind).collect()
    }

    /// A joined artifact's document.
    fn document(&self, id: &str) -> Value {
        let node = self.outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap();
        let objects = FolderObjects::new(self.runs.path().join("objects"));
        objects.get_artifact(&node.output.outputs["result"].digest).unwrap().content
    }

    fn gaps(&self) -> Vec<(&str, &str)> {
        self.outcome.report.gaps.iter().map(|gap| (gap.node.as_str(), gap.reason.as_str())).collect()
    }
}

async fn run(plan: &Plan, registry: &Arc<Registry>, change: impl FnOnce(Engine) -> Engine) -> Ran {
    run_within(plan, registry, Budget::default(), change).await
}

/// Runs a plan in a folder, verifies the folder, and replays it with the same definitions.
async fn run_within(
    plan: &Plan,
    registry: &Arc<Registry>,
    budget: Budget,
    change: impl FnOnce(Engine) -> Engine,
) -> Ran {
    let runs = tempfile::tempdir().unwrap();
    let graph = graph(plan, registry);
    let objects = |runs: &Path| Arc::new(FolderObjects::new(runs.join("objects")));
    let engine = change(Engine::new(Arc::clone(registry)).with_objects(objects(runs.path())));
    let mut options = options(plan, 8);
    options.budget = budget;
    let folder = RunFolder::new(runs.path(), &options.id);
    let approval = approval(&graph);
    let run = Run::start(graph, &approval, &engine, Recording::Folder(folder.clone()), options).unwrap();
    let outcome = run.finish().await;
    let found = verify(&folder, None).unwrap();
    assert!(found.ok, "{:#?}", found.faults);
    assert_eq!(found.content_root, Some(outcome.content_root), "from the ledger alone");
    let again = replay(&folder, Arc::clone(registry), &Router::default(), Roles::default(), 2).await.unwrap();
    assert!(again.ok, "{:#?}", again.divergence);
    let entries = read(&folder.read(LEDGER).unwrap(), LEDGER).entries;
    Ran { outcome, folder, entries, runs }
}

#[tokio::test]
async fn a_fan_out_goes_over_a_list_a_table_a_series_and_the_evidence_of_a_step() {
    let each = |id: &str, items: Value, item: &str| json!({"id": id, "tool": "told", "args": {"v": {"$item": item}}, "for_each": {"items": items, "as": "x", "join": "table"}});
    let plan = steps(&json!([
        {"id": "table", "tool": "told", "args": {"columns": ["name", "n"], "rows": [["a", 1], ["b", 2]], "list": [7, 8]}},
        {"id": "series", "tool": "load", "args": {"values": [1.5, 2.5]}},
        each("of_list", json!([{"n": 3}, {"n": 4}]), "/n"),
        each("of_table", json!({"$ref": "table"}), "/n"),
        each("of_series", json!({"$ref": "series"}), ""),
        each("of_evidence", json!({"$ref": "table#/evidence/list/value"}), "")]));
    let ran = run(&plan, &world(vec![], vec![told_tool()]), |engine| engine).await;
    assert_eq!(ran.outcome.status, Status::Ok, "{:?}", ran.gaps());
    let rows = |id: &str| ran.document(id)["rows"].clone();
    // The item's own members come first, then the evidence.
    assert_eq!(rows("of_list"), json!([[3, 3], [4, 4]]));
    assert_eq!(rows("of_table"), json!([["a", 1, 1], ["b", 2, 2]]));
    assert_eq!(rows("of_series"), json!([[1.5, 1.5], [2.5, 2.5]]));
    assert_eq!(rows("of_evidence"), json!([[7, 7], [8, 8]]));
    let revisions: Vec<&Value> =
        ran.of(EntryKind::PlanRevision).iter().map(|entry| &entry.core["children"]).collect();
    assert!(revisions.contains(&&json!(["of_list[0]", "of_list[1]"])), "{revisions:?}");
    let last = ran.of(EntryKind::PlanRevision).pop().unwrap();
    assert_eq!(last.text("cause"), Some("executed"), "the graph that ran is a revision");
}

#[tokio::test]
async fn joins_serve_later_steps() {
    let each = |id: &str, join: &str| {
        json!({"id": id, "tool": "told", "args": {"columns": ["n"], "rows": [[{"$item": ""}]]},
               "for_each": {"items": [1, 2, 3], "as": "n", "join": join}})
    };
    let tool = told_tool();
    let plan = steps(&json!([
        each("listed", "list"), each("appended", "concat"), each("tabled", "table"),
        {"id": "series", "tool": "load", "args": {"values": [{"$item": "/0"}, {"$item": "/1"}]},
         "for_each": {"items": [[1.0, 2.0], [3.0, 4.0]], "as": "n", "join": "concat"}},
        {"id": "mean", "tool": "mean", "args": {"data": {"$ref": "series"}}},
        {"id": "use", "tool": "told", "args": {"id": "use", "of": [{"$ref": "listed"}, {"$ref": "appended"}, {"$ref": "tabled"}]}}]));
    let ran = run(&plan, &world(vec![], vec![tool.clone()]), |engine| engine).await;
    assert_eq!(ran.outcome.status, Status::Ok, "{:?}", ran.gaps());
    assert_eq!(ran.document("appended")["rows"], json!([[1], [2], [3]]));
    let heard = tool.heard();
    let of = &heard.iter().find(|args| args["id"] == "use").unwrap()["of"];
    assert_eq!(of[0].as_array().unwrap().len(), 3, "a list of artifacts");
    assert!(of[1]["$artifact"].is_string() && of[2]["$artifact"].is_string());
    let mean = ran.outcome.report.evidence.iter().find(|evidence| evidence.key == "mean.mean").unwrap();
    assert_eq!(mean.value, json!(2.5));
}

#[tokio::test]
async fn a_bound_that_is_passed_an_empty_list_and_one_bad_item_are_told() {
    let plan = steps(&json!([
        {"id": "lists", "tool": "told", "args": {"list": [1, 2, 3]}},
        {"id": "none", "tool": "told", "args": {"list": [], "id": "none"}},
        {"id": "too_many", "tool": "told", "args": {"v": {"$item": ""}},
         "for_each": {"items": {"$ref": "lists#/evidence/list/value"}, "as": "n", "max": 2}},
        {"id": "empty", "tool": "told", "args": {"v": {"$item": ""}, "id": "e"},
         "for_each": {"items": {"$ref": "none#/evidence/list/value"}, "as": "n"}},
        {"id": "some", "tool": "load", "args": {"values": {"$item": ""}},
         "for_each": {"items": [[1.0], [2.0], [3.0]], "as": "n", "join": "concat"}},
        {"id": "nested", "tool": "told", "args": {"id": "nested"},
         "when": {"ref": "some#/status", "op": "eq", "value": "ok"}},
        {"id": "deeper", "tool": "told", "args": {"id": "deeper"},
         "when": {"ref": "nested#/status", "op": "ne", "value": "ok"}}]));
    let shaky = FakeTool::series("load", &[1.0]).failing(1, leg_core::ToolErrorKind::NoData);
    let ran = run_once(&plan, &world(vec![shaky], vec![told_tool()])).await;
    assert_eq!(ran.status("too_many"), Status::Failed);
    assert!(ran.gaps().iter().any(|(node, why)| *node == "too_many" && why.contains("`max` is 2")));
    assert_eq!(ran.status("empty"), Status::Ok);
    assert_eq!(ran.status("some"), Status::Ok, "it is well when one item is");
    let failed: Vec<&str> =
        ran.gaps().iter().map(|(node, _)| *node).filter(|n| n.starts_with("some[")).collect();
    assert_eq!(failed.len(), 1);
    assert_eq!((ran.status("nested"), ran.status("deeper")), (Status::Ok, Status::Skipped));
}

/// A fake that fails once cannot be replayed with itself, and need not: a replay calls nothing.
async fn run_once(plan: &Plan, registry: &Arc<Registry>) -> Ran {
    run(plan, registry, |engine| engine).await
}

fn inside(tool: &str) -> Value {
    json!({"version": 1, "question": "inside", "tracks": [{"id": "in", "steps": [
        {"id": "a", "tool": tool, "args": {"v": 1}},
        {"id": "each", "tool": "told", "args": {"v": {"$item": ""}}, "for_each": {"items": [1, 2], "as": "n"}},
        {"id": "b", "tool": "told", "args": {"v": 2, "of": [{"$ref": "a"}, {"$ref": "each"}]}}]}]})
}

#[tokio::test]
async fn an_agents_plan_runs_inside_its_node_under_its_name_and_its_list() {
    let plan = layers(&json!([{"nodes": [
        agent("good", &json!({"plan": inside("told"), "say": "look"})),
        agent("greedy", &json!({"plan": inside("publish")}))]}]));
    let ran = run(&plan, &world(vec![], vec![told_tool()]), |engine| engine).await;
    assert_eq!((ran.status("good"), ran.status("greedy")), (Status::Ok, Status::Failed));
    assert!(
        ran.gaps().iter().any(|(node, why)| *node == "greedy" && why.contains("`publish`")),
        "{:?}",
        ran.gaps()
    );
    let ends: Vec<&str> =
        ran.of(EntryKind::NodeFinished).iter().filter_map(|entry| entry.text("node")).collect();
    for id in ["good__a", "good__each", "good__each[0]", "good__each[1]", "good__b"] {
        assert_eq!(ends.iter().filter(|end| **end == id).count(), 1, "{id} in {ends:?}");
    }
    assert!(!ends.iter().any(|end| end.starts_with("greedy__")));
    let started: Vec<&str> =
        ran.of(EntryKind::CallStarted).iter().filter_map(|entry| entry.text("tool")).collect();
    assert!(!started.contains(&"publish"));
    let keys: Vec<&str> = ran.outcome.report.evidence.iter().map(|e| e.key.as_str()).collect();
    assert!(keys.contains(&"good__b.v"), "{keys:?}");
}

#[tokio::test]
async fn plans_stand_in_plans_only_so_deep() {
    let deep = |inner: Value| {
        json!({"version": 1, "question": "q", "tracks": [{"id": "in", "layers": [
            {"nodes": [{"id": "n", "agent": "told", "task": inner.to_string()}]}]}]})
    };
    let mut task = json!({"calls": [["told", {"v": 1}]]});
    for _ in 0..5 {
        task = json!({"plan": deep(task)});
    }
    let plan = layers(&json!([{"nodes": [agent("top", &task)]}]));
    let ran = run(&plan, &world(vec![], vec![told_tool()]), |engine| engine).await;
    assert_eq!(ran.status("top"), Status::Failed);
    assert!(ran.gaps().iter().any(|(_, why)| why.contains("3 graphs deep")), "{:?}", ran.gaps());
    assert_eq!(ran.of(EntryKind::CallStarted).len(), 0);
}

#[tokio::test]
async fn a_plan_inside_a_node_draws_on_the_run() {
    let plan = layers(&json!([{"nodes": [agent("good", &json!({"plan": inside("told")}))]}]));
    let budget = Budget::default().with(Resource::Calls, 2.0).unwrap();
    let ran = run_within(&plan, &world(vec![], vec![told_tool()]), budget, |engine| engine).await;
    assert_eq!(ran.of(EntryKind::CallStarted).len(), 2);
    let exhausted = ran.gaps().iter().filter(|(_, why)| why.contains("budget of calls")).count();
    assert!(exhausted >= 1, "{:?}", ran.gaps());
}

#[tokio::test]
async fn an_agent_that_said_nothing_is_asked_once_more_with_what_is_wrong() {
    let plan = layers(&json!([{"nodes": [
        agent("shy", &json!({"until": "neither text", "say": "now", "calls": [["told", {"v": 5}]]})),
        agent("mute", &json!({"until": "no such word"}))]}]));
    let ran =
        run(&plan, &world(vec![], vec![told_tool()]), |engine| engine.with_overseer(Arc::new(RulesOverseer)))
            .await;
    let attempts = |id: &str| -> Vec<u64> {
        let ends = ran.of(EntryKind::NodeFinished);
        let own = ends.iter().filter(|entry| entry.text("node") == Some(id));
        own.map(|entry| entry.core.get("attempt").and_then(Value::as_u64).unwrap_or(0)).collect()
    };
    assert_eq!(attempts("shy"), [0, 1]);
    assert_eq!(attempts("mute"), [0, 1], "once, and then the bound is met");
    let shy = ran.outcome.nodes.iter().find(|node| node.id.as_str() == "shy").unwrap();
    assert_eq!((shy.output.text.as_str(), shy.output.evidence.len()), ("now", 1));
    assert!(ran.of(EntryKind::Overseer).iter().any(|entry| entry.text("refused").is_some()));
}

#[tokio::test]
async fn the_node_upstream_is_fired_again_before_the_one_that_was_judged() {
    let judgement = Judgement {
        node: "second".parse().unwrap(),
        verdict: OverseerVerdict::Empty,
        action: Action::RefireUpstream { node: "first".parse().unwrap() },
        context: "look again".into(),
    };
    let plan = layers(&json!([
        {"nodes": [agent("first", &json!({"say": "one", "calls": [["told", {"v": 1}]]}))]},
        {"nodes": [agent("second", &json!({"until": "look again", "say": "two"}))]}]));
    let overseer = ScriptedOverseer::new().judging(judgement);
    let ran =
        run(&plan, &world(vec![], vec![told_tool()]), |engine| engine.with_overseer(Arc::new(overseer)))
            .await;
    let order: Vec<(String, u64)> = ran
        .of(EntryKind::NodeFinished)
        .iter()
        .filter(|entry| entry.text("node") != Some("reporter"))
        .map(|entry| {
            let attempt = entry.core.get("attempt").and_then(Value::as_u64).unwrap_or(0);
            (entry.text("node").unwrap().to_owned(), attempt)
        })
        .collect();
    let expected = [("first", 0), ("second", 0), ("first", 1), ("second", 1)];
    assert_eq!(order, expected.map(|(node, attempt)| (node.to_owned(), attempt)));
    assert_eq!(ran.outcome.nodes.iter().find(|n| n.id.as_str() == "second").unwrap().output.text, "two");
}

#[tokio::test]
async fn in_a_dataflow_track_the_overseers_wish_is_only_noted() {
    let judgement = Judgement {
        node: "x".parse().unwrap(),
        verdict: OverseerVerdict::Empty,
        action: Action::Refire,
        context: "again".into(),
    };
    let plan = plan(
        json!({"version": 1, "question": "q", "tracks": [{"id": "t", "barriers": "dataflow", "steps": [
        {"id": "x", "tool": "told", "args": {"v": 1}}, {"id": "y", "tool": "told", "args": {"of": {"$ref": "x"}}}]}]}),
    );
    let overseer = ScriptedOverseer::new().judging(judgement);
    let ran =
        run(&plan, &world(vec![], vec![told_tool()]), |engine| engine.with_overseer(Arc::new(overseer)))
            .await;
    assert_eq!(ran.of(EntryKind::CallStarted).len(), 2);
    let rulings = ran.of(EntryKind::Overseer);
    assert!(rulings.len() == 1 && rulings[0].text("refused").unwrap().contains("dataflow"));
}

/// `y` fails with its argument; a repair gives it another one.
fn broken(kind: &str) -> Plan {
    steps(&json!([
        {"id": "x", "tool": "told", "args": {"id": "x", "v": 1}},
        {"id": "y", "tool": "told", "args": {"id": "y", "of": {"$ref": "x"}, "fail": kind}}]))
}

fn mended() -> Plan {
    steps(&json!([
        {"id": "renamed", "tool": "told", "args": {"id": "x", "v": 1}},
        {"id": "y", "tool": "told", "args": {"id": "y", "of": {"$ref": "renamed"}}}]))
}

#[tokio::test]
async fn a_mended_plan_makes_no_finished_call_again() {
    let tool = told_tool();
    let planner = ScriptedReplanner::new().giving(mended());
    let ran = run(&broken("no_data"), &world(vec![], vec![tool.clone()]), |engine| {
        engine.with_replanner(Arc::new(planner))
    })
    .await;
    assert_eq!(ran.outcome.status, Status::Ok, "{:?}", ran.gaps());
    let ids: Vec<Value> = tool.heard().iter().map(|args| args["id"].clone()).collect();
    assert_eq!(ids, ["x", "y", "y"], "`x` is not called again, whatever its node is called now");
    let keys: Vec<&str> = ran.outcome.report.evidence.iter().map(|e| e.key.as_str()).collect();
    assert_eq!(keys, ["renamed.v"], "its evidence is named after the node that has it now");
    assert!(ran.gaps().is_empty());
    assert!(ran.of(EntryKind::PlanRevision).iter().any(|entry| entry.text("cause") == Some("replan")));
    // The mended plan by itself has the same root.
    let alone = run(&mended(), &world(vec![], vec![told_tool()]), |engine| engine).await;
    assert_eq!(alone.outcome.content_root, ran.outcome.content_root);
    assert!(ran.folder.path().is_dir());
}

#[tokio::test]
async fn two_repairs_that_do_not_help_are_the_end() {
    let planner = ScriptedReplanner::new().giving(broken("not_found")).giving(broken("bad_data"));
    let planner = planner.giving(mended());
    let ran = run(&broken("no_data"), &world(vec![], vec![told_tool()]), |engine| {
        engine.with_replanner(Arc::new(planner.clone()))
    })
    .await;
    assert_eq!(ran.outcome.status, Status::Failed, "an explicit failure");
    assert_eq!(planner.heard().len(), 2);
    assert_eq!(ran.of(EntryKind::Replan).len(), 2);
}

#[tokio::test]
async fn a_repair_that_goes_beyond_the_approval_is_refused_with_its_reasons() {
    let beyond = steps(&json!([{"id": "y", "tool": "publish", "args": {}}]));
    let planner = ScriptedReplanner::new().giving(beyond.clone()).giving(beyond);
    let publish = FakeTool::echo("publish").effect(leg_core::Effect::Write);
    let calls = publish.calls();
    let ran = run(&broken("no_data"), &world(vec![publish], vec![told_tool()]), |engine| {
        engine.with_replanner(Arc::new(planner.clone()))
    })
    .await;
    assert_eq!((ran.outcome.status, calls.count()), (Status::Failed, 0));
    let refused: Vec<&Value> = ran.of(EntryKind::Replan).iter().map(|entry| &entry.core["reasons"]).collect();
    assert!(refused.iter().all(|reasons| reasons[0].as_str().unwrap().contains("`publish`")), "{refused:?}");
    assert!(!planner.heard()[1].refused.is_empty(), "the planner hears why");
}
