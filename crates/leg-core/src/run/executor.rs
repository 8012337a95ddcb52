//! [`NodeExecutor`]: where the work of a node is done. The local one is the default; another can take its place
//! without the engine knowing.

use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use async_trait::async_trait;
use futures::future::{BoxFuture, ready};
use futures::{FutureExt as _, poll};
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
///
/// [The guide](crate#an-executor) writes one; `leg_testkit::conformance::node_executor` says what it must do.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::{Engine, LocalExecutor, NodeExecutor, Roles};
///
/// # let (_, registry) = leg_testkit::small_graph();
/// let executor: Arc<dyn NodeExecutor> = Arc::new(LocalExecutor::new(Roles::default()));
/// let engine = Engine::new(registry).with_executor(executor);
/// ```
#[async_trait]
pub trait NodeExecutor: Send + Sync + Debug {
    /// Does the work of one node. It always gives an answer: what went wrong is in it.
    ///
    /// `stop` may be the signal of several nodes: an executor listens to it, and fires it never.
    ///
    /// # Cancel safety
    /// When `stop` fires it ends soon with [`Status::Cancelled`]; when dropped, no work goes on.
    async fn execute(&self, task: NodeTask, scope: &Arc<RunScope>, stop: CancellationToken) -> NodeOutput;
}

/// Does the work in this process.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::{Engine, LocalExecutor, Roles};
/// use leg_core::role::PlainReporter;
///
/// # let (_, registry) = leg_testkit::small_graph();
/// let roles = Roles { reporter: Arc::new(PlainReporter), ..Roles::default() };
/// let engine = Engine::new(registry).with_executor(Arc::new(LocalExecutor::new(roles)));
/// ```
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

impl NodeExecutor for LocalExecutor {
    /// As the trait's attribute would write it, but with a future for each sort of work: that of an agent need not have
    /// the size of the largest.
    fn execute<'this, 'scope, 'all>(
        &'this self,
        task: NodeTask,
        scope: &'scope Arc<RunScope>,
        stop: CancellationToken,
    ) -> BoxFuture<'all, NodeOutput>
    where
        'this: 'all,
        'scope: 'all,
        Self: 'all,
    {
        let deadline = Instant::now() + seconds(task.timeout_s);
        let NodeTask { node, track, rev, attempt, retries, work, .. } = task;
        let gate = move |allow, stop: CancellationToken| {
            let firing = Firing { node, rev, attempt };
            Gate::new(Arc::clone(scope), firing, allow, retries, deadline, stop).on_track(track)
        };
        match work {
            Work::Tool { tool, args } => Box::pin(async move {
                let gate = gate(AllowList::only(tool.clone()), stop);
                let answer = gate.call(tool.as_str(), args, false).await;
                tool_output(answer, &gate)
            }),
            Work::Agent { agent, task, question, context } => {
                let Some(registered) = scope.registry.agent(agent.as_str()) else {
                    let message = format!("agent `{agent}` is not registered");
                    let error = ToolError::new(ToolErrorKind::NotFound, message);
                    return Box::pin(ready(NodeOutput::failed(Status::Failed, error)));
                };
                let evidence = context.iter().flat_map(|part| part.evidence.iter().cloned()).collect();
                let task = AgentTask { task, question, context: joined(&context), evidence };
                Box::pin(async move {
                    let desk = NodeDesk {
                        gate: gate(registered.spec.tools.iter().cloned().collect(), stop),
                        results: tokio::sync::Mutex::default(),
                    };
                    let stop = desk.gate.stop();
                    let work = guarded(pin!(registered.agent.work(task, &desk)), deadline, stop).await;
                    // An agent may call a stopped call a gap and end well; its node was stopped all the same.
                    let work = if stop.is_cancelled() { work.and(Err(ToolError::cancelled())) } else { work };
                    desk.into_output(work)
                })
            }
            Work::Fold { role, question, parts, gaps } => Box::pin(async move {
                let fold = match role {
                    FoldRole::Consolidator => &self.roles.consolidator,
                    FoldRole::Merge => &self.roles.merge,
                    FoldRole::Image => &self.roles.image,
                };
                let plain = joined(&parts);
                let work = fold.fold(FoldInput { question, parts, gaps });
                match guarded(pin!(work), deadline, &stop).await {
                    Ok(Brief { text, dropped }) => {
                        NodeOutput { text, dropped, ..NodeOutput::ended(Status::Ok) }
                    }
                    // The brief is a convenience: without it the texts stand side by side.
                    Err(error) => {
                        NodeOutput { text: plain, ..NodeOutput::failed(error.kind.status(), error) }
                    }
                }
            }),
            Work::Report { question, tracks, brief, gaps, notes } => Box::pin(async move {
                let input = ReportInput { question, tracks, brief, gaps, notes };
                match guarded(pin!(self.roles.reporter.report(&input)), deadline, &stop).await {
                    Ok(sections) => NodeOutput { sections, ..NodeOutput::ended(Status::Ok) },
                    Err(error) => NodeOutput::failed(error.kind.status(), error),
                }
            }),
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
    work: Pin<&mut (impl Future<Output = Result<T, ToolError>> + Send)>,
    deadline: Instant,
    stop: &CancellationToken,
) -> Result<T, ToolError> {
    let mut work = AssertUnwindSafe(work).catch_unwind();
    // What ends at once needs no clock and no ear for the signal.
    let ended = match poll!(&mut work) {
        Poll::Ready(ended) => Ok(ended),
        Poll::Pending => {
            let wait = async {
                tokio::select! {
                    biased;
                    ended = timeout_at(deadline, work) => Some(ended),
                    () = stop.cancelled() => None,
                }
            };
            match wait.boxed().await {
                Some(ended) => ended,
                None => return Err(ToolError::cancelled()),
            }
        }
    };
    match ended {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            Err(ToolError::new(ToolErrorKind::Internal, "the node panicked; please report it with the plan"))
        }
        Err(_) => Err(ToolError::new(
            ToolErrorKind::Timeout,
            "the node did not end in time; raise `timeout_s` or ask for less",
        )),
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
