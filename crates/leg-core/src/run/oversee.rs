//! The overseer at work: after each layer its nodes are judged, and some are fired again with more context.

use std::sync::Arc;

use crate::graph::{GraphLayer, Node, NodeIndex, NodeKind};
use crate::ledger::{EntryKind, layer_digest};
use crate::role::Part;
use crate::run::run_node::{Firing, run_node};
use crate::run::track::TrackRun;
use crate::run::{Change, Judgement, LayerView, NodeView, Promise, Ruling, Upstream, WorkView};
use crate::{Effect, Status};

impl TrackRun<'_> {
    /// Lets the overseer judge a layer whose nodes have ended, until nothing is fired again.
    pub(super) async fn oversee(&mut self, at: usize, layer: &GraphLayer) {
        let recorded = self.state.shared.recorded.clone();
        if self.state.shared.overseer.is_none() && !recorded.is_some_and(|recorded| recorded.has_rulings()) {
            return;
        }
        while !self.stop.token().is_cancelled() {
            let view = self.view(at, layer);
            let judgements = self.judgements(&view).await;
            let mut rulings = self.oversight.rule(&view, &judgements);
            if self.early.is_some() {
                for ruling in &mut rulings {
                    if ruling.fire.take().is_some() {
                        let reason = "others of a dataflow track go on with the result already";
                        ruling.refused = Some(reason.to_owned());
                    }
                }
            }
            for ruling in &rulings {
                self.record_ruling(at, ruling);
            }
            if rulings.iter().all(|ruling| ruling.fire.is_none()) {
                return;
            }
            for ruling in &rulings {
                self.fire_again(at, ruling).await;
            }
        }
    }

    /// What the overseer says; what it said in an earlier session stands.
    async fn judgements(&self, view: &LayerView) -> Vec<Judgement> {
        let (shared, rev) = (&self.state.shared, self.state.rev);
        let recorded = shared.recorded.as_ref();
        let mut said =
            recorded.map(|recorded| recorded.judgements(rev, view, self.judged)).unwrap_or_default();
        let Some(overseer) = &shared.overseer else { return said };
        let replays = recorded.is_some_and(|recorded| recorded.is_replay());
        if recorded.is_some_and(|recorded| !replays && recorded.is_over(rev, &view.track, view.layer)) {
            return said;
        }
        // An overseer that cannot judge judges nothing; the results stand as they are.
        let now = overseer.judge(view).await.unwrap_or_default();
        if replays {
            // Somebody gave the replay an overseer of its own: whether it says the same is what is to be seen.
            return now;
        }
        let is_new = |judgement: &Judgement| said.iter().all(|known| known.node != judgement.node);
        let new: Vec<Judgement> = now.into_iter().filter(is_new).collect();
        said.extend(new);
        said
    }

    /// Fires what a ruling says: the node itself, or the one upstream and then the node.
    async fn fire_again(&mut self, at: usize, ruling: &Ruling) {
        let Some(fire) = &ruling.fire else { return };
        let graph = Arc::clone(&self.state.graph);
        let context = &ruling.judgement.context;
        let Some(target) = graph.find(&fire.node) else { return };
        // Two nodes may have asked for the same one upstream: it runs once for both.
        let done = self.state.end_of(target).map_or(0, |done| done.attempt);
        if done < u64::from(fire.attempt) {
            self.refire(target, u64::from(fire.attempt), context).await;
        }
        if fire.upstream {
            self.close_earlier_layer(at, target, u64::from(fire.attempt));
            let Some(judged) = graph.find(&ruling.judgement.node) else { return };
            let attempt = u64::from(self.oversight.count(&ruling.judgement.node));
            self.refire(judged, attempt, context).await;
        }
    }

    async fn refire(&mut self, index: NodeIndex, attempt: u64, context: &str) {
        let mut parts = Arc::clone(&self.context);
        if !context.is_empty() {
            Arc::make_mut(&mut parts).push(Part {
                from: "overseer".to_owned(),
                goal: String::new(),
                status: Status::Ok,
                text: context.to_owned(),
                evidence: Vec::new(),
            });
        }
        self.state.forget_gaps(index);
        let reserved = self.state.reserve(&[index], attempt).pop().flatten();
        let firing = Firing { index, attempt, context: parts, reserved, stop: &self.stop, turn: None };
        run_node(&self.state, firing).await;
    }

    /// A node of an earlier layer has another end now: the layer's words and its digest follow.
    fn close_earlier_layer(&mut self, at: usize, index: NodeIndex, attempt: u64) {
        let layers = &self.track.layers;
        let Some(earlier) = layers.iter().take(at).position(|layer| layer.nodes.contains(&index)) else {
            return;
        };
        let Some(layer) = layers.get(earlier) else { return };
        for part in self.state.parts(&[index]) {
            let parts = Arc::make_mut(&mut self.context);
            match parts.iter_mut().find(|known| known.from == part.from) {
                Some(known) => *known = part,
                // A consolidator stood between: the new words stand beside its brief.
                None => parts.push(part),
            }
        }
        let digest = self.state.hashed(|| {
            let digests: Vec<_> = layer.members().map(|node| self.state.content(node)).collect();
            layer_digest(earlier, &digests)
        });
        if let Some(place) = self.layers.get_mut(earlier) {
            *place = digest;
        }
        self.record_layer_end(earlier, layer, &digest, attempt);
    }

    fn view(&self, at: usize, layer: &GraphLayer) -> LayerView {
        let nodes = layer.nodes.iter().filter_map(|&index| self.node_view(index)).collect();
        LayerView {
            question: self.state.graph.question().to_owned(),
            track: self.track.id.clone(),
            layer: at,
            nodes,
        }
    }

    fn node_view(&self, index: NodeIndex) -> Option<NodeView> {
        let node = self.state.graph.node(index)?;
        let done = self.state.end_of(index)?;
        let output = &done.output;
        let registry = &self.state.shared.scope.registry;
        let (work, promise) = match &node.kind {
            NodeKind::Tool(step) => {
                let spec = &registry.tool(step.tool.as_str())?.spec;
                (WorkView::Tool { tool: step.tool.clone() }, Promise::of_tool(spec))
            }
            NodeKind::Agent(step) => {
                let spec = &registry.agent(step.agent.as_str())?.spec;
                let work = WorkView::Agent { agent: step.agent.clone(), task: step.task.clone() };
                (work, Promise::of_agent(spec, registry))
            }
            _ => return None,
        };
        Some(NodeView {
            node: node.id.clone(),
            work,
            promise,
            status: output.status,
            error: output.error.clone(),
            text: output.text.clone(),
            outputs: output.outputs.keys().cloned().collect(),
            evidence: output.evidence.iter().map(|evidence| evidence.name.clone()).collect(),
            gaps: output.gaps.clone(),
            attempt: u32::try_from(done.attempt).unwrap_or(u32::MAX),
            upstream: self.upstream(index, node),
        })
    }

    /// The nodes whose results a node used: those that its references name; for an agent those of the layer before.
    fn upstream(&self, index: NodeIndex, node: &Node) -> Vec<Upstream> {
        let graph = &self.state.graph;
        let mut sources: Vec<NodeIndex> =
            graph.artifact_inputs(index).into_iter().map(|(source, _)| source).collect();
        if matches!(node.kind, NodeKind::Agent(_))
            && let Some(before) = node.layer.checked_sub(1).and_then(|at| self.track.layers.get(at))
        {
            sources.extend(&before.nodes);
        }
        sources.sort_unstable();
        sources.dedup();
        sources.into_iter().filter_map(|source| self.as_upstream(graph.node(source)?)).collect()
    }

    fn as_upstream(&self, node: &Node) -> Option<Upstream> {
        let registry = &self.state.shared.scope.registry;
        // What other tracks use as well is not fired again for one of them.
        let own = node.track.as_ref() == Some(&self.track.id);
        let repeatable = own
            && match &node.kind {
                NodeKind::Tool(step) => registry.tool(step.tool.as_str())?.spec.effect != Effect::Write,
                NodeKind::Agent(step) => {
                    Promise::of_agent(&registry.agent(step.agent.as_str())?.spec, registry).repeatable
                }
                _ => return None,
            };
        Some(Upstream { node: node.id.clone(), agent: matches!(node.kind, NodeKind::Agent(_)), repeatable })
    }

    fn record_ruling(&mut self, layer: usize, ruling: &Ruling) {
        let n = self.judged;
        self.judged += 1;
        let rev = self.state.rev;
        let judgement = &ruling.judgement;
        let scope = &self.state.shared.scope;
        scope.record(
            EntryKind::Overseer,
            |core| {
                core.key("action").value(&serde_json::json!(judgement.action))?;
                if !judgement.context.is_empty() {
                    core.key("context").str(&judgement.context);
                }
                if let Some(fire) = &ruling.fire {
                    core.key("fire").value(&serde_json::json!(fire))?;
                }
                core.key("layer").count(layer as u64);
                core.key("n").count(n);
                core.key("node").str(judgement.node.as_str());
                if let Some(refused) = &ruling.refused {
                    core.key("refused").str(refused);
                }
                if rev > 0 {
                    core.key("rev").count(rev);
                }
                core.key("track").str(self.track.id.as_str());
                core.key("verdict").value(&serde_json::json!(judgement.verdict))?;
                Ok(())
            },
            |_| Ok(()),
        );
        let by = self.state.shared.overseer.as_ref().map(|overseer| overseer.name()).unwrap_or_default();
        scope.emit(Change::Overseer {
            track: self.track.id.clone(),
            layer,
            by,
            ruling: Box::new(ruling.clone()),
        });
    }
}
