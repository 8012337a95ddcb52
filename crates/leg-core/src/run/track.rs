//! Runs one track: its layers with their barriers, in plan order whatever ends first.

use std::sync::Arc;

use futures::FutureExt as _;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::graph::{GraphLayer, GraphTrack, NodeIndex, NodeKind};
use crate::ledger::{EntryKind, layer_digest, track_digest};
use crate::plan::{Barriers, Body, Policy};
use crate::role::{Part, without};
use crate::run::event::Change;
use crate::run::node::{Prepared, RunState};
use crate::run::task::{FoldRole, NodeOutput, Work};
use crate::{Digest, Status, ToolError, ToolErrorKind};

/// What a track leaves.
#[derive(Debug)]
pub(crate) struct TrackEnd {
    /// Its digest in the content root.
    pub digest: Digest,
    /// Its brief: the words of its layers.
    pub text: String,
}

/// Runs a track to its end.
pub(crate) async fn run_track(state: Arc<RunState>, at: usize) -> TrackEnd {
    let graph = Arc::clone(&state.graph);
    let Some(track) = graph.tracks().get(at) else {
        return TrackEnd { digest: Digest::of(crate::Domain::Track, b""), text: String::new() };
    };
    let mut work = TrackRun { state, track, context: Vec::new(), layers: Vec::new(), early: None };
    if track.barriers == Barriers::Dataflow {
        work.start_all();
    }
    for (index, layer) in track.layers.iter().enumerate() {
        work.layer(index, layer).await;
    }
    let texts: Vec<&str> =
        work.context.iter().map(|part| part.text.as_str()).filter(|text| !text.is_empty()).collect();
    TrackEnd { digest: track_digest(&track.id, &work.layers), text: texts.join("\n") }
}

struct TrackRun<'a> {
    state: Arc<RunState>,
    track: &'a GraphTrack,
    /// What the layers found so far.
    context: Vec<Part>,
    layers: Vec<Digest>,
    /// In dataflow mode: all nodes, started already.
    early: Option<JoinSet<()>>,
}

impl TrackRun<'_> {
    fn start_all(&mut self) {
        let mut set = JoinSet::new();
        for layer in &self.track.layers {
            for &index in &layer.nodes {
                set.spawn(run_node(
                    Arc::clone(&self.state),
                    index,
                    Vec::new(),
                    self.state.scope.cancel.child_token(),
                ));
            }
        }
        self.early = Some(set);
    }

    async fn layer(&mut self, index: usize, layer: &GraphLayer) {
        let track = &self.track.id;
        self.state.scope.record(
            EntryKind::LayerStarted,
            |core| {
                core.key("layer").count(index as u64);
                core.key("track").str(track.as_str());
                Ok(())
            },
            |_| Ok(()),
        );
        self.state.scope.emit(Change::LayerStarted { track: track.clone(), layer: index });
        if self.early.is_some() {
            for &node in &layer.nodes {
                self.state.wait(node).await;
            }
        } else {
            self.settle(layer).await;
        }
        self.after(layer).await;
        let members = || layer.nodes.iter().chain(&layer.images).chain(&layer.consolidator).copied();
        let nodes: Vec<Digest> = members().map(|node| self.state.content(node)).collect();
        let digest = layer_digest(index, &nodes);
        self.layers.push(digest);
        self.state.scope.record(
            EntryKind::LayerFinished,
            |core| {
                core.key("digest").display(&digest);
                core.key("layer").count(index as u64);
                core.key("nodes").array(members(), |out, node| {
                    out.str(self.state.graph.node(node).map(|node| node.id.as_str()).unwrap_or_default());
                    Ok(())
                })?;
                core.key("track").str(track.as_str());
                Ok(())
            },
            |_| Ok(()),
        );
        self.state.checkpoint();
        self.state.scope.emit(Change::LayerFinished { track: track.clone(), layer: index });
    }

    /// Runs the nodes of a layer side by side until every one has ended.
    async fn settle(&self, layer: &GraphLayer) {
        let stop = self.state.scope.cancel.child_token();
        if let [only] = layer.nodes.as_slice() {
            // One node needs no task of its own.
            return run_node(Arc::clone(&self.state), *only, self.context.clone(), stop).await;
        }
        let mut set = JoinSet::new();
        for &index in &layer.nodes {
            let state = Arc::clone(&self.state);
            let work = run_node(state, index, self.context.clone(), stop.clone());
            set.spawn(work.map(move |()| index));
        }
        while let Some(ended) = set.join_next().await {
            let failed =
                ended.is_ok_and(|index| !matches!(self.state.status(index), Status::Ok | Status::Skipped));
            if failed && layer.policy == Policy::FailFast {
                stop.cancel();
            }
        }
    }

    /// Pictures, then the consolidator; then the layer's words join the track's.
    async fn after(&mut self, layer: &GraphLayer) {
        for &image in &layer.images {
            let Some(NodeKind::Image { of }) = self.state.graph.node(image).map(|node| &node.kind) else {
                continue;
            };
            let parts = self.state.parts(self.state.graph.find(of).as_slice());
            self.fold(image, FoldRole::Image, parts).await;
        }
        let parts = self.state.parts(&layer.nodes);
        if let Some(consolidator) = layer.consolidator {
            self.fold(consolidator, FoldRole::Consolidator, parts.clone()).await;
            let (text, dropped) = self
                .state
                .output(consolidator)
                .map(|output| (output.text.clone(), output.dropped.clone()))
                .unwrap_or_default();
            let evidence = without(parts, &dropped).into_iter().flat_map(|part| part.evidence).collect();
            let from =
                self.state.graph.node(consolidator).map(|node| node.id.to_string()).unwrap_or_default();
            self.context.push(Part { from, goal: String::new(), status: Status::Ok, text, evidence });
        } else if self.speaks() {
            self.context.extend(parts);
        }
    }

    /// Steps pass artifacts, not words: only agents need the words of what came before.
    fn speaks(&self) -> bool {
        let plan = self.state.graph.plan();
        plan.tracks.iter().any(|track| track.id == self.track.id && matches!(track.body, Body::Layers(_)))
    }

    async fn fold(&self, index: NodeIndex, role: FoldRole, parts: Vec<Part>) {
        let question = self.state.graph.question().to_owned();
        let gaps = self.state.gaps();
        let work = Work::Fold { role, question, parts, gaps };
        self.state.run_prepared(index, Prepared::work(work), self.state.scope.cancel.child_token()).await;
    }
}

/// Runs one node: waits for its inputs, looks at its condition, resolves its arguments, and does its work.
pub(crate) async fn run_node(
    state: Arc<RunState>,
    index: NodeIndex,
    context: Vec<Part>,
    stop: CancellationToken,
) {
    // In a strict track they have ended; in a dataflow track this is what a node waits for.
    for (input, _) in state.graph.artifact_inputs(index) {
        state.wait(input).await;
    }
    let prepared = state.prepare(index, context);
    let work = std::panic::AssertUnwindSafe(state.run_prepared(index, prepared, stop)).catch_unwind();
    if work.await.is_err() {
        // Whatever happens inside a node, it ends with a status.
        let error = ToolError::new(
            ToolErrorKind::Internal,
            "the engine panicked at this node; please report it with the plan",
        );
        state.finish(index, NodeOutput::failed(Status::Failed, error), 0);
    }
}
