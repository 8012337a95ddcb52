//! [`RunState`]: the results of a run's nodes, and how one node gets from waiting to ended.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{Semaphore, SetOnce};
use tokio_util::sync::CancellationToken;
use tracing::Instrument as _;

use crate::graph::{LayeredGraph, Node, NodeIndex, NodeKind};
use crate::ledger::{EntryKind, NodeContent};
use crate::plan::{Condition, Limits};
use crate::role::{Part, keys_of, settle};
use crate::run::event::Change;
use crate::run::executor::NodeExecutor;
use crate::run::hub::Hub;
use crate::run::resolve::{holds, resolve};
use crate::run::task::{FoldRole, NodeOutput, NodeTask, Work};
use crate::run::{RunOptions, RunScope, span};
use crate::{Digest, Gap, NodeId, Status, ToolError, ToolErrorKind};

/// The results of a run's nodes.
#[derive(Debug)]
pub(crate) struct RunState {
    pub(crate) graph: Arc<LayeredGraph>,
    pub(crate) scope: Arc<RunScope>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) executor: Arc<dyn NodeExecutor>,
    pub(crate) options: RunOptions,
    slots: Semaphore,
    ended: Vec<SetOnce<Ended>>,
    gaps: Mutex<Vec<(usize, Gap)>>,
}

/// A node that has ended.
#[derive(Debug)]
struct Ended {
    output: Arc<NodeOutput>,
    content: Digest,
    duration_us: u64,
}

/// What a node will do.
pub(crate) enum Prepared {
    /// This.
    Work(Work),
    /// Nothing, because its condition is false.
    Skip,
    /// Nothing, because of this.
    Fail(Status, ToolError),
}

impl Prepared {
    pub(crate) const fn work(work: Work) -> Self {
        Self::Work(work)
    }
}

impl RunState {
    pub(crate) fn new(
        graph: Arc<LayeredGraph>,
        scope: Arc<RunScope>,
        hub: Arc<Hub>,
        executor: Arc<dyn NodeExecutor>,
        options: RunOptions,
    ) -> Self {
        let ended = (0..graph.graph().node_count()).map(|_| SetOnce::new()).collect();
        let slots = Semaphore::new(options.concurrency.max(1));
        Self { graph, scope, hub, executor, options, slots, ended, gaps: Mutex::default() }
    }

    /// Waits until a node has ended.
    pub(crate) async fn wait(&self, index: NodeIndex) {
        if let Some(slot) = self.ended.get(index.index()) {
            slot.wait().await;
        }
    }

    fn get(&self, index: NodeIndex) -> Option<&Ended> {
        self.ended.get(index.index())?.get()
    }

    /// A node's output, when it has ended.
    pub(crate) fn output(&self, index: NodeIndex) -> Option<&Arc<NodeOutput>> {
        self.get(index).map(|ended| &ended.output)
    }

    /// How a node ended; one that has not is [`Status::Cancelled`].
    pub(crate) fn status(&self, index: NodeIndex) -> Status {
        self.output(index).map_or(Status::Cancelled, |output| output.status)
    }

    /// A node's digest in the content root.
    pub(crate) fn content(&self, index: NodeIndex) -> Digest {
        self.get(index).map_or_else(|| Digest::of(crate::Domain::Node, b""), |ended| ended.content)
    }

    /// How long a node took, in microseconds.
    pub(crate) fn duration_us(&self, index: NodeIndex) -> u64 {
        self.get(index).map_or(0, |ended| ended.duration_us)
    }

    /// All gaps so far, in graph order.
    pub(crate) fn gaps(&self) -> Vec<Gap> {
        let mut gaps = self.gaps.lock().unwrap_or_else(PoisonError::into_inner).clone();
        gaps.sort_by_key(|(index, _)| *index);
        gaps.into_iter().map(|(_, gap)| gap).collect()
    }

    /// What nodes bring to a fold or an agent, in this order.
    pub(crate) fn parts(&self, nodes: &[NodeIndex]) -> Vec<Part> {
        let part = |&index: &NodeIndex| {
            let node = self.graph.node(index)?;
            let output = self.output(index)?;
            let goal = match &node.kind {
                NodeKind::Agent(step) => step.task.clone(),
                NodeKind::Tool(step) => step.tool.to_string(),
                _ => String::new(),
            };
            let text = match &output.error {
                Some(error) => format!("nothing: {error}"),
                None => output.text.clone(),
            };
            Some(Part {
                from: node.id.to_string(),
                goal,
                status: output.status,
                text,
                evidence: output.evidence.clone(),
            })
        };
        nodes.iter().filter_map(part).collect()
    }

    /// Decides what a node will do, now that its inputs have ended.
    pub(crate) fn prepare(&self, index: NodeIndex, context: Vec<Part>) -> Prepared {
        let Some(node) = self.graph.node(index) else { return Prepared::Skip };
        let look_up = |id: &NodeId| self.graph.find(id).and_then(|index| self.output(index)).cloned();
        let primary = |id: &NodeId| self.primary(id);
        let skips =
            |when: &Option<Condition>| when.as_ref().is_some_and(|when| !holds(when, &look_up, &primary));
        match &node.kind {
            NodeKind::Tool(step) if skips(&step.when) => Prepared::Skip,
            NodeKind::Agent(step) if skips(&step.when) => Prepared::Skip,
            NodeKind::Tool(step) => {
                let tool = self.scope.registry.tool(step.tool.as_str());
                let required = tool.and_then(|tool| tool.spec.arguments.get("required")?.as_array());
                let required: Vec<&str> =
                    required.into_iter().flatten().filter_map(|name| name.as_str()).collect();
                match resolve(&step.args, &required, &look_up, &primary) {
                    Ok(args) => Prepared::Work(Work::Tool { tool: step.tool.clone(), args }),
                    Err(error) => Prepared::Fail(Status::Skipped, error),
                }
            }
            NodeKind::Agent(step) => Prepared::Work(Work::Agent {
                agent: step.agent.clone(),
                task: step.task.clone(),
                question: self.graph.question().to_owned(),
                context,
            }),
            _ => Prepared::Skip,
        }
    }

    /// The name of a node's primary output.
    fn primary(&self, id: &NodeId) -> String {
        let node = self.graph.find(id).and_then(|index| self.graph.node(index));
        let tool = match node.map(|node| &node.kind) {
            Some(NodeKind::Tool(step)) => self.scope.registry.tool(step.tool.as_str()),
            _ => None,
        };
        tool.map_or("result", |tool| tool.spec.primary()).to_owned()
    }

    /// Does a node's work, between its two records.
    pub(crate) async fn run_prepared(&self, index: NodeIndex, prepared: Prepared, stop: CancellationToken) {
        let Some(node) = self.graph.node(index) else { return };
        let work = match prepared {
            Prepared::Work(work) => work,
            Prepared::Skip => return self.finish(index, NodeOutput::ended(Status::Skipped), 0),
            Prepared::Fail(status, error) => return self.finish(index, NodeOutput::failed(status, error), 0),
        };
        let limits = limits(node);
        let permit = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            permit = self.slots.acquire() => permit.ok(),
        };
        if permit.is_none() {
            return self.finish(index, NodeOutput::failed(Status::Cancelled, ToolError::cancelled()), 0);
        }
        self.record_start(node);
        let fold = match &work {
            Work::Fold { role, parts, .. } => Some((*role, keys_of(parts))),
            _ => None,
        };
        let task = NodeTask {
            node: node.id.clone(),
            track: node.track.clone(),
            rev: 0,
            attempt: 0,
            timeout_s: limits.and_then(|limits| limits.timeout_s).unwrap_or(self.options.node_timeout_s),
            retries: limits.and_then(|limits| limits.retries).unwrap_or(self.options.retries),
            work,
        };
        let started = self.scope.clock.now_nanos();
        let span = span::node(&self.scope, node);
        let mut output = self.executor.execute(task, &self.scope, stop).instrument(span.clone()).await;
        span::end_node(&span, node, &output);
        let elapsed = u64::try_from(self.scope.clock.now_nanos().saturating_sub(started) / 1000).unwrap_or(0);
        if let Some((role, there)) = fold {
            // A fold adds no evidence, whatever an executor says, and drops only what it may. Pictures are described
            // beside the evidence, which passes to the consolidator.
            output.evidence.clear();
            output.dropped = match role {
                FoldRole::Image => Vec::new(),
                FoldRole::Consolidator | FoldRole::Merge => settle(output.dropped, &there),
            };
            let kept = there.len() - output.dropped.len();
            self.record_merge(node, role, kept, &output);
        }
        self.finish(index, output, elapsed);
    }

    fn record_start(&self, node: &Node) {
        self.scope.record(
            EntryKind::NodeStarted,
            |core| {
                core.key("node").str(node.id.as_str());
                if let Some(track) = &node.track {
                    core.key("track").str(track.as_str());
                }
                Ok(())
            },
            |_| Ok(()),
        );
        self.scope.emit(Change::NodeStarted { node: node.id.clone(), track: node.track.clone() });
    }

    fn record_merge(&self, node: &Node, role: FoldRole, kept: usize, output: &NodeOutput) {
        self.scope.record(
            EntryKind::Merge,
            |core| {
                if !output.dropped.is_empty() {
                    core.key("dropped").value(&serde_json::json!(output.dropped))?;
                }
                if kept > 0 {
                    core.key("kept").count(kept as u64);
                }
                core.key("node").str(node.id.as_str());
                core.key("role").str(role.as_str());
                core.key("text").str(&output.text);
                Ok(())
            },
            |_| Ok(()),
        );
    }

    /// Ends a node: its record, its gap, its event; then those who wait for it go on.
    pub(crate) fn finish(&self, index: NodeIndex, output: NodeOutput, duration_us: u64) {
        let Some(node) = self.graph.node(index) else { return };
        let content =
            NodeContent { id: node.id.clone(), status: output.status, calls: output.calls.clone() }.digest();
        let reason = output.error.as_ref().map(ToString::to_string);
        self.scope.record(
            EntryKind::NodeFinished,
            |core| {
                core.key("digest").display(&content);
                core.key("node").str(node.id.as_str());
                if let Some(reason) = &reason {
                    core.key("reason").str(reason);
                }
                core.key("status").str(output.status.as_str());
                if let Some(track) = &node.track {
                    core.key("track").str(track.as_str());
                }
                Ok(())
            },
            |meta| {
                meta.key("duration_us").count(duration_us);
                Ok(())
            },
        );
        self.note_gaps(index, node, &output);
        self.scope.emit(Change::NodeFinished {
            node: node.id.clone(),
            status: output.status,
            reason,
            evidence: output.evidence.clone(),
        });
        if let Some(slot) = self.ended.get(index.index()) {
            // A second end can only follow a panic after the first; the first one counts.
            let _ = slot.set(Ended { output: Arc::new(output), content, duration_us });
        }
    }

    fn note_gaps(&self, index: NodeIndex, node: &Node, output: &NodeOutput) {
        if !matches!(node.kind, NodeKind::Tool(_) | NodeKind::Agent(_)) {
            return;
        }
        let gap = |reason: &str| Gap {
            node: node.id.clone(),
            track: node.track.clone(),
            status: output.status,
            reason: reason.to_owned(),
        };
        let failure = output.error.as_ref().map(|error| gap(&error.message));
        for gap in failure.into_iter().chain(output.gaps.iter().map(|reason| gap(reason))) {
            self.scope.record(
                EntryKind::Gap,
                |core| {
                    core.key("node").str(gap.node.as_str());
                    core.key("reason").str(&gap.reason);
                    core.key("status").str(gap.status.as_str());
                    Ok(())
                },
                |_| Ok(()),
            );
            self.gaps.lock().unwrap_or_else(PoisonError::into_inner).push((index.index(), gap));
        }
    }

    /// Everything before is on the disk.
    pub(crate) fn checkpoint(&self) {
        let Some((log_root, size)) = self.hub.log_root() else { return };
        self.scope.record(
            EntryKind::Checkpoint,
            |_| Ok(()),
            |meta| {
                meta.key("log_root").display(&log_root);
                meta.key("size").count(size);
                Ok(())
            },
        );
        self.hub.sync_now();
    }
}

fn limits(node: &Node) -> Option<&Limits> {
    match &node.kind {
        NodeKind::Tool(step) => Some(&step.limits),
        NodeKind::Agent(step) => Some(&step.limits),
        _ => None,
    }
}

/// The error of a node that nothing reached.
pub(crate) fn unreached(node: &str) -> ToolError {
    ToolError::new(
        ToolErrorKind::Internal,
        format!("node `{node}` was never reached; please report it with the plan"),
    )
}
