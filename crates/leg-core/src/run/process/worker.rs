//! [`serve`]: the whole life of a worker.

use std::io::{BufReader, Read, Write};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt as _;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Span;

use super::protocol::{FromWorker, PROTOCOL, ProtocolError, Setup, ToWorker, next_blocking};
use super::remote_port::{Pipe, RemotePort};
use crate::clock::{Clock, SystemClock};
use crate::run::executor::NodeExecutor as _;
use crate::run::{LocalExecutor, NodeOutput, NodeTask, Roles, RunScope};
use crate::{ObjectStore, Registry, Status, ToolError, ToolErrorKind};

/// What a worker is made of.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::FolderObjects;
/// use leg_core::run::WorkerParts;
///
/// # let (_, registry) = leg_testkit::small_graph();
/// // What `main` of a worker gives to `serve`: the tools and agents of the run, and its store.
/// let parts = WorkerParts::new(registry, Arc::new(FolderObjects::new("runs/objects")));
/// ```
#[derive(Debug, Clone)]
pub struct WorkerParts {
    /// Tools and agents: the same definitions as in the run.
    pub registry: Arc<Registry>,
    /// Who folds and reports: the same as the run would have.
    pub roles: Roles,
    /// The store that the run uses too.
    pub objects: Arc<dyn ObjectStore>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl WorkerParts {
    /// Parts with the plain roles and the machine's clock.
    pub fn new(registry: Arc<Registry>, objects: Arc<dyn ObjectStore>) -> Self {
        Self { registry, roles: Roles::default(), objects, clock: Arc::new(SystemClock) }
    }

    /// With these roles.
    #[must_use]
    pub fn with_roles(mut self, roles: Roles) -> Self {
        self.roles = roles;
        self
    }
}

/// Serves a run over a pair of pipes, one node at a time, until the run closes its end. A program that is to be a
/// worker calls it with its standard input and output, prints nothing else there, and ends when it returns, whatever
/// tool still computes.
///
/// ```no_run
/// use std::sync::Arc;
///
/// use leg_core::run::{WorkerParts, serve};
/// use leg_core::{FolderObjects, Registry};
///
/// #[tokio::main]
/// async fn main() {
///     let registry = Registry::default(); // the same tools and agents as in the run
///     let parts = WorkerParts::new(Arc::new(registry), Arc::new(FolderObjects::new("runs/objects")));
///     let ended = serve(std::io::stdin(), std::io::stdout(), parts).await;
///     std::process::exit(i32::from(ended.is_err()));
/// }
/// ```
///
/// It wants a runtime with several threads: on a single-threaded one a tool that computes without a pause cannot be
/// stopped by its time limit, only by the run, which then kills the worker.
///
/// # Errors
/// [`ProtocolError`] when the other side does not keep to the protocol.
pub async fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    parts: WorkerParts,
) -> Result<(), ProtocolError> {
    let pipe = Arc::new(Pipe::new(output));
    pipe.say(&FromWorker::Hello {
        protocol: PROTOCOL,
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        registry: parts.registry.digest(),
    })?;
    let (send, mut orders) = channel(16);
    let heard = Arc::clone(&pipe);
    std::thread::Builder::new()
        .name("leg-worker-in".to_owned())
        .spawn(move || listen(input, &heard, &send))?;
    let worker = Worker { pipe, parts };
    loop {
        match orders.recv().await {
            Some(Ok(ToWorker::Task { task, setup })) => {
                if !worker.node(*task, setup, &mut orders).await? {
                    return Ok(());
                }
            }
            // The node had ended before the signal came.
            Some(Ok(_)) => {}
            Some(Err(error)) => return Err(error),
            None => return Ok(()),
        }
    }
}

type Order = Result<ToWorker, ProtocolError>;

/// Reads until the run closes its end. Answers go to who asked, orders to the worker.
fn listen(input: impl Read, pipe: &Pipe, orders: &Sender<Order>) {
    let mut reader = BufReader::new(input);
    loop {
        let order = match next_blocking(&mut reader) {
            Ok(Some(ToWorker::Answered { ask, answer })) => {
                pipe.hear(ask, answer);
                continue;
            }
            Ok(Some(ToWorker::Granted { ask })) => {
                pipe.hear(ask, None);
                continue;
            }
            Ok(Some(order)) => Ok(order),
            Ok(None) => break,
            Err(error) => Err(error),
        };
        let failed = order.is_err();
        if orders.blocking_send(order).is_err() || failed {
            break;
        }
    }
    pipe.close();
}

struct Worker {
    pipe: Arc<Pipe>,
    parts: WorkerParts,
}

impl Worker {
    /// Does one node; `false` when the run is gone.
    async fn node(
        &self,
        task: NodeTask,
        setup: Setup,
        orders: &mut Receiver<Order>,
    ) -> Result<bool, ProtocolError> {
        if let Err(error) = self.parts.objects.get(&setup.probe) {
            let reason = format!(
                "the worker does not see the objects of the run ({error}); give both the same folder or bucket, and keep artifacts (payload `standard` or `full`)"
            );
            self.pipe.say(&FromWorker::Refused { reason })?;
            return Ok(true);
        }
        self.pipe.say(&FromWorker::Taken)?;
        let stop = CancellationToken::new();
        // Whatever ends this function ends the work.
        let _guard = stop.clone().drop_guard();
        let scope = self.scope(setup, &stop);
        let executor = LocalExecutor::new(self.parts.roles.clone());
        let work = AssertUnwindSafe(executor.execute(task, &scope, stop.child_token())).catch_unwind();
        let mut work = std::pin::pin!(work);
        let output = loop {
            tokio::select! {
                biased;
                ended = &mut work => break ended.unwrap_or_else(|_| panicked()),
                order = orders.recv() => match order {
                    Some(Ok(ToWorker::Stop)) => stop.cancel(),
                    Some(Ok(other)) => return Err(unexpected(&other)),
                    Some(Err(error)) => return Err(error),
                    None => return Ok(false),
                },
            }
        };
        self.done(output)?;
        scope.calls.close();
        // What was stopped and does not end keeps the worker busy: the run waits a while, then kills it.
        tokio::select! {
            () = scope.calls.wait() => {}
            () = self.pipe.gone.cancelled() => return Ok(false),
        }
        self.pipe.say(&FromWorker::Free {})?;
        Ok(true)
    }

    fn scope(&self, setup: Setup, stop: &CancellationToken) -> Arc<RunScope> {
        Arc::new(RunScope {
            registry: Arc::clone(&self.parts.registry),
            objects: Arc::clone(&self.parts.objects),
            kept: Arc::clone(&self.parts.objects),
            clock: Arc::clone(&self.parts.clock),
            port: Arc::new(RemotePort(Arc::clone(&self.pipe))),
            cancel: stop.clone(),
            span: Span::none(),
            approved: setup.approved,
            limits: setup.limits,
            payload: setup.payload,
            calls: TaskTracker::new(),
        })
    }

    fn done(&self, output: NodeOutput) -> Result<(), ProtocolError> {
        match self.pipe.say(&FromWorker::Done { output: Box::new(output) }) {
            Err(ProtocolError::TooLong) => {
                let error = ToolError::new(ToolErrorKind::LimitExceeded, ProtocolError::TooLong.to_string());
                let output = Box::new(NodeOutput::failed(Status::Failed, error));
                self.pipe.say(&FromWorker::Done { output })
            }
            said => said,
        }
    }
}

fn panicked() -> NodeOutput {
    let error = ToolError::new(
        ToolErrorKind::Internal,
        "the engine panicked at this node; please report it with the plan",
    );
    NodeOutput::failed(Status::Failed, error)
}

fn unexpected(order: &ToWorker) -> ProtocolError {
    let message = match order {
        ToWorker::Task { .. } => "task",
        _ => "answer",
    };
    ProtocolError::Unexpected { message: message.to_owned(), expected: "the end of a node" }
}
