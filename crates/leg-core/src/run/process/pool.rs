//! [`Pool`]: the worker processes: started when first needed, used again, killed when they do not end.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::protocol::{FromWorker, PROTOCOL, ProtocolError, ToWorker, line, next};
use crate::Digest;

/// How a worker is started. Its standard error is that of the run; it inherits the environment.
///
/// ```
/// use leg_core::run::WorkerCommand;
///
/// let command = WorkerCommand::new("leg").arg("worker").arg("--objects").arg("runs/objects");
/// assert_eq!(command.args.len(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
}

impl WorkerCommand {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), args: Vec::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }
}

/// How long a worker may take to greet, and to take a message from the pipe.
const PATIENCE: Duration = Duration::from_mins(1);

/// No worker can be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum PoolError {
    /// The program cannot be started, or is another one: trying again is of no use.
    #[error("worker `{program}`: {reason}")]
    Unusable { program: String, reason: String },
    /// It ended before it greeted.
    #[error("worker `{program}` did not come up: {reason}")]
    Lost { program: String, reason: String },
}

#[derive(Debug)]
pub(super) struct Pool {
    command: WorkerCommand,
    slots: Arc<Semaphore>,
    idle: Mutex<Vec<Worker>>,
    alive: Arc<Mutex<BTreeSet<u32>>>,
}

/// A worker for one node. Dropping it kills the worker.
#[derive(Debug)]
pub(super) struct Lease {
    pub(super) worker: Worker,
    pool: Arc<Pool>,
    _permit: OwnedSemaphorePermit,
}

impl Pool {
    pub(super) fn new(command: WorkerCommand, workers: usize) -> Self {
        Self {
            command,
            slots: Arc::new(Semaphore::new(workers.max(1))),
            idle: Mutex::default(),
            alive: Arc::default(),
        }
    }

    /// Waits for a worker.
    pub(super) async fn lease(self: &Arc<Self>) -> Result<Lease, PoolError> {
        let permit = Arc::clone(&self.slots).acquire_owned().await;
        let permit = permit.map_err(|error| self.unusable(&error.to_string()))?;
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let worker = match idle {
            Some(mut worker) => {
                worker.fresh = false;
                worker
            }
            None => self.start().await?,
        };
        Ok(Lease { worker, pool: Arc::clone(self), _permit: permit })
    }

    /// The process ids of all workers.
    pub(super) fn alive(&self) -> Vec<u32> {
        self.alive.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect()
    }

    async fn start(&self) -> Result<Worker, PoolError> {
        let mut child = Command::new(&self.command.program)
            .args(&self.command.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| self.unusable(&format!("cannot be started: {error}")))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(self.unusable("has no pipes"));
        };
        let id = child.id().unwrap_or_default();
        self.alive.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        let listed = Listed { id, alive: Arc::clone(&self.alive) };
        let mut worker = Worker {
            listed: Some(listed),
            child,
            input,
            output: BufReader::new(output),
            buffer: Vec::new(),
            registry: Digest::of(crate::Domain::Registry, b""),
            fresh: true,
        };
        let greeting = timeout(PATIENCE, worker.hear()).await;
        match greeting {
            Ok(Ok(Some(FromWorker::Hello { protocol: PROTOCOL, registry, .. }))) => {
                worker.registry = registry;
                Ok(worker)
            }
            Ok(Ok(Some(FromWorker::Hello { protocol, engine, .. }))) => Err(self.unusable(&format!(
                "speaks version {protocol} of the protocol (engine {engine}) and this program version {PROTOCOL}; use one version"
            ))),
            Ok(Ok(Some(_))) => Err(self.unusable("does not greet; it is no worker")),
            Ok(Err(error @ ProtocolError::Malformed { .. })) => Err(self.unusable(&error.to_string())),
            Ok(Err(error)) => Err(self.lost(&error.to_string())),
            Ok(Ok(None)) => Err(self.lost(&worker.last_words().await)),
            Err(_) => Err(self.lost("it did not greet within a minute")),
        }
    }

    fn unusable(&self, reason: &str) -> PoolError {
        let program = self.command.program.display().to_string();
        PoolError::Unusable { program, reason: reason.to_owned() }
    }

    fn lost(&self, reason: &str) -> PoolError {
        let program = self.command.program.display().to_string();
        PoolError::Lost { program, reason: reason.to_owned() }
    }
}

impl Lease {
    /// The worker may do another node.
    pub(super) fn give_back(self) {
        self.pool.idle.lock().unwrap_or_else(PoisonError::into_inner).push(self.worker);
    }
}

/// A worker process; it is killed when this is dropped.
#[derive(Debug)]
pub(super) struct Worker {
    /// Taken off the list before the process is reaped, so that a listed id is never another process's.
    listed: Option<Listed>,
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    buffer: Vec<u8>,
    /// Digest of its tools and agents.
    pub(super) registry: Digest,
    /// Whether it was started for this lease.
    pub(super) fresh: bool,
}

#[derive(Debug)]
struct Listed {
    id: u32,
    alive: Arc<Mutex<BTreeSet<u32>>>,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.alive.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

impl Worker {
    /// The next message; `None` when it has ended.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub(super) async fn hear(&mut self) -> Result<Option<FromWorker>, ProtocolError> {
        next(&mut self.output, &mut self.buffer).await
    }

    /// Sends a message; a worker that does not take it is as good as dead.
    pub(super) async fn tell(&mut self, message: &ToWorker) -> Result<(), ProtocolError> {
        let bytes = line(message)?;
        let written = timeout(PATIENCE, async {
            self.input.write_all(&bytes).await?;
            self.input.flush().await
        });
        let timed_out = |_| std::io::Error::from(std::io::ErrorKind::TimedOut);
        Ok(written.await.map_err(timed_out).and_then(|written| written)?)
    }

    /// How a worker that has closed its pipe ended.
    pub(super) async fn last_words(&mut self) -> String {
        self.listed = None;
        match timeout(Duration::from_secs(1), self.child.wait()).await {
            Ok(Ok(status)) => status.to_string(),
            Ok(Err(error)) => error.to_string(),
            Err(_) => "it closed its standard output".to_owned(),
        }
    }
}
