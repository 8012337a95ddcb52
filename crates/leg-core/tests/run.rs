//! The scheduler: barriers, failures, conditions, limits, cancellation, events.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use leg_core::ledger::{EntryKind, read};
use leg_core::run::{Change, Engine, Recording, Run};
use leg_core::{NodeId, Status, ToolErrorKind};
use leg_testkit::FakeTool;
use serde_json::{Value, json};
use support::{approval, graph, options, plan, registry, run, start};

fn steps(steps: &Value) -> Value {
    json!({"version": 1, "question": "How warm was it?", "tracks": [{"id": "t", "steps": steps}]})
}

fn status(outcome: &leg_core::run::RunOutcome, id: &str) -> Status {
    outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap().output.status
}

#[tokio::test]
async fn a_number_reaches_the_report_with_its_origin() {
    let plan = plan(steps(&json!([
        {"id": "sst", "tool": "load", "args": {"values": [1.0, 2.0, 6.0]}},
        {"id": "m", "tool": "mean", "args": {"data": {"$ref": "sst"}}}])));
    let (outcome, ledger) = run(&plan, &registry(vec![]), 4).await;
    assert!(outcome.is_good());
    let mean = outcome.report.evidence.iter().find(|evidence| evidence.key == "m.mean").unwrap();
    assert_eq!(mean.value, json!(3));
    assert_eq!(
        mean.artifact,
        Some(outcome.nodes.iter().find(|n| n.id.as_str() == "m").unwrap().output.outputs["result"].digest)
    );
    let cited = outcome.report.claims().find(|claim| claim.evidence == [mean.id.clone().unwrap()]).unwrap();
    assert!(cited.text.contains('3'), "{}", cited.text);
    let reading = read(&ledger.bytes(), "ledger");
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
    assert_eq!(Some(reading.log_root), outcome.log_root);
    for id in ["sst", "m", "reporter"] {
        let ends = reading
            .entries
            .iter()
            .filter(|e| e.kind == EntryKind::NodeFinished && e.text("node") == Some(id));
        assert_eq!(ends.count(), 1, "{id}");
    }
}

#[tokio::test]
async fn a_failed_step_is_a_gap_and_its_followers_are_skipped_but_its_siblings_are_not() {
    let broken = FakeTool::series("load", &[1.0]).failing(usize::MAX, ToolErrorKind::NoData);
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "a", "steps": [
            {"id": "x", "tool": "load", "args": {}},
            {"id": "y", "tool": "mean", "args": {"data": {"$ref": "x"}}}]},
        {"id": "b", "steps": [{"id": "z", "tool": "echo", "args": {"k": 1}}]}]}));
    let (outcome, _) = run(&plan, &registry(vec![broken]), 4).await;
    assert_eq!(status(&outcome, "x"), Status::Failed);
    assert_eq!(status(&outcome, "y"), Status::Skipped);
    assert_eq!(status(&outcome, "z"), Status::Ok);
    assert_eq!(outcome.status, Status::Ok, "a partial answer is an answer");
    let gaps: Vec<_> = outcome.report.gaps.iter().map(|gap| gap.node.as_str()).collect();
    assert_eq!(gaps, ["x", "y"]);
    assert!(outcome.report.to_markdown().contains("## Gaps"));
}

#[tokio::test]
async fn a_run_without_any_result_has_failed() {
    let broken = FakeTool::series("load", &[1.0]).failing(usize::MAX, ToolErrorKind::NoData);
    let plan = plan(steps(&json!([{"id": "x", "tool": "load", "args": {}}])));
    let (outcome, _) = run(&plan, &registry(vec![broken]), 4).await;
    assert_eq!(outcome.status, Status::Failed);
    assert!(!outcome.is_good());
}

#[tokio::test(start_paused = true)]
async fn transient_errors_are_tried_again_and_writes_are_not() {
    let shaky = FakeTool::echo("echo").failing(2, ToolErrorKind::Unavailable);
    let write =
        FakeTool::echo("publish").effect(leg_core::Effect::Write).failing(1, ToolErrorKind::Unavailable);
    let (calls, writes) = (shaky.calls(), write.calls());
    let plan = plan(steps(&json!([
        {"id": "x", "tool": "echo", "args": {"k": 1}}, {"id": "w", "tool": "publish", "args": {"k": 1}}])));
    let (outcome, _) = run(&plan, &registry(vec![shaky, write]), 4).await;
    assert_eq!((status(&outcome, "x"), calls.count()), (Status::Ok, 3));
    assert_eq!((status(&outcome, "w"), writes.count()), (Status::Failed, 1));
}

#[tokio::test(start_paused = true)]
async fn a_slow_step_times_out_and_a_panicking_one_fails() {
    let slow = FakeTool::echo("echo").sleeping(Duration::from_mins(1));
    let panics = FakeTool::echo("observe").panicking();
    let plan = plan(steps(&json!([
        {"id": "x", "tool": "echo", "args": {}, "timeout_s": 2},
        {"id": "p", "tool": "observe", "args": {}},
        {"id": "ok", "tool": "load", "args": {}}])));
    let started = tokio::time::Instant::now();
    let (outcome, ledger) = run(&plan, &registry(vec![slow, panics]), 4).await;
    assert_eq!(status(&outcome, "x"), Status::Timeout);
    assert_eq!(status(&outcome, "p"), Status::Failed);
    assert_eq!(status(&outcome, "ok"), Status::Ok);
    assert_eq!(started.elapsed(), Duration::from_secs(2));
    // A call that started has ended too, whatever happened in it.
    let entries = read(&ledger.bytes(), "ledger").entries;
    let count = |kind| entries.iter().filter(|entry| entry.kind == kind).count();
    assert_eq!(count(EntryKind::CallStarted), count(EntryKind::CallFinished));
}

#[tokio::test(start_paused = true)]
async fn barriers_belong_to_their_track() {
    // Track a: 10 layers of 10 ms. Track b: one of 100 ms, then 9 of 10 ms.
    let tool = |name: &str, ms| FakeTool::echo(name).sleeping(Duration::from_millis(ms));
    let chain = |track: &str, first: &str| {
        let steps: Vec<Value> = (0..10)
            .map(|n| {
                let mut args = json!({"n": n});
                if n > 0 {
                    args["before"] = json!({"$ref": format!("{track}{}", n - 1)});
                }
                json!({"id": format!("{track}{n}"), "tool": if n == 0 { first } else { "echo" }, "args": args})
            })
            .collect();
        json!({"id": track, "steps": steps})
    };
    let plan =
        plan(json!({"version": 1, "question": "q", "tracks": [chain("a", "echo"), chain("b", "forecast")]}));
    let registry = registry(vec![tool("echo", 10), tool("forecast", 100)]);
    let (run, _) = start(&plan, &registry, options(&plan, 16));
    let started = tokio::time::Instant::now();
    let mut events = run.events();
    let watch = async {
        let mut fifth = None;
        while let Some(event) = events.next().await {
            if matches!(&event.event, Change::NodeStarted { node, .. } if node.as_str() == "a5") {
                fifth = Some(started.elapsed());
            }
        }
        fifth
    };
    let (outcome, fifth) = tokio::join!(run.finish(), watch);
    assert_eq!(outcome.status, Status::Ok);
    assert_eq!(fifth, Some(Duration::from_millis(50)));
    assert_eq!(started.elapsed(), Duration::from_millis(190));
}

#[tokio::test(start_paused = true)]
async fn dataflow_starts_a_step_when_its_own_inputs_are_there_and_gives_the_same_root() {
    let tools = || {
        vec![
            FakeTool::echo("echo").sleeping(Duration::from_millis(10)),
            FakeTool::echo("forecast").sleeping(Duration::from_millis(100)),
        ]
    };
    let json = |barriers: &str| {
        json!({"version": 1, "question": "q", "tracks": [{"id": "t", "barriers": barriers, "steps": [
            {"id": "slow", "tool": "forecast", "args": {}},
            {"id": "a", "tool": "echo", "args": {}},
            {"id": "b", "tool": "echo", "args": {"of": {"$ref": "a"}}},
            {"id": "c", "tool": "forecast", "args": {"of": {"$ref": "b"}}}]}]})
    };
    let mut took = Vec::new();
    let mut roots = Vec::new();
    for barriers in ["strict", "dataflow"] {
        let plan = plan(json(barriers));
        let started = tokio::time::Instant::now();
        let (outcome, _) = run(&plan, &registry(tools()), 16).await;
        took.push(started.elapsed().as_millis());
        roots.push(outcome.content_root);
    }
    assert_eq!(took, [210, 120]);
    assert_eq!(roots[0], roots[1]);
}

#[tokio::test]
async fn a_false_condition_skips_a_node_and_that_is_no_gap() {
    let json = |op: &str| {
        steps(&json!([
            {"id": "m", "tool": "load", "args": {"values": [5.0]}},
            {"id": "x", "tool": "echo", "args": {"k": 1}, "when": {"ref": "m#/evidence/max/value", "op": op, "value": 5}}]))
    };
    for (op, expected) in
        [("gt", Status::Skipped), ("ge", Status::Ok), ("eq", Status::Ok), ("ne", Status::Skipped)]
    {
        let (outcome, _) = run(&plan(json(op)), &registry(vec![]), 2).await;
        assert_eq!(status(&outcome, "x"), expected, "{op}");
        assert!(outcome.report.gaps.is_empty());
        assert_eq!(outcome.status, Status::Ok);
    }
}

/// Fails at once.
#[derive(Debug)]
struct Failing;

#[async_trait::async_trait]
impl leg_core::Agent for Failing {
    fn spec(&self) -> leg_core::AgentSpec {
        leg_core::AgentSpec::specialist(leg_core::AgentId::new("failing").unwrap(), "fails")
    }
    async fn work(
        &self,
        _: leg_core::AgentTask,
        _: &dyn leg_core::Desk,
    ) -> Result<leg_core::AgentAnswer, leg_core::ToolError> {
        Err(leg_core::ToolError::no_data("there is nothing"))
    }
}

#[tokio::test(start_paused = true)]
async fn fail_fast_stops_the_siblings_and_settle_does_not() {
    for (policy, sibling, took) in [("fail_fast", Status::Cancelled, 0), ("settle", Status::Ok, 200)] {
        let slow = FakeTool::echo("echo").sleeping(Duration::from_millis(200));
        let mut registry = Arc::into_inner(registry(vec![slow])).unwrap();
        registry.add_agent(Arc::new(Failing)).unwrap();
        let plan = plan(
            json!({"version": 1, "question": "q", "tracks": [{"id": "t", "layers": [{"policy": policy, "nodes": [
            {"id": "a", "agent": "failing", "task": "go"}, {"id": "b", "agent": "mapper", "task": "map"}]}]}]}),
        );
        let started = tokio::time::Instant::now();
        let (outcome, _) = run(&plan, &Arc::new(registry), 4).await;
        assert_eq!((status(&outcome, "a"), status(&outcome, "b")), (Status::Failed, sibling), "{policy}");
        assert_eq!(started.elapsed(), Duration::from_millis(took), "{policy}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stopped_run_ends_every_node_and_its_ledger_is_whole() {
    let slow = FakeTool::echo("echo").sleeping(Duration::from_secs(1000));
    let plan = plan(steps(&json!([
        {"id": "x", "tool": "echo", "args": {}}, {"id": "y", "tool": "echo", "args": {"of": {"$ref": "x"}}}])));
    let (run, ledger) = start(&plan, &registry(vec![slow]), options(&plan, 4));
    let stop = run.stopper();
    let (outcome, ()) = tokio::join!(run.finish(), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        stop.cancel();
    });
    assert_eq!(outcome.status, Status::Cancelled);
    assert_eq!(status(&outcome, "x"), Status::Cancelled);
    let reading = read(&ledger.bytes(), "ledger");
    assert!(reading.faults.is_empty(), "{:?}", reading.faults);
}

#[tokio::test]
async fn only_the_approved_graph_runs() {
    let registry = registry(vec![]);
    let first = plan(steps(&json!([{"id": "x", "tool": "load", "args": {"values": [1.0]}}])));
    let other = plan(steps(&json!([{"id": "x", "tool": "load", "args": {"values": [2.0]}}])));
    let approved = approval(&graph(&first, &registry));
    let start = Run::start(
        graph(&other, &registry),
        &approved,
        &Engine::new(registry),
        Recording::Off,
        options(&other, 1),
    );
    assert!(start.unwrap_err().to_string().contains("b3:"));
}

#[tokio::test]
async fn a_tool_that_changed_after_the_compilation_is_not_called() {
    let before = registry(vec![]);
    let changed = FakeTool::echo("echo").with_spec(|spec| spec.summary = "Now does something else.".into());
    let calls = changed.calls();
    let after = registry(vec![changed]);
    let plan = plan(steps(&json!([{"id": "x", "tool": "echo", "args": {}}])));
    let graph = graph(&plan, &before);
    let approval = approval(&graph);
    let start = Run::start(graph, &approval, &Engine::new(after), Recording::Off, options(&plan, 1));
    assert!(start.unwrap_err().to_string().contains("`echo`"));
    assert_eq!(calls.count(), 0);
}

#[tokio::test]
async fn an_agent_cannot_call_what_is_not_on_its_list() {
    #[derive(Debug)]
    struct Greedy;
    #[async_trait::async_trait]
    impl leg_core::Agent for Greedy {
        fn spec(&self) -> leg_core::AgentSpec {
            let id = leg_core::AgentId::new("greedy").unwrap();
            let mut spec = leg_core::AgentSpec::specialist(id, "asks for more than it may");
            spec.tools = vec![leg_core::ToolName::new("observe").unwrap()];
            spec
        }
        async fn work(
            &self,
            _: leg_core::AgentTask,
            desk: &dyn leg_core::Desk,
        ) -> Result<leg_core::AgentAnswer, leg_core::ToolError> {
            let mut said = Vec::new();
            for tool in ["publish", "OBSERVE", "observe ", "obѕerve", "", "observe"] {
                said.push(match desk.call(tool, json!({})).await {
                    Ok(_) => "called".to_owned(),
                    Err(error) => error.kind.as_str().to_owned(),
                });
            }
            Ok(leg_core::AgentAnswer { text: said.join(","), ..Default::default() })
        }
    }
    let write = FakeTool::echo("publish").effect(leg_core::Effect::Write);
    let writes = write.calls();
    let mut registry = Arc::into_inner(registry(vec![write])).unwrap();
    registry.add_agent(Arc::new(Greedy)).unwrap();
    let registry = Arc::new(registry);
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "layers": [
        {"nodes": [{"id": "g", "agent": "greedy", "task": "go"}]}]}]}));
    let (outcome, ledger) = run(&plan, &registry, 2).await;
    let node = outcome.nodes.iter().find(|node| node.id == NodeId::new("g").unwrap()).unwrap();
    assert_eq!(node.output.text, "denied,denied,denied,denied,denied,called");
    assert_eq!(writes.count(), 0);
    let denied = read(&ledger.bytes(), "l").entries.iter().filter(|e| e.kind == EntryKind::Denied).count();
    assert_eq!(denied, 5);
}

#[tokio::test]
async fn events_come_in_one_gap_free_sequence_to_every_reader() {
    let plan = plan(steps(&json!([
        {"id": "a", "tool": "load", "args": {}}, {"id": "b", "tool": "mean", "args": {"data": {"$ref": "a"}}}])));
    let (run, _) = start(&plan, &registry(vec![]), options(&plan, 4));
    let (mut first, mut late) = (run.events(), run.events_from(3));
    run.finish().await;
    let mut seqs = Vec::new();
    let mut names = Vec::new();
    while let Some(event) = first.next().await {
        seqs.push(event.seq);
        names.push(serde_json::to_value(&event.event).unwrap()["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
    assert_eq!(late.next().await.unwrap().seq, 3);
    assert_eq!(names.first().unwrap(), "run_started");
    assert_eq!(names.last().unwrap(), "run_finished");
}
