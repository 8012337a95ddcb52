//! The kit checks itself: its fakes pass its suites, and its suites find faults.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use leg_core::{
    Agent as _, AgentTask, FolderObjects, Kind, MemoryObjects, ObjectStore, ObjectStoreExt as _, Tool,
    ToolErrorKind,
};
use leg_fetch::{Fetch, Recorder};
use leg_testkit::conformance::{self, ToolCase};
use leg_testkit::{FakeAgent, FakeDesk, FakeTool, fake_registry, strategies};
use proptest::prelude::*;
use serde_json::{Value, json};

fn memory() -> Arc<dyn ObjectStore> {
    Arc::new(MemoryObjects::default())
}

#[test]
fn stores_conform() {
    conformance::object_store(&memory());
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn ObjectStore> = Arc::new(FolderObjects::new(folder.path()));
    conformance::object_store(&store);
    conformance::damaged_objects(&store, &|digest, bytes| {
        let hex = digest.to_hex();
        std::fs::write(folder.path().join(&hex[..2]).join(&hex[2..]), bytes).unwrap();
    });
}

#[tokio::test]
async fn fetches_conform() {
    conformance::fetch(|inner| inner).await;
    conformance::fetch(|inner| Arc::new(Recorder::new(inner)) as Arc<dyn Fetch>).await;
}

#[tokio::test]
async fn fake_tools_conform() {
    let objects = memory();
    let series = leg_core::tool::Workbench::new(
        Arc::new(fake_registry().unwrap()),
        leg_core::AllowList::only("load".parse().unwrap()),
        Arc::clone(&objects),
    );
    let output = series.call("load", json!({"values": [1, 5, 3]})).await.unwrap();
    let digest = objects.put_artifact(&output.artifacts["result"]).unwrap().digest;
    let data = json!({"$artifact": digest});
    for (tool, arguments) in [
        (FakeTool::series("load", &[1.0, 2.0]), json!({})),
        (FakeTool::mean("mean"), json!({"data": data})),
        (FakeTool::sum("add"), json!({"a": data, "b": data})),
        (FakeTool::draw("draw"), json!({"data": data})),
        (FakeTool::echo("observe").external("observe.example").with_images(), json!({"x": [1, null]})),
    ] {
        let tool: Arc<dyn Tool> = Arc::new(tool);
        conformance::tool(&tool, &[ToolCase::new("plain", arguments)], &objects).await;
    }
}

#[test]
fn the_tool_suite_finds_faults() {
    let faults: [(FakeTool, &str); 4] = [
        (FakeTool::echo("t").failing(1, ToolErrorKind::Unavailable), "fails"),
        (FakeTool::echo("t").with_spec(|spec| spec.evidence.clear()), "is not listed"),
        (FakeTool::echo("t").with_spec(|spec| spec.outputs[0].port.kind = Some(Kind::Map)), "is declared"),
        (FakeTool::echo("t").with_spec(|spec| spec.summary.clear()), "one line"),
    ];
    for (tool, expected) in faults {
        let tool: Arc<dyn Tool> = Arc::new(tool);
        let suite = AssertUnwindSafe(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(conformance::tool(&tool, &[ToolCase::new("plain", json!({}))], &memory()));
        });
        let message = *catch_unwind(suite).unwrap_err().downcast::<String>().unwrap();
        assert!(message.contains(expected), "{message}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_fake_tool_sleeps_fails_and_counts() {
    let tool =
        FakeTool::echo("shaky").failing(2, ToolErrorKind::Unavailable).sleeping(Duration::from_mins(1));
    let calls = tool.calls();
    let agent = ["a", "b", "c"]
        .into_iter()
        .fold(FakeAgent::new("asker").unwrap(), |agent, what| agent.calling("shaky", json!({"what": what})));
    let mut registry = leg_core::Registry::default();
    registry.add_tool(Arc::new(tool)).unwrap();
    let desk = FakeDesk::new(Arc::new(registry), &agent.spec());
    let task =
        AgentTask { task: "t".into(), question: "q".into(), context: String::new(), evidence: Vec::new() };
    let start = tokio::time::Instant::now();
    let answer = agent.work(task, &desk).await.unwrap();
    assert_eq!(start.elapsed(), Duration::from_mins(3));
    assert_eq!(answer.gaps.len(), 2, "{:?}", answer.gaps);
    assert_eq!(calls.count(), 3);
    assert_eq!(calls.arguments()[2], json!({"what": "c"}));
}

#[tokio::test]
async fn a_desk_refuses_what_is_not_listed() {
    let agent = FakeAgent::new("asker").unwrap().calling_unlisted("echo", json!({}));
    let desk = FakeDesk::new(Arc::new(fake_registry().unwrap()), &agent.spec());
    let task =
        AgentTask { task: "t".into(), question: "q".into(), context: String::new(), evidence: Vec::new() };
    let answer = agent.work(task, &desk).await.unwrap();
    assert_eq!(answer.gaps, ["`echo`: tool `echo` is not on the allow-list"]);
    assert_eq!(desk.calls(), [("echo".to_owned(), json!({}))]);
}

proptest! {
    #[test]
    fn random_plans_name_only_what_there_is_and_look_back(plan in strategies::valid_plan()) {
        let registry = fake_registry().unwrap();
        let json = plan.to_json();
        let mut ids = std::collections::BTreeSet::new();
        for track in json["tracks"].as_array().unwrap() {
            let mut earlier = std::collections::BTreeSet::new();
            for step in track["steps"].as_array().into_iter().flatten() {
                let tool = registry.tool(step["tool"].as_str().unwrap()).unwrap();
                let id = step["id"].as_str().unwrap().to_owned();
                for (name, value) in step["args"].as_object().unwrap() {
                    if let Some(reference) = value.get("$ref").and_then(Value::as_str) {
                        prop_assert!(earlier.contains(reference), "{reference} is later");
                        prop_assert!(tool.spec.port(name).is_some());
                    }
                }
                earlier.insert(id.clone());
                prop_assert!(ids.insert(id));
            }
            for node in track["layers"].as_array().into_iter().flatten().flat_map(|layer| layer["nodes"].as_array().unwrap()) {
                prop_assert!(registry.agent(node["agent"].as_str().unwrap()).is_some());
                prop_assert!(ids.insert(node["id"].as_str().unwrap().to_owned()));
            }
        }
        prop_assert!(!ids.is_empty());
    }

    #[test]
    fn random_json_has_a_canonical_form(value in strategies::any_json()) {
        prop_assert!(leg_core::canonical::to_vec(&value).is_ok());
    }
}
