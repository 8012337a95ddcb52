//! Pictures are looked at directly after they are made.

use leg_core::Registry;
use leg_core::graph::{LayeredGraph, NodeIndex, NodeKind};
use proptest::prelude::*;

/// Each layer has an image node for each of its nodes that makes pictures, in their order.
pub(crate) fn holds(graph: &LayeredGraph, registry: &Registry) -> Result<(), TestCaseError> {
    for layer in graph.tracks().iter().flat_map(|track| &track.layers) {
        let makers = layer.nodes.iter().filter(|index| makes_images(graph, **index, registry));
        let makers: Vec<_> = makers.map(|index| graph.node(*index).unwrap().id.clone()).collect();
        let images = layer.images.iter().map(|index| match &graph.node(*index).unwrap().kind {
            NodeKind::Image { of } => Ok(of.clone()),
            other => Err(TestCaseError::fail(format!("{} is no image", other.name()))),
        });
        prop_assert_eq!(images.collect::<Result<Vec<_>, _>>()?, makers);
    }
    Ok(())
}

fn makes_images(graph: &LayeredGraph, index: NodeIndex, registry: &Registry) -> bool {
    match &graph.node(index).unwrap().kind {
        NodeKind::Agent(agent) => registry.agent(agent.agent.as_str()).unwrap().spec.produces_images,
        NodeKind::Tool(step) => registry.tool(step.tool.as_str()).unwrap().spec.produces_images,
        _ => false,
    }
}
