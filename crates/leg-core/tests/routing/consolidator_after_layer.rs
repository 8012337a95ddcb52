//! What several agents of a layer found is folded before the layer ends.

use leg_core::graph::{LayeredGraph, NodeKind};
use proptest::prelude::*;

/// A layer has a consolidator if it has several agents, and only then.
pub(crate) fn holds(graph: &LayeredGraph) -> Result<(), TestCaseError> {
    for layer in graph.tracks().iter().flat_map(|track| &track.layers) {
        let is_agent = |index| matches!(graph.node(index).unwrap().kind, NodeKind::Agent(_));
        let agents = layer.nodes.iter().filter(|index| is_agent(**index)).count();
        prop_assert_eq!(layer.consolidator.is_some(), agents > 1);
    }
    Ok(())
}
