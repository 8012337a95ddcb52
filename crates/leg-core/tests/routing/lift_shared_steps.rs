//! What several tracks compute is computed once, in a track that runs first.

use std::collections::{BTreeMap, BTreeSet};

use leg_core::graph::{Edge, LayeredGraph};
use leg_core::plan::{Body, Plan};
use petgraph::visit::EdgeRef as _;
use proptest::prelude::*;

use crate::tangled::tangled_plan;
use crate::world::{compile, registry};

/// Data cross from one track to another only if the first is shared.
pub(crate) fn holds(graph: &LayeredGraph) -> Result<(), TestCaseError> {
    for edge in graph.graph().edge_references() {
        let (from, to) = (graph.node(edge.source()).unwrap(), graph.node(edge.target()).unwrap());
        let shared =
            graph.tracks().iter().any(|track| track.shared && Some(&track.id) == from.track.as_ref());
        if matches!(edge.weight(), Edge::Artifact(_)) {
            prop_assert!(shared || (from.track == to.track && from.layer < to.layer));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_step_is_left_in_two_tracks(plan in tangled_plan()) {
        let registry = registry();
        let graph = compile(&plan, &registry).unwrap();
        // After lifting, equal steps of two tracks are equal by their text: references name the shared steps.
        let mut tracks_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for track in graph.plan().tracks.iter().filter(|track| !track.id.as_str().starts_with("shared")) {
            let Body::Steps(steps) = &track.body else { continue };
            for step in steps.iter().filter(|step| step.tool.as_str() != "publish") {
                let text = format!("{} {} {:?}", step.tool, step.args, step.when);
                tracks_of.entry(text).or_default().insert(track.id.to_string());
            }
        }
        for (step, tracks) in tracks_of {
            prop_assert_eq!(tracks.len(), 1, "{}", step);
        }
        let writes = |plan: &Plan| {
            let steps = plan.tracks.iter().flat_map(|track| match &track.body {
                Body::Steps(steps) => steps.clone(),
                Body::Layers(_) => Vec::new(),
            });
            steps.filter(|step| step.tool.as_str() == "publish").count()
        };
        prop_assert_eq!(writes(graph.plan()), writes(&plan));
    }
}
