//! [`RunState`]: the results of the nodes of one graph.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::SetOnce;

use crate::graph::{LayeredGraph, Node, NodeIndex, NodeKind};
use crate::ledger::EntryKind;
use crate::plan::Limits;
use crate::role::{Dropped, Part};
use crate::run::executed::Expansion;
use crate::run::shared::RunShared;
use crate::run::task::NodeOutput;
use crate::run::unit::Done;
use crate::{Digest, Evidence, Gap, NodeId, Status, TrackId};

/// The results of the nodes of one graph: of the approved plan, of a revision of it, or of a sub-graph.
#[derive(Debug)]
pub(crate) struct RunState {
    pub(crate) shared: Arc<RunShared>,
    pub(crate) graph: Arc<LayeredGraph>,
    /// The plan revision.
    pub(crate) rev: u64,
    /// How many graphs this one stands in.
    pub(crate) depth: usize,
    ended: Vec<Slot>,
    gaps: Mutex<Vec<((usize, usize), Gap)>>,
    expansions: Mutex<Vec<(usize, Expansion)>>,
}

/// The place for a node's end. The overseer may put another end in it before the layer is over.
#[derive(Debug, Default)]
struct Slot {
    done: SetOnce<()>,
    end: Mutex<Option<Done>>,
}

impl RunState {
    pub(crate) fn new(shared: Arc<RunShared>, graph: Arc<LayeredGraph>, rev: u64, depth: usize) -> Self {
        let ended = (0..graph.graph().node_count()).map(|_| Slot::default()).collect();
        Self { shared, graph, rev, depth, ended, gaps: Mutex::default(), expansions: Mutex::default() }
    }

    /// Waits until a node has ended.
    pub(crate) async fn wait(&self, index: NodeIndex) {
        if let Some(slot) = self.ended.get(index.index()) {
            slot.done.wait().await;
        }
    }

    /// How a node ended, when it has.
    pub(crate) fn end_of(&self, index: NodeIndex) -> Option<Done> {
        self.ended.get(index.index())?.end.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Looks at a node's end without taking it, when there is one.
    pub(crate) fn look<T>(&self, index: NodeIndex, at: impl FnOnce(&Done) -> T) -> Option<T> {
        self.ended.get(index.index())?.end.lock().unwrap_or_else(PoisonError::into_inner).as_ref().map(at)
    }

    /// Notes the end of a node; those who wait for it go on. A later end takes the place of an earlier one.
    pub(crate) fn set(&self, index: NodeIndex, done: Done) {
        let Some(slot) = self.ended.get(index.index()) else { return };
        *slot.end.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        // It is set already when the overseer fired the node again.
        let _ = slot.done.set(());
    }

    /// A node's output, when it has ended.
    pub(crate) fn output(&self, index: NodeIndex) -> Option<Arc<NodeOutput>> {
        self.end_of(index).map(|done| done.output)
    }

    /// How a node ended; one that has not is [`Status::Cancelled`].
    pub(crate) fn status(&self, index: NodeIndex) -> Status {
        self.look(index, |done| done.output.status).unwrap_or(Status::Cancelled)
    }

    /// A digest of the content root: nothing is hashed for a run that keeps no ledger.
    pub(crate) fn hashed(&self, digest: impl FnOnce() -> Digest) -> Digest {
        if self.shared.hub.ledger.is_some() { digest() } else { Digest::NOTHING }
    }

    /// A node's digest in the content root.
    pub(crate) fn content(&self, index: NodeIndex) -> Digest {
        self.look(index, |done| done.content).unwrap_or_else(|| Digest::of(crate::Domain::Node, b""))
    }

    /// All gaps so far, in graph order.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner).clone();
        gaps.sort_by_key(|(place, _)| *place);
        gaps.into_iter().map(|(_, gap)| gap).collect()
    }

    /// The gaps of a track up to one of its layers, in graph order: what other tracks lack at this moment depends on
    /// who was quicker, and what a consolidator is told must not.
    pub(crate) fn gaps_until(&self, track: &TrackId, layer: usize) -> Vec<Gap> {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner).clone();
        gaps.retain(|((index, _), _)| {
            let node = self.graph.node(NodeIndex::new(*index));
            node.is_some_and(|node| node.track.as_ref() == Some(track) && node.layer <= layer)
        });
        gaps.sort_by_key(|(place, _)| *place);
        gaps.into_iter().map(|(_, gap)| gap).collect()
    }

    /// Takes back the gaps of a node that is fired again.
    pub(crate) fn forget_gaps(&self, index: NodeIndex) {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        gaps.retain(|((place, _), _)| *place != index.index());
    }

    /// Notes gaps of a node, or of the nodes that it was expanded to.
    pub(crate) fn add_gaps(&self, index: NodeIndex, found: impl IntoIterator<Item = Gap>) {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner);
        let place = |gaps: &Vec<((usize, usize), Gap)>| (index.index(), gaps.len());
        for gap in found {
            let at = place(&gaps);
            gaps.push((at, gap));
        }
    }

    /// Notes what a node was expanded to while the graph ran.
    pub(crate) fn expanded(&self, index: NodeIndex, expansion: Expansion) {
        let mut expansions = self.expansions.lock().unwrap_or_else(PoisonError::into_inner);
        expansions.retain(|(at, _)| *at != index.index());
        expansions.push((index.index(), expansion));
    }

    /// All expansions, in graph order.
    pub(crate) fn expansions(&self) -> Vec<Expansion> {
        let mut found = self.expansions.lock().unwrap_or_else(PoisonError::into_inner).clone();
        found.sort_by_key(|(at, _)| *at);
        found.into_iter().map(|(_, expansion)| expansion).collect()
    }

    /// What nodes bring to a fold or an agent, in this order.
    pub(crate) fn parts(&self, nodes: &[NodeIndex]) -> Vec<Part> {
        let part = |&index: &NodeIndex| {
            let node = self.graph.node(index)?;
            let output = self.output(index)?;
            let goal = match &node.kind {
                NodeKind::Agent(step) => step.task.clone(),
                NodeKind::Tool(step) => step.tool.as_str().to_owned(),
                _ => String::new(),
            };
            let text = match &output.error {
                Some(error) => format!("nothing: {error}"),
                None if output.status == Status::Skipped => "not run: its condition is false".to_owned(),
                None => output.text.clone(),
            };
            Some(Part {
                from: node.id.as_str().to_owned(),
                goal,
                status: output.status,
                text,
                evidence: output.evidence.clone(),
            })
        };
        nodes.iter().filter_map(part).collect()
    }

    /// The evidence of nodes, in this order, without what was dropped.
    pub(crate) fn evidence(&self, nodes: &[NodeIndex], dropped: &[Dropped]) -> Vec<Evidence> {
        let dropped: BTreeSet<&str> = dropped.iter().map(|one| one.key.as_str()).collect();
        let outputs = nodes.iter().filter_map(|&index| self.output(index));
        let kept = |output: Arc<NodeOutput>| {
            let kept = output.evidence.iter().filter(|evidence| !dropped.contains(evidence.key.as_str()));
            kept.cloned().collect::<Vec<_>>()
        };
        outputs.flat_map(kept).collect()
    }

    /// The name of a node's primary output.
    pub(crate) fn primary(&self, id: &NodeId) -> String {
        let node = self.graph.find(id).and_then(|index| self.graph.node(index));
        let tool = match node.map(|node| &node.kind) {
            Some(NodeKind::Tool(step)) => self.shared.scope.registry.tool(step.tool.as_str()),
            _ => None,
        };
        tool.map_or("result", |tool| tool.spec.primary()).to_owned()
    }

    /// Everything before is on the disk.
    pub(crate) fn checkpoint(&self) {
        let Some((log_root, size)) = self.shared.hub.log_root() else { return };
        self.shared.scope.record(
            EntryKind::Checkpoint,
            |_| Ok(()),
            |meta| {
                meta.key("log_root").digest(&log_root);
                meta.key("size").count(size);
                Ok(())
            },
        );
        self.shared.hub.sync_now();
    }
}

/// A node's own limits.
pub(crate) fn limits(node: &Node) -> Option<&Limits> {
    match &node.kind {
        NodeKind::Tool(step) => Some(&step.limits),
        NodeKind::Agent(step) => Some(&step.limits),
        _ => None,
    }
}
