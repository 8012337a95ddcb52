//! The last rule only rejects: what it looks at is there in each graph, and a plan that is broken becomes none.

use std::collections::BTreeSet;

use leg_core::NodeId;
use leg_core::graph::LayeredGraph;
use leg_core::plan::{Body, Code, Comparison, Condition, Plan};
use leg_core::routing::Draft;
use petgraph::visit::EdgeRef as _;
use proptest::prelude::*;
use serde_json::json;

use crate::tangled::tangled_plan;
use crate::world::registry;

/// Nothing of the plan is lost, nothing stands twice, all edges go forward, and no layer is empty.
pub(crate) fn holds(graph: &LayeredGraph, plan: &Plan) -> Result<(), TestCaseError> {
    for id in plan_ids(plan) {
        prop_assert!(graph.find(&id).is_some(), "{} is lost", id);
    }
    let mut seen = BTreeSet::new();
    for index in graph.graph().node_indices() {
        let node = graph.node(index).unwrap();
        prop_assert!(seen.insert(node.id.clone()), "{} stands twice", node.id);
        prop_assert_eq!(graph.find(&node.id), Some(index));
    }
    for edge in graph.graph().edge_references() {
        prop_assert!(edge.source() < edge.target());
    }
    for track in graph.tracks() {
        prop_assert!(!track.layers.is_empty() || track.result.is_some());
        prop_assert!(track.layers.iter().all(|layer| !layer.nodes.is_empty()));
        if let Some(result) = &track.result {
            prop_assert!(graph.find(&result.node).is_some());
        }
    }
    Ok(())
}

fn plan_ids(plan: &Plan) -> BTreeSet<NodeId> {
    let ids = plan.tracks.iter().flat_map(|track| match &track.body {
        Body::Steps(steps) => steps.iter().map(|step| step.id.clone()).collect::<Vec<_>>(),
        Body::Layers(layers) => {
            layers.iter().flat_map(|layer| &layer.nodes).map(|node| node.id.clone()).collect()
        }
    });
    ids.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_broken_plan_is_refused_and_never_panics(
        mut plan in tangled_plan(),
        fault in 0..6_u8,
        at in any::<prop::sample::Index>(),
        cut in any::<bool>(),
    ) {
        let registry = registry();
        let t = at.index(plan.tracks.len());
        let code = match (&mut plan.tracks[t].body, fault) {
            (_, 0) => {
                plan.tracks.clear();
                Code::Empty
            }
            (_, 1) => {
                let copy = plan.tracks[t].clone();
                plan.tracks.push(copy);
                Code::DuplicateId
            }
            (_, 2) => {
                plan.tracks[t].result = Some("nowhere".parse().unwrap());
                Code::DanglingReference
            }
            (Body::Steps(steps), 3) => {
                steps[0].tool = "no_such_tool".parse().unwrap();
                Code::UnknownTool
            }
            (Body::Steps(steps), 4) => {
                let own = steps[0].id.to_string();
                steps[0].args = json!({"data": [{"$ref": own}]});
                Code::Cycle
            }
            (Body::Steps(steps), _) => {
                steps[0].args = if cut { json!({"a": {"$ref": "nowhere"}}) } else { json!({"a": {"$ref": "!"}}) };
                Code::DanglingReference
            }
            (Body::Layers(layers), 3) => {
                layers[0].nodes[0].agent = "no_such_agent".parse().unwrap();
                Code::UnknownAgent
            }
            (Body::Layers(layers), 4) => {
                let reference = format!("{}#/status", layers[0].nodes[0].id).parse().unwrap();
                layers[0].nodes[0].when = Some(Condition { reference, op: Comparison::Exists, value: json!(null) });
                Code::BadReference
            }
            (Body::Layers(layers), _) => {
                layers.clear();
                Code::Empty
            }
        };
        let found: Vec<Code> =
            Draft::of_plan(&plan, &registry).unwrap_err().iter().map(|one| one.code).collect();
        prop_assert!(found.contains(&code), "{:?} is not in {:?}", code, found);
    }
}
