//! From a routed draft to the graph.

use std::collections::BTreeMap;
use std::sync::Arc;

use petgraph::graph::{DiGraph, NodeIndex};

use super::definitions::approved_digest;
use super::dependency::references;
use super::{Cost, Definitions, Edge, FreeIds, GraphLayer, GraphTrack, LayeredGraph, Node, NodeKind};
use crate::canonical::CanonicalError;
use crate::plan::Reference;
use crate::routing::{Draft, DraftLayer, DraftTrack, Routed, Work};
use crate::{IdError, NodeId, Registry, TrackId};

/// A routed draft has no graph: a fault of the engine or of a rule, not of the plan.
///
/// ```
/// use leg_core::graph::BuildError;
///
/// assert!(BuildError::NoReporter.to_string().contains("reporter"));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// A number has no canonical form.
    #[error(transparent)]
    NotCanonical(#[from] CanonicalError),
    /// A made-up id is not well-formed.
    #[error(transparent)]
    Id(#[from] IdError),
    /// Nothing is there to write the answer.
    #[error("the draft has no reporter; apply the routing rules first")]
    NoReporter,
    /// A reference goes nowhere.
    #[error("`{from}` refers to `{to}`, which is not in the graph; apply the routing rules first")]
    Dangling {
        /// The node that refers.
        from: NodeId,
        /// The node that is missing.
        to: NodeId,
    },
}

/// Builds the graph. The draft went through all rules, so that its references go back.
pub(crate) fn build(routed: Routed, registry: &Registry) -> Result<LayeredGraph, BuildError> {
    let Routed { draft, applications } = routed;
    let plan = draft.to_plan();
    let mut ids = draft.free_ids();
    let Draft { tracks: drafts, merge, reporter, lifted, .. } = draft;
    let mut builder = Builder::default();
    let mut tracks = Vec::with_capacity(drafts.len());
    for track in drafts {
        tracks.push(builder.track(track, &mut ids)?);
    }
    builder.connect_references()?;
    builder.connect_shared(&tracks);
    let merge = merge.map(|id| builder.node(id, None, 0, NodeKind::CrossTrackMerge));
    let reporter = builder.node(reporter.ok_or(BuildError::NoReporter)?, None, 0, NodeKind::Reporter);
    let end = merge.unwrap_or(reporter);
    for track in tracks.iter().filter(|track| !track.shared) {
        if let Some(last) = track.layers.last() {
            builder.context(last.barrier, end);
        }
    }
    // A track whose steps were all lifted ends where the shared track ends.
    if let Some(shared) = tracks.iter().find(|track| track.shared)
        && tracks.iter().any(|track| track.layers.is_empty())
        && let Some(last) = shared.layers.last()
    {
        builder.context(last.barrier, end);
    }
    if let Some(merge) = merge {
        builder.context(merge, reporter);
    }
    // A graph lives as long as its run, and its nodes are large.
    builder.graph.shrink_to_fit();
    let definitions = Definitions::reached_by(&plan, registry);
    let digest = approved_digest(&plan, &definitions)?;
    let cost = Cost::of(&builder.graph, &tracks, registry);
    let Builder { graph, places } = builder;
    Ok(LayeredGraph {
        plan: Arc::new(plan),
        graph,
        tracks,
        merge,
        reporter,
        places,
        lifted,
        applications,
        definitions,
        digest,
        cost,
    })
}

#[derive(Default)]
struct Builder {
    graph: DiGraph<Node, Edge>,
    places: BTreeMap<NodeId, NodeIndex>,
}

impl Builder {
    fn node(&mut self, id: NodeId, track: Option<&TrackId>, layer: usize, kind: NodeKind) -> NodeIndex {
        let index = self.graph.add_node(Node { id: id.clone(), track: track.cloned(), layer, kind });
        self.places.insert(id, index);
        index
    }

    fn context(&mut self, from: NodeIndex, to: NodeIndex) {
        self.graph.add_edge(from, to, Edge::Context);
    }

    fn track(&mut self, draft: DraftTrack, ids: &mut FreeIds) -> Result<GraphTrack, BuildError> {
        let result = draft.resolved_result();
        let DraftTrack { id, goal, barriers, shared, layers: drafts, .. } = draft;
        let mut layers: Vec<GraphLayer> = Vec::with_capacity(drafts.len());
        for (at, layer) in drafts.into_iter().enumerate() {
            let before = layers.last().map(|layer| layer.barrier);
            let barrier = ids.take(&format!("barrier_{id}_{}", at + 1))?;
            layers.push(self.layer(layer, &id, at, barrier, before));
        }
        Ok(GraphTrack { id, goal, barriers, shared, layers, result })
    }

    fn layer(
        &mut self,
        draft: DraftLayer,
        track: &TrackId,
        at: usize,
        barrier: NodeId,
        before: Option<NodeIndex>,
    ) -> GraphLayer {
        let track = Some(track);
        let mut nodes = Vec::with_capacity(draft.nodes.len());
        for node in draft.nodes {
            let (id, kind) = match node.work {
                Work::Agent(agent) => (agent.id.clone(), NodeKind::Agent(Arc::new(agent))),
                Work::Tool(step) => (step.id.clone(), NodeKind::Tool(Arc::new(step))),
            };
            let index = self.node(id, track, at, kind);
            if let Some(before) = before {
                self.context(before, index);
            }
            nodes.push(index);
        }
        let mut images = Vec::with_capacity(draft.images.len());
        for image in draft.images {
            let maker = self.places.get(&image.of).copied();
            let index = self.node(image.id, track, at, NodeKind::Image { of: image.of });
            if let Some(maker) = maker {
                self.context(maker, index);
            }
            images.push(index);
        }
        let consolidator = draft.consolidator.map(|id| self.node(id, track, at, NodeKind::Consolidator));
        let barrier = self.node(barrier, track, at, NodeKind::Barrier);
        for index in nodes.iter().chain(&images) {
            self.context(*index, consolidator.unwrap_or(barrier));
        }
        if let Some(consolidator) = consolidator {
            self.context(consolidator, barrier);
        }
        GraphLayer { policy: draft.policy, nodes, images, consolidator, barrier }
    }

    fn connect_references(&mut self) -> Result<(), BuildError> {
        let mut edges: Vec<(NodeIndex, NodeIndex, Reference)> = Vec::new();
        for index in self.graph.node_indices() {
            let Some(node) = self.graph.node_weight(index) else { continue };
            let found = match &node.kind {
                NodeKind::Tool(step) => references(step),
                NodeKind::Agent(agent) => agent.when.iter().map(|when| when.reference.clone()).collect(),
                _ => continue,
            };
            for reference in found {
                let Some(source) = self.places.get(&reference.node) else {
                    return Err(BuildError::Dangling { from: node.id.clone(), to: reference.node });
                };
                edges.push((*source, index, reference));
            }
        }
        for (source, target, reference) in edges {
            self.graph.add_edge(source, target, Edge::Artifact(reference));
        }
        Ok(())
    }

    fn connect_shared(&mut self, tracks: &[GraphTrack]) {
        let Some(last) = tracks.iter().find(|track| track.shared).and_then(|track| track.layers.last())
        else {
            return;
        };
        for track in tracks.iter().filter(|track| !track.shared) {
            for index in track.layers.first().into_iter().flat_map(|layer| &layer.nodes) {
                self.context(last.barrier, *index);
            }
        }
    }
}
