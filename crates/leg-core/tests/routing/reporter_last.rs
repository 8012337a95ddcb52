//! The answer is written when all else is done.

use leg_core::graph::LayeredGraph;
use petgraph::algo::has_path_connecting;
use proptest::prelude::*;

/// All of a layer reaches its barrier, each barrier the reporter, and beside them and the merge there is nothing.
pub(crate) fn holds(graph: &LayeredGraph) -> Result<(), TestCaseError> {
    let mut counted = 0;
    for track in graph.tracks() {
        for (at, layer) in track.layers.iter().enumerate() {
            for index in layer.members().chain([layer.barrier]) {
                prop_assert_eq!(graph.node(index).unwrap().layer, at);
                prop_assert_eq!(graph.node(index).unwrap().track.as_ref(), Some(&track.id));
                prop_assert!(has_path_connecting(graph.graph(), index, layer.barrier, None));
                counted += 1;
            }
            prop_assert!(has_path_connecting(graph.graph(), layer.barrier, graph.reporter(), None));
        }
    }
    prop_assert_eq!(counted + 1 + usize::from(graph.merge().is_some()), graph.graph().node_count());
    Ok(())
}
