//! Laws of the scheduler, on random plans.

#![expect(clippy::unwrap_used, reason = "a test ends at the first surprise")]

mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use leg_core::graph::NodeKind;
use leg_core::ledger::{Entry, EntryKind, LEDGER, read, verify};
use leg_core::run::RunOutcome;
use leg_core::{LayeredGraph, NodeId, Status};
use leg_testkit::told_world::{Allowed, Tape, any_plan, any_tape, oracle, told_registry, told_tool};
use proptest::prelude::*;
use serde_json::{Value, json};
use support::{graph, options, plan, start};

/// Runs on a paused clock, or on four real threads with a real one.
fn run_it(json: &Value, concurrency: usize, threads: bool) -> (RunOutcome, Vec<Entry>, Arc<LayeredGraph>) {
    let runtime = if threads {
        tokio::runtime::Builder::new_multi_thread().worker_threads(4).enable_all().build().unwrap()
    } else {
        tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap()
    };
    runtime.block_on(async {
        let plan = plan(json.clone());
        let registry = told_registry(vec![told_tool()]);
        let (run, ledger) = start(&plan, &registry, options(&plan, concurrency));
        let outcome = run.finish().await;
        let reading = read(&ledger.bytes(), LEDGER);
        assert!(reading.faults.is_empty(), "{:?}", reading.faults);
        (outcome, reading.entries, graph(&plan, &registry))
    })
}

fn place(entries: &[Entry], kind: EntryKind, node: &NodeId) -> Vec<u64> {
    let of = |entry: &&Entry| entry.kind == kind && entry.text("node") == Some(node.as_str());
    entries.iter().filter(of).map(|entry| entry.seq).collect()
}

/// Each node, and each item of a fan-out, has one end for each firing; what started has ended.
fn every_node_ends_once(graph: &LayeredGraph, outcome: &RunOutcome, entries: &[Entry]) {
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    let mut starts = ends.clone();
    for entry in entries {
        let key = format!("{} {} {}", entry.core["node"], entry.core["rev"], entry.core["attempt"]);
        match entry.kind {
            EntryKind::NodeFinished => *ends.entry(key).or_default() += 1,
            EntryKind::NodeStarted => *starts.entry(key).or_default() += 1,
            _ => {}
        }
    }
    assert!(ends.values().all(|count| *count == 1), "{ends:?}");
    assert!(starts.iter().all(|(key, count)| *count == 1 && ends.contains_key(key)), "{starts:?}");
    for index in graph.graph().node_indices() {
        let node = graph.node(index).unwrap();
        if node.kind == NodeKind::Barrier {
            continue;
        }
        assert_eq!(place(entries, EntryKind::NodeFinished, &node.id).len(), 1, "{}", node.id);
        assert!(outcome.nodes.iter().any(|end| end.id == node.id), "{}", node.id);
    }
    let last = entries.last().unwrap();
    assert_eq!(last.kind, EntryKind::RunFinished, "nothing follows the end");
    let calls = |kind| entries.iter().filter(|entry| entry.kind == kind && entry.is_compared()).count();
    assert_eq!(calls(EntryKind::CallStarted), calls(EntryKind::CallFinished));
}

/// No node of a layer starts before the whole layer before has ended.
fn barriers_hold(graph: &LayeredGraph, entries: &[Entry]) {
    for track in graph.tracks().iter().filter(|track| track.barriers == leg_core::plan::Barriers::Strict) {
        for pair in track.layers.windows(2) {
            let members = pair[0].nodes.iter().chain(&pair[0].images).chain(&pair[0].consolidator);
            let ended = members
                .flat_map(|&index| place(entries, EntryKind::NodeFinished, &graph.node(index).unwrap().id))
                .max()
                .unwrap();
            for &index in &pair[1].nodes {
                let id = &graph.node(index).unwrap().id;
                for kind in [EntryKind::NodeStarted, EntryKind::NodeFinished] {
                    let first = place(entries, kind, id).into_iter().min();
                    assert!(first.is_none_or(|first| first > ended), "{id} is before the barrier");
                }
            }
        }
    }
}

/// A consolidator stands where a layer of agents has several, and nowhere else; each ran.
fn consolidators_stand_after_layers_of_several(graph: &LayeredGraph) {
    let consolidators =
        graph.graph().node_weights().filter(|node| node.kind == NodeKind::Consolidator).count();
    let several = graph.tracks().iter().flat_map(|track| &track.layers).filter(|layer| {
        let agents = layer
            .nodes
            .iter()
            .filter(|&&index| matches!(graph.node(index).unwrap().kind, NodeKind::Agent(_)));
        agents.count() > 1
    });
    assert_eq!(consolidators, several.count());
}

fn the_layer_is_one_more_than_the_highest_parent(json: &Value, graph: &LayeredGraph) {
    for track in json["tracks"].as_array().unwrap() {
        let mut levels: BTreeMap<&str, usize> = BTreeMap::new();
        for step in track["steps"].as_array().into_iter().flatten() {
            let mut parents: Vec<String> = Vec::new();
            let mut texts = vec![step["when"]["ref"].clone(), step["for_each"]["items"]["$ref"].clone()];
            texts.extend(step["args"]["of"].as_array().into_iter().flatten().map(|of| of["$ref"].clone()));
            parents.extend(
                texts.iter().filter_map(Value::as_str).map(|text| text.split('#').next().unwrap().to_owned()),
            );
            let level = parents.iter().map(|parent| levels[parent.as_str()] + 1).max().unwrap_or(0);
            let id = step["id"].as_str().unwrap();
            levels.insert(id, level);
            let node = graph.node(graph.find(&NodeId::new(id).unwrap()).unwrap()).unwrap();
            assert_eq!(node.layer, level, "{id}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn every_node_ends_once_as_the_oracle_says_whatever_the_concurrency(mut tape in any_tape()) {
        let json = any_plan(&mut tape, Allowed::FORESEEABLE);
        let (expected, answered) = oracle(&json);
        let mut roots = Vec::new();
        for concurrency in [1, 2, 16] {
            let (outcome, entries, graph) = run_it(&json, concurrency, false);
            every_node_ends_once(&graph, &outcome, &entries);
            barriers_hold(&graph, &entries);
            consolidators_stand_after_layers_of_several(&graph);
            the_layer_is_one_more_than_the_highest_parent(&json, &graph);
            for (id, status) in &expected {
                let end = outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap();
                prop_assert_eq!(end.output.status, *status, "{} {:?} in {}", id, end.output.error, json);
            }
            prop_assert_eq!(outcome.status, if answered { Status::Ok } else { Status::Failed }, "{}", json);
            roots.push(outcome.content_root);
        }
        prop_assert!(roots.iter().all(|root| *root == roots[0]), "{:?}", roots);
    }

    #[test]
    fn every_node_ends_once_when_layers_fail_fast_and_agents_answer_with_plans(mut tape in any_tape()) {
        let json = any_plan(&mut tape, Allowed::ANYTHING);
        for concurrency in [1, 16] {
            let (outcome, entries, graph) = run_it(&json, concurrency, false);
            every_node_ends_once(&graph, &outcome, &entries);
            barriers_hold(&graph, &entries);
        }
    }
}

/// Plans by number, for what takes real time.
fn numbered(n: u64, allowed: Allowed) -> Value {
    let mut state = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let cells = (0..260).map(|_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u16::try_from(state >> 48).unwrap()
    });
    any_plan(&mut Tape::new(cells.collect()), allowed)
}

#[test]
fn real_threads_and_real_delays_give_the_same_root() {
    for n in 0..25 {
        let json = numbered(n, Allowed::FORESEEABLE);
        let expected = run_it(&json, 1, false).0.content_root;
        for concurrency in [2, 16] {
            let (outcome, entries, graph) = run_it(&json, concurrency, true);
            every_node_ends_once(&graph, &outcome, &entries);
            barriers_hold(&graph, &entries);
            assert_eq!(outcome.content_root, expected, "plan {n}: {json}");
        }
    }
}

#[test]
fn every_folder_verifies() {
    for n in 0..60 {
        let json = numbered(n, Allowed::ANYTHING);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let runs = tempfile::tempdir().unwrap();
        runtime.block_on(async {
            let (outcome, folder) =
                support::run_in(runs.path(), &plan(json.clone()), &told_registry(vec![told_tool()])).await;
            let found = verify(&folder, None).unwrap();
            assert!(found.ok, "plan {n}: {:?} {json}", found.faults);
            assert_eq!(found.content_root, Some(outcome.content_root), "plan {n}");
        });
    }
}

#[tokio::test]
async fn branches_of_unequal_length_join_once_behind_the_longest() {
    let plan = plan(json!({"version": 1, "question": "q", "tracks": [{"id": "t", "steps": [
        {"id": "a", "tool": "told", "args": {"id": "a"}},
        {"id": "b", "tool": "told", "args": {"id": "b"}},
        {"id": "b2", "tool": "told", "args": {"id": "b2", "of": {"$ref": "b"}}},
        {"id": "d", "tool": "told", "args": {"of": [{"$ref": "a"}, {"$ref": "b2"}]}}]}]}));
    let tool = told_tool();
    let registry = told_registry(vec![tool.clone()]);
    let (run, ledger) = start(&plan, &registry, options(&plan, 16));
    let outcome = run.finish().await;
    let entries = read(&ledger.bytes(), LEDGER).entries;
    let graph = graph(&plan, &registry);
    every_node_ends_once(&graph, &outcome, &entries);
    let d = graph.find(&NodeId::new("d").unwrap()).unwrap();
    assert_eq!(graph.node(d).unwrap().layer, 2);
    let digest = |id: &str| {
        let node = outcome.nodes.iter().find(|node| node.id.as_str() == id).unwrap();
        json!(node.output.outputs["result"].digest)
    };
    let heard = tool.heard();
    let last = heard.last().unwrap();
    assert_eq!(last["of"][0]["$artifact"], digest("a"), "{last}");
    assert_eq!(last["of"][1]["$artifact"], digest("b2"));
    assert_eq!(heard.len(), 4);
}
