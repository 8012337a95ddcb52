//! A memo read from the ledger of a real run.

#![expect(clippy::unwrap_used, reason = "a test stops at what it does not expect")]

mod support;

use std::sync::Arc;

use leg_core::ledger::{Entry, read};
use leg_core::run::{Answers as _, CallKey, CallMemo, Firing};
use leg_core::{
    Digest, Domain, FolderObjects, MemoryObjects, NodeId, Registry, ToolErrorKind, ToolName, canonical,
};
use leg_testkit::FakeTool;
use serde_json::{Value, json};
use support::{plan, registry, run_in};

fn call(registry: &Registry, tool: &str, args: &Value) -> CallKey {
    CallKey {
        call_id: Digest::of(Domain::CallId, b"another node"),
        firing: Firing { node: NodeId::new("other").unwrap(), rev: 1, attempt: 0 },
        tool: ToolName::new(tool).unwrap(),
        definition: registry.tool(tool).unwrap().definition,
        args: Digest::of(Domain::Object, &canonical::to_vec(args).unwrap()),
        writes: false,
    }
}

#[tokio::test]
async fn finished_calls_of_a_ledger_are_known_and_failed_and_writing_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let registry = registry(vec![FakeTool::echo("observe").failing(9, ToolErrorKind::NoData)]);
    let long = json!({"note": "x".repeat(2000)});
    let plan = plan(json!({"version": 1, "question": "?", "tracks": [{"id": "sea", "steps": [
        {"id": "sst", "tool": "load", "args": {"offset": 2}},
        {"id": "mean", "tool": "mean", "args": {"data": {"$ref": "sst"}}},
        {"id": "long", "tool": "echo", "args": long},
        {"id": "gone", "tool": "observe", "args": {}},
        {"id": "tell", "tool": "publish", "args": {}}]}]}));
    let (_, run) = run_in(folder.path(), &plan, &registry).await;
    let entries: Vec<Entry> = read(&run.read("ledger.jsonl").unwrap(), "ledger.jsonl").entries;
    let objects = FolderObjects::new(folder.path().join("objects"));
    let memo = CallMemo::of(&entries, &objects, &registry);
    assert_eq!(memo.len(), 3);
    let sst = memo.answer(&call(&registry, "load", &json!({"offset": 2}))).unwrap().unwrap();
    let artifact = json!({"data": {"$artifact": sst.outputs["result"].digest, "kind": "series"}});
    let mean = memo.answer(&call(&registry, "mean", &artifact)).unwrap().unwrap();
    assert_eq!(mean.evidence[0].key.split('.').next(), Some("mean"));
    assert!(memo.get(&call(&registry, "echo", &long)).is_some(), "arguments in an object");
    assert!(memo.get(&call(&registry, "load", &json!({"offset": 3}))).is_none());
    assert!(memo.get(&call(&registry, "observe", &json!({}))).is_none());
    assert!(memo.get(&call(&registry, "publish", &json!({}))).is_none());

    let changed: Arc<Registry> =
        support::registry(vec![FakeTool::series("load", &[1.0]), FakeTool::mean("mean")]);
    let kept = CallMemo::of(&entries, &objects, &changed).len();
    assert!(kept <= 3, "a changed definition is another tool");
    assert!(
        CallMemo::of(&entries, &MemoryObjects::default(), &registry).is_empty(),
        "no objects, no results"
    );
}
