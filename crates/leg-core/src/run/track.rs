//! Runs one track: its layers with their barriers, in plan order whatever ends first.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::graph::{GraphLayer, GraphTrack, NodeKind};
use crate::ledger::{EntryKind, layer_digest, track_digest};
use crate::plan::{Barriers, Body, Policy};
use crate::role::Part;
use crate::run::Oversight;
use crate::run::attempt::over;
use crate::run::crew::Crew;
use crate::run::event::Change;
use crate::run::run_node::{Firing, run_node};
use crate::run::state::RunState;
use crate::run::stop::Stop;
use crate::run::task::{FoldRole, Work};
use crate::{Digest, Status};

/// What a track leaves.
#[derive(Debug)]
pub(crate) struct TrackEnd {
    /// Its digest in the content root.
    pub digest: Digest,
    /// Its brief: the words of its layers.
    pub text: String,
}

/// Runs a track to its end.
pub(crate) async fn run_track(state: Arc<RunState>, at: usize, stop: Stop) -> TrackEnd {
    let graph = Arc::clone(&state.graph);
    let Some(track) = graph.tracks().get(at) else {
        return TrackEnd { digest: Digest::of(crate::Domain::Track, b""), text: String::new() };
    };
    let oversight = Oversight::new(state.shared.options.oversight);
    let (context, layers) = (Arc::default(), Vec::new());
    let mut work = TrackRun { state, track, stop, context, layers, early: None, oversight, judged: 0 };
    if track.barriers == Barriers::Dataflow {
        work.start_all();
    }
    for (index, layer) in track.layers.iter().enumerate() {
        work.layer(index, layer).await;
    }
    let texts: Vec<&str> =
        work.context.iter().map(|part| part.text.as_str()).filter(|text| !text.is_empty()).collect();
    let digest = work.state.hashed(|| track_digest(&track.id, &work.layers));
    TrackEnd { digest, text: texts.join("\n") }
}

pub(super) struct TrackRun<'a> {
    pub(super) state: Arc<RunState>,
    pub(super) track: &'a GraphTrack,
    pub(super) stop: Stop,
    /// What the layers found so far.
    pub(super) context: Arc<Vec<Part>>,
    pub(super) layers: Vec<Digest>,
    /// How often the overseer may still fire nodes again.
    pub(super) oversight: Oversight,
    /// How many rulings there were.
    pub(super) judged: u64,
    /// In dataflow mode: all nodes, started already.
    pub(super) early: Option<JoinSet<()>>,
}

impl TrackRun<'_> {
    fn start_all(&mut self) {
        let mut set = JoinSet::new();
        let nodes: Vec<_> = self.track.layers.iter().flat_map(|layer| layer.nodes.iter().copied()).collect();
        for (index, reserved) in nodes.iter().copied().zip(self.state.reserve(&nodes, 0)) {
            let (state, stop) = (Arc::clone(&self.state), self.stop.clone());
            set.spawn(async move {
                let (context, stop) = (Arc::default(), &stop);
                run_node(&state, Firing { index, attempt: 0, context, reserved, stop, turn: None }).await;
            });
        }
        self.early = Some(set);
    }

    async fn layer(&mut self, index: usize, layer: &GraphLayer) {
        self.record_layer_start(index);
        if self.early.is_some() {
            for &node in &layer.nodes {
                self.state.wait(node).await;
            }
        } else {
            self.settle(layer).await;
        }
        self.oversee(index, layer).await;
        self.after(index, layer).await;
        let digest = self.state.hashed(|| {
            let nodes: Vec<Digest> = layer.members().map(|node| self.state.content(node)).collect();
            layer_digest(index, &nodes)
        });
        self.layers.push(digest);
        self.record_layer_end(index, layer, &digest, 0);
        self.state.checkpoint();
        let track = self.track.id.clone();
        self.state.shared.scope.emit(Change::LayerFinished { track, layer: index });
    }

    /// `attempt` is that of a node that was fired again after the layer had ended.
    pub(super) fn record_layer_end(&self, index: usize, layer: &GraphLayer, digest: &Digest, attempt: u64) {
        let (track, rev) = (&self.track.id, self.state.rev);
        self.state.shared.scope.record(
            EntryKind::LayerFinished,
            |core| {
                if attempt > 0 {
                    core.key("attempt").count(attempt);
                }
                core.key("digest").digest(digest);
                core.key("layer").count(index as u64);
                core.key("nodes").array(layer.members(), |out, node| {
                    out.str(self.state.graph.node(node).map(|node| node.id.as_str()).unwrap_or_default());
                    Ok(())
                })?;
                if rev > 0 {
                    core.key("rev").count(rev);
                }
                core.key("track").str(track.as_str());
                Ok(())
            },
            |_| Ok(()),
        );
    }

    fn record_layer_start(&self, index: usize) {
        let (track, rev) = (&self.track.id, self.state.rev);
        let scope = &self.state.shared.scope;
        scope.record(
            EntryKind::LayerStarted,
            |core| {
                core.key("layer").count(index as u64);
                if rev > 0 {
                    core.key("rev").count(rev);
                }
                core.key("track").str(track.as_str());
                Ok(())
            },
            |_| Ok(()),
        );
        scope.emit(Change::LayerStarted { track: track.clone(), layer: index });
    }

    /// Runs the nodes of a layer side by side until every one has ended.
    async fn settle(&self, layer: &GraphLayer) {
        // In a replay the record says who was stopped.
        let replays = self.state.shared.replays();
        let limit = self.state.shared.options.layer_timeout_s.filter(|_| !replays);
        let mut reserved = self.state.reserve(&layer.nodes, 0);
        if let ([only], None) = (layer.nodes.as_slice(), limit) {
            // One node needs no task of its own.
            let (index, reserved) = (*only, reserved.pop().flatten());
            let context = Arc::clone(&self.context);
            let firing = Firing { index, attempt: 0, context, reserved, stop: &self.stop, turn: None };
            return run_node(&self.state, firing).await;
        }
        let fail_fast = layer.policy == Policy::FailFast && !replays;
        // A signal of its own, where something can stop the layer and not the track.
        let stop = if fail_fast || limit.is_some() { self.stop.child() } else { self.stop.clone() };
        let nodes = layer.nodes.iter().copied().zip(reserved).collect();
        let crew = Crew::new(&self.state, &self.context, stop.clone(), fail_fast, nodes);
        if limit.is_none() {
            return crew.work().await;
        }
        let mut work = std::pin::pin!(crew.work());
        tokio::select! {
            biased;
            () = &mut work => return,
            () = over(limit) => stop.stop(Status::Timeout),
        }
        work.await;
    }

    /// Pictures, then the consolidator; then the layer's words join the track's.
    async fn after(&mut self, at: usize, layer: &GraphLayer) {
        let graph = Arc::clone(&self.state.graph);
        for &image in &layer.images {
            let Some(NodeKind::Image { of }) = graph.node(image).map(|node| &node.kind) else { continue };
            let parts = self.state.parts(graph.find(of).as_slice());
            self.fold(at, image, FoldRole::Image, parts).await;
        }
        if let Some(consolidator) = layer.consolidator {
            let parts = self.state.parts(&layer.nodes);
            self.fold(at, consolidator, FoldRole::Consolidator, parts).await;
            let brief = self.state.output(consolidator);
            let text = brief.as_ref().map(|brief| brief.text.clone()).unwrap_or_default();
            let dropped = brief.as_ref().map(|brief| brief.dropped.as_slice()).unwrap_or_default();
            let evidence = self.state.evidence(&layer.nodes, dropped);
            let from = graph.node(consolidator).map(|node| node.id.to_string()).unwrap_or_default();
            Arc::make_mut(&mut self.context).push(Part {
                from,
                goal: String::new(),
                status: Status::Ok,
                text,
                evidence,
            });
        } else if self.speaks() {
            let parts = self.state.parts(&layer.nodes);
            Arc::make_mut(&mut self.context).extend(parts);
        }
    }

    /// Steps pass artifacts, not words: only agents need the words of what came before.
    fn speaks(&self) -> bool {
        let plan = self.state.graph.plan();
        plan.tracks.iter().any(|track| track.id == self.track.id && matches!(track.body, Body::Layers(_)))
    }

    async fn fold(&self, at: usize, index: crate::graph::NodeIndex, role: FoldRole, parts: Vec<Part>) {
        let question = self.state.graph.question().to_owned();
        let gaps = self.state.gaps_until(&self.track.id, at);
        let work = Work::Fold { role, question, parts, gaps };
        self.state.run_role(index, work, &self.stop).await;
    }
}
