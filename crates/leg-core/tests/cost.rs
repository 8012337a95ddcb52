//! What an approver is shown is at least what a run then spends.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeSet;
use std::sync::Arc;

use leg_core::ledger::{Entry, EntryKind, MemoryLedger, read};
use leg_core::{Registry, Status};
use leg_testkit::{FakeAgent, FakeTool, fake_agents, fake_tools, strategies};
use proptest::prelude::*;
use serde_json::json;

/// The small world, whose external tools tell how much they read at most and whose agents say what they expect.
fn world() -> Arc<Registry> {
    let mut registry = Registry::default();
    for tool in fake_tools() {
        registry.add_tool(Arc::new(tool.estimating(4_096))).unwrap();
    }
    for agent in fake_agents() {
        registry.add_agent(Arc::new(agent.expecting(1, 0))).unwrap();
    }
    let busy = FakeAgent::new("busy").unwrap().expecting(3, 900);
    let busy = busy.calling("observe", json!({"n": 1})).calling("forecast", json!({"n": 2}));
    registry.add_agent(Arc::new(busy.calling_unlisted("publish", json!({})))).unwrap();
    Arc::new(registry)
}

/// What a ledger says was spent: calls, bytes that were read, hosts.
fn spent(ledger: &MemoryLedger) -> (usize, u64, BTreeSet<String>) {
    let entries = read(&ledger.bytes(), "memory").entries;
    let calls = entries.iter().filter(|entry| entry.kind == EntryKind::CallStarted).count();
    let sources = |entry: &Entry| entry.meta["sources"].as_array().cloned().unwrap_or_default();
    let sources: Vec<_> = entries.iter().flat_map(sources).collect();
    let bytes = sources.iter().map(|source| source["bytes"].as_u64().unwrap()).sum();
    let host = |address: &str| address.split('/').nth(2).unwrap().to_owned();
    (calls, bytes, sources.iter().map(|source| host(source["address"].as_str().unwrap())).collect())
}

fn check(plan: &leg_core::Plan, registry: &Arc<Registry>) -> Result<(), TestCaseError> {
    let graph = support::graph(plan, registry);
    let cost = graph.cost();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (outcome, ledger) = runtime.block_on(support::run(plan, registry, 4));
    prop_assert_eq!(outcome.status, Status::Ok);
    let (calls, bytes, hosts) = spent(&ledger);
    prop_assert!(calls <= cost.calls_at_most.unwrap(), "{} calls, {}", calls, cost);
    // A fan-out over a result and a condition may end in no call at all; agents may find nothing to ask.
    prop_assert!(cost.calls_at_least <= cost.calls_at_most.unwrap());
    prop_assert!(cost.bytes_unknown.is_empty() || !cost.open.is_empty());
    if cost.bytes_unknown.is_empty() {
        prop_assert!(bytes <= cost.bytes, "{} bytes, {}", bytes, cost);
    }
    prop_assert!(hosts.is_subset(&cost.hosts), "{:?}, {}", hosts, cost);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn no_run_spends_more_than_was_shown(plan in strategies::valid_plan()) {
        check(&plan, &world())?;
    }
}

#[test]
fn agents_and_tools_that_say_what_they_take_are_added_up() {
    let nodes = json!([
        {"id": "a", "agent": "busy", "task": "look"},
        {"id": "b", "agent": "tracker", "task": "look"},
    ]);
    let steps = json!([
        {"id": "far", "tool": "observe", "args": {"what": "level"}},
        {"id": "near", "tool": "echo", "args": {"data": {"$ref": "far"}}},
    ]);
    let tracks = json!([{"id": "t", "layers": [{"nodes": nodes}]}, {"id": "u", "steps": steps}]);
    let plan = support::plan(json!({"version": 1, "question": "q", "tracks": tracks}));
    let registry = world();
    check(&plan, &registry).unwrap();
    let graph = support::graph(&plan, &registry);
    let cost = graph.cost();
    assert_eq!((cost.calls_at_least, cost.calls_at_most), (4, Some(3 + 1 + 2)));
    assert_eq!((cost.model_tokens, cost.tokens_unknown.len()), (900, 0));
    assert_eq!(cost.bytes, 2 * 4_096);
    assert_eq!(cost.bytes_unknown.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a", "b"]);

    // What nobody tells is named, and never counted as nothing.
    let silent = support::registry(vec![FakeTool::echo("observe").external("observe.example")]);
    let graph = support::graph(
        &support::plan(json!({"version": 1, "question": "q", "tracks": [
        {"id": "u", "steps": steps}]})),
        &silent,
    );
    assert_eq!(graph.cost().bytes, 0);
    assert_eq!(graph.cost().bytes_unknown.len(), 1);
    assert!(graph.cost().to_string().contains("bytes read by `far` unknown"), "{}", graph.cost());
}

#[test]
fn an_expectation_is_part_of_the_definition() {
    let digest = |agent: FakeAgent| {
        use leg_core::Agent as _;
        agent.spec().definition()
    };
    let plain = || FakeAgent::new("a").unwrap();
    assert_ne!(digest(plain()), digest(plain().expecting(1, 0)));
    assert_ne!(digest(plain().expecting(1, 0)), digest(plain().expecting(1, 1)));
}
