//! A sub-graph as a node: an agent answers with a plan, and its nodes run inside the agent's node, under the agent's
//! list of tools and the run's budget.

use std::sync::Arc;

use futures::future::BoxFuture;
use serde_json::Value;

use crate::canonical;
use crate::compile::compile_with;
use crate::graph::{LayeredGraph, NodeKind};
use crate::ledger::EntryKind;
use crate::plan::{Plan, parse, prefixed, validate};
use crate::run::executed::Expansion;
use crate::run::state::RunState;
use crate::run::stop::Stop;
use crate::run::task::NodeOutput;
use crate::run::tracks::run_tracks;
use crate::run::unit::{Inner, Unit};
use crate::run::{Change, RevisionCause};
use crate::{AllowList, Diagnostic, Status, ToolError, ToolErrorKind, TrackId};

/// Graphs may stand in each other this deep.
const DEPTH: usize = 3;

/// What a sub-graph leaves.
pub(crate) struct SubGraphEnd {
    output: NodeOutput,
    inner: Inner,
}

impl SubGraphEnd {
    fn failed(message: String) -> Self {
        let error = ToolError::new(ToolErrorKind::InvalidArguments, message);
        Self { output: NodeOutput::failed(Status::Failed, error), inner: Inner::default() }
    }

    /// Adds it to what the agent itself left.
    pub(crate) fn merge_into(self, output: &mut NodeOutput, inner: &mut Inner) {
        let own = self.output;
        output.status = own.status;
        output.error = own.error;
        if !own.text.is_empty() {
            if !output.text.is_empty() {
                output.text.push('\n');
            }
            output.text.push_str(&own.text);
        }
        output.outputs.extend(own.outputs);
        output.evidence.extend(own.evidence);
        output.notes.extend(own.notes);
        output.renderings.extend(own.renderings);
        output.sources.extend(own.sources);
        output.inner_gaps.extend(own.inner_gaps);
        *inner = self.inner;
    }
}

impl RunState {
    /// Runs the plan that the agent of a unit answered with.
    ///
    /// The future is boxed: a graph in a graph is a future in itself.
    pub(crate) fn run_sub_graph<'a>(
        self: &'a Arc<Self>,
        unit: &'a Unit<'_>,
        plan: Value,
        stop: &'a Stop,
    ) -> BoxFuture<'a, SubGraphEnd> {
        Box::pin(self.inside(unit, plan, stop))
    }

    async fn inside(self: &Arc<Self>, unit: &Unit<'_>, plan: Value, stop: &Stop) -> SubGraphEnd {
        let graph = match self.sub_graph(unit, &plan) {
            Ok(graph) => Arc::new(graph),
            Err(message) => return SubGraphEnd::failed(message),
        };
        self.record_sub_graph(unit, &graph);
        let state =
            Arc::new(Self::new(Arc::clone(&self.shared), Arc::clone(&graph), self.rev, self.depth + 1));
        let ends = run_tracks(&state, stop).await;
        let mut output = NodeOutput::ended(Status::Ok);
        let texts: Vec<&str> =
            ends.values().map(|end| end.text.as_str()).filter(|text| !text.is_empty()).collect();
        output.text = texts.join("\n");
        for index in graph.graph().node_indices() {
            let Some((node, done)) = graph.node(index).zip(state.output(index)) else { continue };
            if !node.kind.is_work() {
                continue;
            }
            output.evidence.extend(done.evidence.iter().cloned());
            output.renderings.extend(done.renderings.iter().cloned());
            output.sources.extend(done.sources.iter().cloned());
            for note in &done.notes {
                if !output.notes.contains(note) {
                    output.notes.push(note.clone());
                }
            }
            for (name, summary) in &done.outputs {
                output.outputs.insert(format!("{}_{name}", node.id), summary.clone());
            }
        }
        output.inner_gaps = state.gaps();
        if !graph.tracks().iter().any(|track| state.answers(track)) {
            output.status = Status::Failed;
            let message = format!("no track of the sub-graph of `{}` gave its result", unit.id);
            output.error = Some(ToolError::new(ToolErrorKind::NotFound, message));
        }
        let tracks: Vec<TrackId> = graph.tracks().iter().map(|track| track.id.clone()).collect();
        let digests = ends.values().map(|end| end.digest).collect();
        if let Some(index) = self.graph.find(&unit.node.id) {
            let plan = graph.plan().to_json();
            let expansion = Expansion::sub_graph(unit.id.clone(), tracks.clone(), plan, state.expansions());
            self.expanded(index, expansion);
        }
        SubGraphEnd { output, inner: Inner { children: Vec::new(), tracks, digests } }
    }

    /// The graph of a plan, when the agent may do all that is in it.
    fn sub_graph(&self, unit: &Unit<'_>, plan: &Value) -> Result<LayeredGraph, String> {
        let id = &unit.id;
        let registry = &self.shared.scope.registry;
        let NodeKind::Agent(step) = &unit.node.kind else {
            return Err(format!("`{id}` is no agent and cannot answer with a plan"));
        };
        if self.depth + 1 > DEPTH {
            return Err(format!("the plan of `{id}` stands {DEPTH} graphs deep; answer with calls instead"));
        }
        let told = |what: &str, found: Vec<Diagnostic>| {
            let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
            format!("the plan of `{id}` {what}: {}", lines.join("; "))
        };
        let plan: Plan = parse(plan).map_err(|found| told("is no plan", found))?;
        let plan = prefixed(plan, id).map_err(|error| format!("the plan of `{id}`: {error}"))?;
        let allowed: AllowList = registry
            .agent(step.agent.as_str())
            .map(|agent| agent.spec.tools.iter().cloned().collect())
            .unwrap_or_default();
        let valid = validate(plan, registry).map_err(|found| told("is not valid", found))?;
        let graph = compile_with(&valid, registry, &self.shared.router)
            .map_err(|error| format!("the plan of `{id}` does not compile: {error}"))?;
        for name in graph.definitions().tools.keys() {
            if !allowed.allows(name.as_str()) {
                return Err(format!(
                    "the plan of `{id}` uses tool `{name}`, which agent `{}` may not call",
                    step.agent
                ));
            }
        }
        Ok(graph)
    }

    fn record_sub_graph(&self, unit: &Unit<'_>, graph: &LayeredGraph) {
        let scope = &self.shared.scope;
        let nodes = graph.graph().node_weights().filter(|node| node.kind.is_work());
        scope.emit(Change::PlanRevision {
            cause: RevisionCause::SubGraph,
            rev: self.rev,
            node: Some(unit.id.clone()),
            children: nodes.map(|node| node.id.clone()).collect(),
        });
        if !scope.port.is_recording() {
            return;
        }
        let bytes = canonical::to_vec(graph.plan()).unwrap_or_default();
        let Ok(digest) = scope.kept.put(&bytes) else { return };
        scope.record(
            EntryKind::PlanRevision,
            |core| {
                if unit.attempt > 0 {
                    core.key("attempt").count(unit.attempt);
                }
                core.key("cause").str("sub_graph");
                core.key("node").str(unit.id.as_str());
                core.key("plan").digest(&digest);
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                Ok(())
            },
            |_| Ok(()),
        );
    }
}
