//! One node on one worker: hears what it says until the node has ended, the worker is gone, or time is up.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, sleep_until, timeout};
use tokio_util::sync::CancellationToken;

use super::journal::Journal;
use super::pool::{Lease, Worker};
use super::protocol::{Answer, FromWorker, ProtocolError, Setup, ToWorker};
use crate::ToolError;
use crate::run::attempt::seconds;
use crate::run::{Amounts, HostPermits, NodeOutput, NodeTask, RunScope};

/// How a node ended on a worker.
pub(super) enum Ending {
    /// The worker did it.
    Done(Box<NodeOutput>),
    /// The worker cannot do nodes of this run.
    Refused(String),
    /// The worker is gone, or does not keep to the protocol.
    Lost {
        reason: String,
        /// Whether it had taken the node.
        taken: bool,
    },
    /// The node was stopped and the worker did not end it.
    Stuck,
    /// The node's time is up and the worker did not end it.
    TimeUp,
    /// The task does not fit into a message.
    TooLong(ProtocolError),
}

/// Seconds that a worker has on top of the grace of its calls before it is killed.
const SLACK: f64 = 1.0;

/// One node on one worker.
pub(super) struct Session<'a> {
    pub(super) scope: &'a Arc<RunScope>,
    pub(super) journal: &'a mut Journal,
    taken: bool,
    /// What the run is being asked for this worker.
    asks: JoinSet<(u64, Granted)>,
    open: BTreeMap<u64, AbortHandle>,
    held: BTreeMap<u64, HostPermits>,
}

enum Granted {
    Synced,
    Answer(Option<Answer>),
    Drawn(Amounts, Result<(), ToolError>),
    Permits(HostPermits),
}

impl<'a> Session<'a> {
    pub(super) fn new(scope: &'a Arc<RunScope>, journal: &'a mut Journal) -> Self {
        Self {
            scope,
            journal,
            taken: false,
            asks: JoinSet::new(),
            open: BTreeMap::new(),
            held: BTreeMap::new(),
        }
    }

    /// Runs to an end.
    pub(super) async fn run(
        mut self,
        worker: &mut Worker,
        task: NodeTask,
        setup: Setup,
        stop: &CancellationToken,
    ) -> Ending {
        let grace = seconds(setup.limits.grace_s + SLACK);
        let time_up = Instant::now() + seconds(task.timeout_s) + grace;
        let mut stuck = None;
        match worker.tell(&ToWorker::Task { task: Box::new(task), setup }).await {
            Ok(()) => {}
            Err(error @ ProtocolError::TooLong) => return Ending::TooLong(error),
            Err(error) => return self.lost(worker, &error).await,
        }
        loop {
            let step = tokio::select! {
                biased;
                Some(granted) = self.asks.join_next() => match granted {
                    Ok((ask, granted)) => Ok(Step::Tell(self.granted(ask, granted))),
                    // It was taken back.
                    Err(_) => Ok(Step::On),
                },
                () = stop.cancelled(), if stuck.is_none() => {
                    stuck = Some(Instant::now() + grace);
                    Ok(Step::Tell(ToWorker::Stop))
                }
                () = until(stuck) => return Ending::Stuck,
                () = sleep_until(time_up) => return Ending::TimeUp,
                heard = worker.hear() => match heard {
                    Ok(Some(message)) => self.message(message),
                    Ok(None) => {
                        let reason = worker.last_words().await;
                        return Ending::Lost { reason, taken: self.taken };
                    }
                    Err(error) => Err(error),
                },
            };
            let told = match step {
                Ok(Step::On) => Ok(()),
                Ok(Step::Tell(message)) => worker.tell(&message).await,
                Ok(Step::End(ending)) => return ending,
                Err(error) => Err(error),
            };
            if let Err(error) = told {
                return self.lost(worker, &error).await;
            }
        }
    }

    /// A worker that cannot be written to has said what it had to say: that is heard first.
    async fn lost(&mut self, worker: &mut Worker, error: &ProtocolError) -> Ending {
        if matches!(error, ProtocolError::Io(_)) {
            let rest = async {
                while let Ok(Some(message)) = worker.hear().await {
                    match self.message(message) {
                        Ok(Step::End(ending)) => return Some(ending),
                        Ok(_) => {}
                        Err(_) => break,
                    }
                }
                None
            };
            // What a dead worker said is in the pipe already.
            if let Ok(Some(ending)) = timeout(seconds(SLACK), rest).await {
                return ending;
            }
        }
        Ending::Lost { reason: error.to_string(), taken: self.taken }
    }

    fn message(&mut self, message: FromWorker) -> Result<Step, ProtocolError> {
        match message {
            FromWorker::Taken => self.taken = true,
            FromWorker::Append { kind, core, meta } => self.journal.append(kind, &core, &meta)?,
            FromWorker::Emit { change } => self.journal.emit(change),
            FromWorker::Answer { ask, call } => {
                if let Some(answer) = self.journal.answer(&call) {
                    return Ok(Step::Tell(ToWorker::Answered { ask, answer: Some(answer) }));
                }
                let port = Arc::clone(&self.scope.port);
                self.ask(ask, async move { Granted::Answer(port.answer(&call).await.map(Answer::from)) });
            }
            FromWorker::Settle { ask, call, now } => {
                let port = Arc::clone(&self.scope.port);
                self.ask(
                    ask,
                    async move { Granted::Answer(Some(port.settle(&call, now.into()).await.into())) },
                );
            }
            FromWorker::Draw { ask, firing, amounts } => {
                if self.journal.drew_before(&amounts) {
                    return Ok(Step::Tell(ToWorker::Answered { ask, answer: None }));
                }
                let port = Arc::clone(&self.scope.port);
                self.ask(ask, async move { Granted::Drawn(amounts, port.draw(&firing, &amounts).await) });
            }
            FromWorker::Spend { firing, amounts } => self.journal.spend(&firing, &amounts),
            FromWorker::Sync { ask } => {
                let port = Arc::clone(&self.scope.port);
                self.ask(ask, async move {
                    port.sync().await;
                    Granted::Synced
                });
            }
            FromWorker::Enter { ask, hosts } => {
                let port = Arc::clone(&self.scope.port);
                self.ask(ask, async move { Granted::Permits(port.enter(&hosts).await) });
            }
            FromWorker::Leave { ask } => {
                self.held.remove(&ask);
                if let Some(waiting) = self.open.remove(&ask) {
                    waiting.abort();
                }
            }
            FromWorker::Refused { reason } => return Ok(Step::End(Ending::Refused(reason))),
            FromWorker::Done { output } => return Ok(Step::End(Ending::Done(output))),
            FromWorker::Hello { .. } => return Err(unexpected("hello")),
            FromWorker::Free {} => return Err(unexpected("free")),
        }
        Ok(Step::On)
    }

    fn ask(&mut self, ask: u64, work: impl Future<Output = Granted> + Send + 'static) {
        let handle = self.asks.spawn(async move { (ask, work.await) });
        self.open.insert(ask, handle);
    }

    fn granted(&mut self, ask: u64, granted: Granted) -> ToWorker {
        let wanted = self.open.remove(&ask).is_some();
        match granted {
            Granted::Answer(answer) => ToWorker::Answered { ask, answer },
            Granted::Drawn(amounts, Ok(())) => {
                self.journal.drew(&amounts);
                ToWorker::Answered { ask, answer: None }
            }
            Granted::Drawn(_, Err(refusal)) => {
                ToWorker::Answered { ask, answer: Some(Answer::Error(refusal)) }
            }
            Granted::Permits(permits) => {
                // Permits that were taken back in the meantime are free again.
                if wanted {
                    self.held.insert(ask, permits);
                }
                ToWorker::Granted { ask }
            }
            Granted::Synced => ToWorker::Granted { ask },
        }
    }
}

enum Step {
    On,
    Tell(ToWorker),
    End(Ending),
}

fn unexpected(message: &str) -> ProtocolError {
    ProtocolError::Unexpected { message: message.to_owned(), expected: "the work of a node" }
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// After a node: hears what its late calls still say, then gives the worker back, or kills it when it does not end.
pub(super) async fn settle(mut lease: Lease, mut journal: Journal, grace_s: f64) {
    let free = async {
        loop {
            match lease.worker.hear().await {
                Ok(Some(FromWorker::Append { kind, core, meta })) => {
                    if journal.append(kind, &core, &meta).is_err() {
                        return false;
                    }
                }
                Ok(Some(FromWorker::Emit { change })) => journal.emit(change),
                Ok(Some(FromWorker::Free {})) => return true,
                // A call that has no node any more may ask and give back what it likes.
                Ok(Some(
                    FromWorker::Leave { .. }
                    | FromWorker::Enter { .. }
                    | FromWorker::Sync { .. }
                    | FromWorker::Answer { .. }
                    | FromWorker::Settle { .. }
                    | FromWorker::Draw { .. }
                    | FromWorker::Spend { .. },
                )) => {}
                Ok(_) | Err(_) => return false,
            }
        }
    };
    if timeout(seconds(grace_s + SLACK), free).await == Ok(true) {
        lease.give_back();
    }
}
