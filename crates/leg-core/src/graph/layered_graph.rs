//! [`LayeredGraph`]: the layer execution graph (LEG) of one plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;

use super::definitions::approved_digest;
use super::{Cost, Definitions, Display, Edge, Node};
use crate::canonical::CanonicalError;
use crate::plan::{Barriers, Plan, Policy, Reference};
use crate::routing::RuleApplication;
use crate::{Digest, NodeId, TrackId};

/// A compiled plan: only [`compile`](crate::compile) makes one, and nothing changes it afterwards.
///
/// Nodes have the order of the plan: track by track (the shared one first), layer by layer, a layer's work, its
/// images, its consolidator, its barrier; then the merge, then the reporter. [`NodeIndex`]es count in this order.
///
/// Edges: an [`Edge::Artifact`] from a step to each that refers to it; [`Edge::Context`] from a barrier to the work
/// of the next layer, from work to its image, from work and images to the consolidator (or the barrier), from the
/// consolidator to the barrier, from the last barrier of a track to the merge or the reporter, from the last barrier
/// of the shared track to the first layer of the others.
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let mean = graph.find(&"mean".parse().unwrap()).unwrap();
/// let (from, reference) = graph.artifact_inputs(mean)[0];
/// assert_eq!(graph.node(from).unwrap().id.as_str(), "sst");
/// assert_eq!(reference.to_string(), "sst");
/// assert!(graph.display().indent().contains("layer 2"));
/// ```
#[derive(Debug, Clone)]
pub struct LayeredGraph {
    pub(super) plan: Arc<Plan>,
    pub(super) graph: DiGraph<Node, Edge>,
    pub(super) tracks: Vec<GraphTrack>,
    pub(super) merge: Option<NodeIndex>,
    pub(super) reporter: NodeIndex,
    pub(super) places: BTreeMap<NodeId, NodeIndex>,
    pub(super) lifted: BTreeMap<NodeId, NodeId>,
    pub(super) applications: Vec<RuleApplication>,
    pub(super) definitions: Definitions,
    pub(super) digest: Digest,
    pub(super) cost: Cost,
}

/// A track of a [`LayeredGraph`].
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let track = &graph.tracks()[0];
/// assert_eq!((track.id.as_str(), track.shared), ("coast", false));
/// assert_eq!(track.layers.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphTrack {
    /// Its id.
    pub id: TrackId,
    /// What it is to find.
    pub goal: String,
    /// When its nodes may start.
    pub barriers: Barriers,
    /// Whether it holds the steps that several tracks had; it runs first and the others start after it.
    pub shared: bool,
    /// Its layers, in order. A track whose steps were all lifted into the shared one has none.
    pub layers: Vec<GraphLayer>,
    /// What its result is: that of the plan; the last step of a steps track that names none; nothing for agents.
    pub result: Option<Reference>,
}

/// A layer of a [`GraphTrack`].
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let first = &graph.tracks()[0].layers[0];
/// let ids: Vec<&str> = first.members().map(|index| graph.node(index).unwrap().id.as_str()).collect();
/// assert_eq!(ids, ["sst"]);
/// assert_eq!(graph.node(first.barrier).unwrap().kind.name(), "barrier");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphLayer {
    /// What a failed node does to the others.
    pub policy: Policy,
    /// The agents or tools, in plan order.
    pub nodes: Vec<NodeIndex>,
    /// The images, in the order of the nodes that they look at.
    pub images: Vec<NodeIndex>,
    /// The consolidator, if several agents work in the layer.
    pub consolidator: Option<NodeIndex>,
    /// The barrier that ends it.
    pub barrier: NodeIndex,
}

impl GraphLayer {
    /// What ends before the barrier does: the work, the images, the consolidator.
    pub fn members(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        self.nodes.iter().chain(&self.images).chain(&self.consolidator).copied()
    }
}

impl LayeredGraph {
    /// The plan after all routing rules.
    ///
    /// Steps that were lifted stand in a first track of their own, and references to them cross tracks. This is what
    /// the digest is of; to compile again, take the plan that was compiled.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The same plan, shared.
    pub(crate) fn shared_plan(&self) -> Arc<Plan> {
        Arc::clone(&self.plan)
    }

    /// The question.
    pub fn question(&self) -> &str {
        &self.plan.question
    }

    /// The tracks; the shared one, if any, comes first.
    pub fn tracks(&self) -> &[GraphTrack] {
        &self.tracks
    }

    /// The merge, if there are two or more tracks besides the shared one.
    pub const fn merge(&self) -> Option<NodeIndex> {
        self.merge
    }

    /// The reporter.
    pub const fn reporter(&self) -> NodeIndex {
        self.reporter
    }

    /// A node; `None` only for an index of another graph.
    pub fn node(&self, index: NodeIndex) -> Option<&Node> {
        self.graph.node_weight(index)
    }

    /// The node with this id. A step that was lifted is found by each id that it had.
    pub fn find(&self, id: &NodeId) -> Option<NodeIndex> {
        self.places.get(self.lifted.get(id).unwrap_or(id)).copied()
    }

    /// Steps that became one with a shared step: the id that is gone, and the one that stands for it.
    pub const fn lifted(&self) -> &BTreeMap<NodeId, NodeId> {
        &self.lifted
    }

    /// The nodes that a node waits for, each once, in plan order.
    pub fn inputs(&self, index: NodeIndex) -> Vec<NodeIndex> {
        let mut nodes: Vec<NodeIndex> = self.graph.neighbors_directed(index, Direction::Incoming).collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// What a node's references name, each reference once, by the plan order of their nodes.
    pub fn artifact_inputs(&self, index: NodeIndex) -> Vec<(NodeIndex, &Reference)> {
        let mut found: Vec<(NodeIndex, &Reference)> = self
            .graph
            .edges_directed(index, Direction::Incoming)
            .filter_map(|edge| match edge.weight() {
                Edge::Artifact(reference) => Some((edge.source(), reference)),
                Edge::Context => None,
            })
            .collect();
        found.sort();
        found
    }

    /// The routing rules that changed something, in order.
    pub fn applications(&self) -> &[RuleApplication] {
        &self.applications
    }

    /// The definitions of all tools and agents that the plan can reach.
    pub const fn definitions(&self) -> &Definitions {
        &self.definitions
    }

    /// What an approval names: the digest of the routed plan and of the definitions that it can reach.
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// The digest that this plan would have with other definitions.
    pub(crate) fn digest_with(&self, definitions: &Definitions) -> Result<Digest, CanonicalError> {
        approved_digest(&self.plan, definitions)
    }

    /// What a run may cost.
    pub const fn cost(&self) -> &Cost {
        &self.cost
    }

    /// The graph itself, for the algorithms of `petgraph`.
    pub const fn graph(&self) -> &DiGraph<Node, Edge> {
        &self.graph
    }

    /// The graph as text, Mermaid, DOT or JSON.
    pub const fn display(&self) -> Display<'_> {
        Display::new(self)
    }
}
