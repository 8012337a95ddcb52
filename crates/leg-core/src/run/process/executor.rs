//! [`ProcessExecutor`]: does the work of nodes in worker processes.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::json;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::journal::Journal;
use super::pool::{Lease, Pool, PoolError, WorkerCommand};
use super::protocol::{Setup, finite};
use super::session::{Ending, Session, settle};
use crate::canonical::to_vec;
use crate::run::attempt::seconds;
use crate::run::executor::NodeExecutor;
use crate::run::task::{NodeOutput, NodeTask, Work};
use crate::run::{CallLimits, RunScope};
use crate::{Digest, Status, ToolError, ToolErrorKind};

/// Does the work of nodes in worker processes, which are started when first needed and used again.
///
/// A worker must be the same program with the same configuration: its tools and agents are compared with those of the
/// run before it gets a node, and it must see the run's objects, so the engine's store has to be a folder or a bucket.
///
/// A worker that is killed, crashes or breaks the protocol costs nothing but time: the node begins anew on another one
/// and its finished calls are served from the record. At the third such loss the node fails. A worker that does not end
/// a node that was stopped or whose time is up is killed: that is how a tool that computes without a pause is stopped
/// for good.
///
/// It needs a runtime with its I/O driver on (`enable_all`).
///
/// ```
/// use leg_core::run::{ProcessExecutor, WorkerCommand};
///
/// let command = WorkerCommand::new("leg").arg("worker").arg("--objects").arg("runs/objects");
/// let executor = ProcessExecutor::new(command, 4);
/// assert!(executor.worker_ids().is_empty(), "no worker runs before the first node");
/// ```
#[derive(Debug)]
pub struct ProcessExecutor {
    pool: Arc<Pool>,
}

/// How many workers a node may lose.
const MOST_LOSSES: usize = 3;

impl ProcessExecutor {
    /// At most `workers` processes (at least one), each for one node at a time.
    pub fn new(command: WorkerCommand, workers: usize) -> Self {
        Self { pool: Arc::new(Pool::new(command, workers)) }
    }

    /// The process ids of the workers that run.
    pub fn worker_ids(&self) -> Vec<u32> {
        self.pool.alive()
    }

    /// Waits for a worker, unless the node is stopped before.
    async fn lease(&self, stop: &CancellationToken) -> Option<Result<Lease, PoolError>> {
        tokio::select! {
            biased;
            () = stop.cancelled() => None,
            lease = self.pool.lease() => Some(lease),
        }
    }
}

#[async_trait]
impl NodeExecutor for ProcessExecutor {
    async fn execute(&self, task: NodeTask, scope: &Arc<RunScope>, stop: CancellationToken) -> NodeOutput {
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        let mut journal = Journal::new(scope, task.node.clone(), matches!(task.work, Work::Agent { .. }));
        let setup = match setup(scope) {
            Ok(setup) => setup,
            Err(message) => return journal.ended(Status::Failed, internal(message)),
        };
        let mut left = seconds(task.timeout_s);
        let mut losses = Vec::new();
        loop {
            if losses.len() >= MOST_LOSSES {
                let message = format!(
                    "{MOST_LOSSES} worker processes were lost at this node ({}); run it with the local executor to see why",
                    losses.join("; ")
                );
                return journal.ended(Status::Failed, internal(message));
            }
            let mut lease = match self.lease(&stop).await {
                None => return journal.ended(Status::Cancelled, ToolError::cancelled()),
                Some(Ok(lease)) => lease,
                Some(Err(PoolError::Lost { reason, .. })) => {
                    losses.push(reason);
                    continue;
                }
                Some(Err(error)) => return journal.ended(Status::Failed, internal(error.to_string())),
            };
            let expected = scope.registry.digest();
            if lease.worker.registry != expected {
                let message = format!(
                    "the tools and agents of the worker ({}) are not those of the run ({}); start the same program with the same configuration",
                    lease.worker.registry.short(),
                    expected.short()
                );
                return journal.ended(Status::Failed, internal(message));
            }
            let begun = Instant::now();
            let work = NodeTask { timeout_s: finite(left.as_secs_f64()), ..task.clone() };
            let session = Session::new(scope, &mut journal);
            let ending = session.run(&mut lease.worker, work, setup.clone(), &stop).await;
            left = left.saturating_sub(begun.elapsed()).max(Duration::from_millis(1));
            match ending {
                Ending::Done(output) => {
                    let output = journal.done(*output);
                    scope.calls.spawn(settle(lease, journal, setup.limits.grace_s));
                    return output;
                }
                Ending::Refused(reason) => return journal.ended(Status::Failed, internal(reason)),
                Ending::TooLong(error) => {
                    let error = ToolError::new(ToolErrorKind::LimitExceeded, error.to_string());
                    return journal.ended(Status::Failed, error);
                }
                Ending::Stuck => return journal.ended(Status::Cancelled, ToolError::cancelled()),
                Ending::TimeUp => {
                    let message = "the node did not end in time and its worker was killed; raise `timeout_s` or ask for less";
                    return journal.ended(Status::Timeout, ToolError::new(ToolErrorKind::Timeout, message));
                }
                Ending::Lost { reason, taken } => {
                    tracing::warn!(node = %task.node, %reason, "a worker process was lost");
                    journal.worker_died();
                    // One that ended while it waited for work tells nothing about this node.
                    if taken || lease.worker.fresh {
                        losses.push(reason);
                    }
                }
            }
        }
    }
}

/// What workers must know of the run.
fn setup(scope: &RunScope) -> Result<Setup, String> {
    let approved = to_vec(&json!(scope.approved)).map_err(|error| error.to_string())?;
    let probe: Digest = scope.objects.put(&approved).map_err(|error| error.to_string())?;
    let CallLimits { idle_s, grace_s, heartbeat_s } = scope.limits;
    Ok(Setup {
        approved: scope.approved.clone(),
        limits: CallLimits {
            idle_s: idle_s.map(finite),
            grace_s: finite(grace_s),
            heartbeat_s: finite(heartbeat_s),
        },
        payload: scope.payload,
        probe,
    })
}
