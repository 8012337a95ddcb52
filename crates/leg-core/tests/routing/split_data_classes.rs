//! Statements about the world of two sorts never share a layer.

use std::collections::BTreeSet;

use leg_core::graph::{LayeredGraph, NodeIndex, NodeKind};
use leg_core::{DataClass, Registry};
use proptest::prelude::*;

/// The nodes of a layer have at most one class.
pub(crate) fn holds(graph: &LayeredGraph, registry: &Registry) -> Result<(), TestCaseError> {
    for layer in graph.tracks().iter().flat_map(|track| &track.layers) {
        let classes: BTreeSet<_> =
            layer.nodes.iter().filter_map(|index| class_of(graph, *index, registry)).collect();
        prop_assert!(classes.len() < 2);
    }
    Ok(())
}

fn class_of(graph: &LayeredGraph, index: NodeIndex, registry: &Registry) -> Option<DataClass> {
    match &graph.node(index).unwrap().kind {
        NodeKind::Agent(agent) => registry.agent(agent.agent.as_str()).unwrap().spec.data_class,
        NodeKind::Tool(step) => registry.tool(step.tool.as_str()).unwrap().spec.data_class,
        _ => None,
    }
}
