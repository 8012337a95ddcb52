//! Replanning: what a replanner is told, and which repairs may run under the approval that was given.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::plan::{Code, Diagnostic, parse};
use leg_core::run::{
    Budget, Feedback, MAX_FEEDBACK_FAILURES, MAX_FEEDBACK_FINISHED, NodeOutput, Replanner as _, Resource,
    within_approval,
};
use leg_core::{
    Digest, Domain, Evidence, Kind, LayeredGraph, Plan, Registry, Status, Summary, ToolError, ToolErrorKind,
};
use leg_testkit::{FakeTool, ScriptedReplanner};
use serde_json::{Value, json};
use support::{graph, plan, registry};

fn steps(steps: &Value) -> Plan {
    plan(json!({"version": 1, "question": "How warm?", "tracks": [{"id": "sea", "steps": steps}]}))
}

fn warm() -> Plan {
    steps(&json!([
        {"id": "sst", "tool": "load", "args": {"offset": 1}},
        {"id": "level", "tool": "observe", "args": {"station": "x", "note": "a".repeat(5000)}},
        {"id": "mean", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
        {"id": "later", "tool": "echo", "args": {}, "when": {"ref": "mean#/status", "op": "eq", "value": "failed"}}]))
}

fn loaded() -> NodeOutput {
    let summary = Summary {
        digest: Digest::of(Domain::Object, b"sst"),
        kind: Kind::Series,
        name: "temperature".into(),
        units: "degC".into(),
        dims: vec!["time".into()],
        shape: vec![3],
        bytes: 100,
    };
    let evidence = Evidence {
        id: None,
        key: "sst.max".into(),
        name: "max".into(),
        value: json!(21.5),
        unit: "degC".into(),
        datum: None,
        when: None,
        place: None,
        baseline: None,
        uncertainty: None,
        n: None,
        method: "maximum".into(),
        artifact: None,
        pointer: String::new(),
    };
    let outputs = BTreeMap::from([("result".to_owned(), summary)]);
    let mut output = NodeOutput::ended(Status::Ok);
    output.outputs = outputs;
    output.evidence = vec![evidence];
    output
}

fn failed(kind: ToolErrorKind, message: &str) -> NodeOutput {
    NodeOutput::failed(kind.status(), ToolError::new(kind, message))
}

fn told(graph: &LayeredGraph, outputs: &BTreeMap<&str, NodeOutput>) -> Feedback {
    let output = |index| outputs.get(graph.node(index).unwrap().id.as_str());
    Feedback::of(graph, output, 1)
}

#[tokio::test]
async fn a_replanner_hears_what_failed_and_what_is_there() {
    let registry = registry(Vec::new());
    let outputs = BTreeMap::from([
        ("sst", loaded()),
        ("level", failed(ToolErrorKind::Unavailable, &"ä".repeat(5000))),
        ("later", NodeOutput::ended(Status::Skipped)),
    ]);
    let feedback = told(&graph(&warm(), &registry), &outputs).after_refusal(
        &[Diagnostic::new("/tracks", Code::Empty, "the plan has no track")],
        &["it may contact `a`".to_owned()],
    );
    assert_eq!(parse(&feedback.plan).unwrap(), warm(), "the plan is whole");
    let failure = &feedback.failures[0];
    assert_eq!(failure.message.chars().count(), 601);
    assert!(failure.args.as_str().unwrap().starts_with(r#"{"note":"aaa"#), "{}", failure.args);
    let mut short = feedback.clone();
    short.plan = json!("the plan");
    short.failures[0].message = "cut".into();
    short.failures[0].args = json!("cut");
    let text = String::from_utf8(leg_core::canonical::to_vec(&short).unwrap()).unwrap();
    insta::assert_snapshot!(text, @r##"{"diagnostics":[{"code":"empty","message":"the plan has no track","pointer":"/tracks"}],"failures":[{"args":"cut","code":"unavailable","hint":"use another source, or leave the step out","message":"cut","node":"level","status":"failed","track":"sea","work":{"tool":{"tool":"observe"}}}],"finished":[{"evidence":["sst.max"],"more_evidence":0,"node":"sst","outputs":{"result":{"dims":["time"],"kind":"series","units":"degC"}},"track":"sea","work":{"tool":{"tool":"load"}}}],"more_diagnostics":0,"more_failures":0,"more_finished":0,"plan":"the plan","question":"How warm?","refused":["it may contact `a`"],"repairs_left":1}"##);
    assert_eq!(
        serde_json::from_str::<Feedback>(&serde_json::to_string(&feedback).unwrap()).unwrap(),
        feedback
    );

    let replanner = ScriptedReplanner::new().giving(warm()).giving_up();
    assert_eq!(replanner.replan(&feedback).await.unwrap(), Some(warm()));
    assert_eq!(replanner.replan(&feedback).await.unwrap(), None);
    assert_eq!(replanner.heard(), [feedback.clone(), feedback]);
}

#[test]
fn feedback_is_bounded_and_counts_what_it_leaves_out() {
    let registry = registry(Vec::new());
    let all: Vec<Value> =
        (0..1000).map(|n| json!({"id": format!("s{n}"), "tool": "echo", "args": {"n": n}})).collect();
    let graph = graph(&steps(&json!(all)), &registry);
    let output = |good: bool| {
        if good { loaded() } else { failed(ToolErrorKind::NoData, &"x".repeat(100_000)) }
    };
    let names: Vec<String> = (0..1000).map(|n| format!("s{n}")).collect();
    let outputs = names.iter().enumerate().map(|(n, name)| (name.as_str(), output(n % 2 == 0))).collect();
    let feedback = told(&graph, &outputs);
    assert_eq!(
        (feedback.failures.len(), feedback.more_failures),
        (MAX_FEEDBACK_FAILURES, 500 - MAX_FEEDBACK_FAILURES)
    );
    assert_eq!(
        (feedback.finished.len(), feedback.more_finished),
        (MAX_FEEDBACK_FINISHED, 500 - MAX_FEEDBACK_FINISHED)
    );
    let plan = feedback.plan.to_string().len();
    let size = serde_json::to_string(&feedback).unwrap().len();
    assert!(size - plan < 120_000, "{size}");
}

fn reasons(before: &Plan, after: &Plan, budget: &Budget, registry: &Arc<Registry>) -> Vec<String> {
    let result = within_approval(&graph(before, registry), &graph(after, registry), budget, registry);
    result.err().unwrap_or_default()
}

fn calls(limit: f64) -> Budget {
    Budget::default().with(Resource::Calls, limit).unwrap()
}

#[test]
fn a_repair_with_the_same_tools_hosts_and_calls_needs_no_new_approval() {
    let registry = registry(Vec::new());
    let repaired = steps(&json!([
        {"id": "sst", "tool": "load", "args": {"offset": 2}},
        {"id": "mean_2", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
        {"id": "other", "tool": "observe", "args": {"station": "y"}}]));
    assert_eq!(reasons(&warm(), &repaired, &Budget::default(), &registry), [""; 0]);
    assert_eq!(reasons(&warm(), &warm(), &calls(0.0), &registry), [""; 0]);
}

#[test]
fn a_repair_that_goes_further_names_every_reason() {
    let registry = registry(Vec::new());
    let before = steps(&json!([{"id": "sst", "tool": "load", "args": {}}]));
    let after = steps(&json!([
        {"id": "sst", "tool": "load", "args": {}},
        {"id": "next", "tool": "forecast", "args": {}},
        {"id": "tell", "tool": "publish", "args": {}}]));
    let expected = [
        "tool `forecast` is not one of the approved plan's",
        "tool `publish` is not one of the approved plan's",
        "it may contact `forecast.example`, which the approved plan does not",
        "node `tell` can write, and is not in the approved plan like this",
        "it makes up to 3 calls, and the approved plan up to 1",
    ];
    assert_eq!(reasons(&before, &after, &Budget::default(), &registry), expected);
    assert_eq!(
        reasons(&before, &after, &calls(3.0), &registry),
        expected[..4],
        "the budget allows the calls"
    );
    assert_eq!(reasons(&before, &after, &calls(2.0), &registry), expected, "the budget does not");
}

#[test]
fn an_approved_tool_that_writes_may_not_write_anything_else() {
    let registry = registry(Vec::new());
    let publish =
        |id: &str, what: &str| steps(&json!([{"id": id, "tool": "publish", "args": {"what": what}}]));
    assert_eq!(
        reasons(&publish("a", "draft"), &publish("b", "draft"), &Budget::default(), &registry),
        [""; 0]
    );
    assert_eq!(
        reasons(&publish("a", "draft"), &publish("a", "all"), &Budget::default(), &registry),
        ["node `a` can write, and is not in the approved plan like this"]
    );
}

#[test]
fn an_agent_whose_calls_nobody_knows_needs_an_approval_or_a_budget() {
    let registry = registry(Vec::new());
    let agents = |ids: &[&str]| {
        let nodes: Vec<Value> =
            ids.iter().map(|id| json!({"id": id, "agent": "gauge", "task": "levels"})).collect();
        plan(json!({"version": 1, "question": "?", "tracks": [{"id": "sea", "layers": [{"nodes": nodes}]}]}))
    };
    let steps = steps(&json!([{"id": "level", "tool": "observe", "args": {}}]));
    let found = reasons(&steps, &agents(&["a"]), &Budget::default(), &registry);
    assert_eq!(
        found,
        [
            "agent `gauge` is not one of the approved plan's",
            "nobody knows how many calls it makes, and the approved plan makes up to 1"
        ]
    );
    assert_eq!(reasons(&agents(&["a"]), &agents(&["b"]), &Budget::default(), &registry), [""; 0]);
    let more = reasons(&agents(&["a"]), &agents(&["a", "b"]), &Budget::default(), &registry);
    assert_eq!(more, ["the calls of 2 nodes are not known before, and the approved plan has 1 of these"]);
    assert_eq!(reasons(&agents(&["a"]), &agents(&["a", "b"]), &calls(9.0), &registry), [""; 0]);
}

#[test]
fn a_definition_that_changed_since_needs_a_new_approval() {
    let before = registry(Vec::new());
    let changed = registry(vec![FakeTool::echo("observe").external("observe.example")]);
    let level = steps(&json!([{"id": "level", "tool": "observe", "args": {}}]));
    let found =
        within_approval(&graph(&level, &before), &graph(&level, &changed), &Budget::default(), &changed);
    assert_eq!(found.unwrap_err(), ["the definition of tool `observe` is not the one that was approved"]);
}
