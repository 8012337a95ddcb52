//! [`NodeExecutor`]: where the work of a node is done. The local one is the default; another can take its place
//! without the engine knowing.

use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use async_trait::async_trait;
use futures::FutureExt as _;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use crate::role::{Brief, FoldInput, Part};
use crate::run::attempt::seconds;
use crate::run::gate::Gate;
use crate::run::task::{FoldRole, NodeOutput, NodeTask, Work};
use crate::run::{CallResult, Firing, Roles, RunScope};
use crate::{AgentTask, AllowList, Desk, ReportInput, Status, ToolError, ToolErrorKind};

/// Does the work of nodes.
#[async_trait]
pub trait NodeExecutor: Send + Sync + Debug {
    /// Does the work of one node. It always gives an answer: what went wrong is in it.
    ///
    /// # Cancel safety
    /// When `stop` fires it ends soon with [`Status::Cancelled`]; when dropped, no work goes on.
    async fn execute(&self, task: NodeTask, scope: &Arc<RunScope>, stop: CancellationToken) -> NodeOutput;
}

/// Does the work in this process.
#[derive(Debug, Default)]
pub struct LocalExecutor {
    roles: Roles,
}

impl LocalExecutor {
    /// With these roles.
    pub const fn new(roles: Roles) -> Self {
        Self { roles }
    }
}

#[async_trait]
impl NodeExecutor for LocalExecutor {
    async fn execute(&self, task: NodeTask, scope: &Arc<RunScope>, stop: CancellationToken) -> NodeOutput {
        let deadline = Instant::now() + seconds(task.timeout_s);
        let gate = |allow| {
            let firing = Firing { node: task.node.clone(), rev: task.rev, attempt: task.attempt };
            Gate::new(Arc::clone(scope), firing, allow, task.retries, deadline, stop.clone())
                .on_track(task.track.clone())
        };
        match task.work {
            Work::Tool { tool, args } => {
                let gate = gate(AllowList::only(tool.clone()));
                let answer = gate.call(tool.as_str(), args, false).await;
                tool_output(answer, &gate)
            }
            Work::Agent { agent, task, question, context } => {
                let Some(registered) = scope.registry.agent(agent.as_str()) else {
                    let message = format!("agent `{agent}` is not registered");
                    return NodeOutput::failed(
                        Status::Failed,
                        ToolError::new(ToolErrorKind::NotFound, message),
                    );
                };
                let desk = NodeDesk {
                    gate: gate(registered.spec.tools.iter().cloned().collect()),
                    results: tokio::sync::Mutex::default(),
                };
                let evidence = context.iter().flat_map(|part| part.evidence.iter().cloned()).collect();
                let task = AgentTask { task, question, context: joined(&context), evidence };
                let work = guarded(registered.agent.work(task, &desk), deadline, &stop).await;
                // An agent may call a stopped call a gap and end well; its node was stopped all the same.
                let work = if stop.is_cancelled() { work.and(Err(ToolError::cancelled())) } else { work };
                desk.into_output(work)
            }
            Work::Fold { role, question, parts, gaps } => {
                let fold = match role {
                    FoldRole::Consolidator => &self.roles.consolidator,
                    FoldRole::Merge => &self.roles.merge,
                    FoldRole::Image => &self.roles.image,
                };
                let plain = joined(&parts);
                match guarded(fold.fold(FoldInput { question, parts, gaps }), deadline, &stop).await {
                    Ok(Brief { text, dropped }) => {
                        NodeOutput { text, dropped, ..NodeOutput::ended(Status::Ok) }
                    }
                    // The brief is a convenience: without it the texts stand side by side.
                    Err(error) => {
                        NodeOutput { text: plain, ..NodeOutput::failed(error.kind.status(), error) }
                    }
                }
            }
            Work::Report { question, tracks, brief, gaps, notes } => {
                let input = ReportInput { question, tracks, brief, gaps, notes };
                match guarded(self.roles.reporter.report(&input), deadline, &stop).await {
                    Ok(sections) => NodeOutput { sections, ..NodeOutput::ended(Status::Ok) },
                    Err(error) => NodeOutput::failed(error.kind.status(), error),
                }
            }
        }
    }
}

/// The texts of parts, one after the other.
fn joined(parts: &[Part]) -> String {
    let texts: Vec<&str> =
        parts.iter().map(|part| part.text.as_str()).filter(|text| !text.is_empty()).collect();
    texts.join("\n")
}

/// Ends with the work, at the deadline, or when it is stopped; a panic is an error.
async fn guarded<T>(
    work: impl Future<Output = Result<T, ToolError>> + Send,
    deadline: Instant,
    stop: &CancellationToken,
) -> Result<T, ToolError> {
    let work = AssertUnwindSafe(work).catch_unwind();
    tokio::select! {
        biased;
        ended = timeout_at(deadline, work) => match ended {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => Err(ToolError::new(ToolErrorKind::Internal, "the node panicked; please report it with the plan")),
            Err(_) => Err(ToolError::new(ToolErrorKind::Timeout, "the node did not end in time; raise `timeout_s` or ask for less")),
        },
        () = stop.cancelled() => Err(ToolError::cancelled()),
    }
}

fn tool_output(answer: Result<CallResult, ToolError>, gate: &Gate) -> NodeOutput {
    let mut output = match answer {
        Ok(result) => NodeOutput {
            outputs: result.outputs,
            evidence: result.evidence,
            notes: result.notes,
            renderings: result.renderings,
            sources: result.sources,
            ..NodeOutput::ended(Status::Ok)
        },
        Err(error) => NodeOutput::failed(error.kind.status(), error),
    };
    output.calls = gate.calls();
    output.usage = gate.usage();
    output
}

/// An agent's desk: every call passes the gate, and what it leaves is kept for the node. Calls of one agent run one
/// after the other, in the order in which it asks, so that names and order of its evidence do not depend on luck.
#[derive(Debug)]
struct NodeDesk {
    gate: Gate,
    results: tokio::sync::Mutex<Vec<(String, CallResult)>>,
}

#[async_trait]
impl Desk for NodeDesk {
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError> {
        let mut results = self.results.lock().await;
        let result = self.gate.call(tool, arguments, true).await?;
        results.push((tool.to_owned(), result.clone()));
        Ok(result)
    }
}

impl NodeDesk {
    fn into_output(self, work: Result<crate::AgentAnswer, ToolError>) -> NodeOutput {
        let mut output = match work {
            Ok(answer) => {
                let graph = answer.graph.map(|plan| plan.to_json());
                NodeOutput { text: answer.text, gaps: answer.gaps, graph, ..NodeOutput::ended(Status::Ok) }
            }
            Err(error) => NodeOutput::failed(error.kind.status(), error),
        };
        gather(&mut output, self.results.into_inner());
        output.calls = self.gate.calls();
        output.usage = self.gate.usage();
        output
    }
}

/// Adds what the calls of an agent gave to its output.
pub(crate) fn gather(output: &mut NodeOutput, results: Vec<(String, CallResult)>) {
    for (at, (tool, result)) in results.into_iter().enumerate() {
        for (name, summary) in result.outputs {
            output.outputs.insert(format!("{tool}_{at}_{name}"), summary);
        }
        output.evidence.extend(result.evidence);
        output.notes.extend(result.notes);
        output.renderings.extend(result.renderings);
        output.sources.extend(result.sources);
    }
}
