//! One attempt of a call, on a task of its own: a tool that blocks or computes for long holds up nobody, and what
//! ends after its time was up is recorded as late and goes nowhere.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt as _;
use serde_json::Value;
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::ledger::EntryKind;
use crate::run::RunScope;
use crate::run::call_record::CallPlace;
use crate::run::event::Change;
use crate::run::redacted;
use crate::tool::{Permit, RawResponses};
use crate::{
    Digest, NodeId, Progress, RegisteredTool, Status, ToolContext, ToolError, ToolErrorKind, ToolOutput,
};

type Answer = Result<ToolOutput, ToolError>;

/// What an attempt is given.
pub(crate) struct Attempt<'a> {
    pub(crate) scope: &'a Arc<RunScope>,
    pub(crate) place: &'a CallPlace,
    pub(crate) tool: &'a RegisteredTool,
    pub(crate) deadline: Instant,
    pub(crate) cancel: &'a CancellationToken,
    pub(crate) raw: Arc<RawResponses>,
}

impl Attempt<'_> {
    /// Calls the tool and waits for it, for its deadline, for its silence, or for the signal to stop.
    pub(crate) async fn run(&self, arguments: Value) -> Answer {
        self.tool.check_unchanged()?;
        let name = &self.tool.spec.name;
        let limits = self.scope.limits;
        let heard = Arc::new(Heard::default());
        let mut flight = self.launch(arguments, &heard);
        let beat = seconds(limits.heartbeat_s).max(Duration::from_millis(1));
        let mut next_beat = heard.started + beat;
        loop {
            let silence = limits.idle_s.map(|idle| heard.last() + seconds(idle));
            let Some(handle) = &mut flight.handle else { return Err(ToolError::cancelled()) };
            tokio::select! {
                biased;
                ended = handle => {
                    flight.handle = None;
                    return match ended {
                        Ok(Some(Ok(answer))) => answer,
                        Ok(None) => Err(ToolError::cancelled()),
                        Ok(Some(Err(()))) | Err(_) => Err(ToolError::new(
                            ToolErrorKind::Internal,
                            format!("tool `{name}` panicked; please report it with the plan"),
                        )),
                    };
                }
                () = self.cancel.cancelled() => return Err(ToolError::cancelled()),
                () = sleep_until(self.deadline) => return Err(ToolError::new(
                    ToolErrorKind::Timeout,
                    format!("tool `{name}` did not end in time; raise `timeout_s` or ask for less"),
                )),
                () = until(silence) => {
                    if silence.is_some_and(|limit| heard.last() + seconds(limits.idle_s.unwrap_or(0.0)) <= limit) {
                        return Err(ToolError::new(
                            ToolErrorKind::Timeout,
                            format!("tool `{name}` made no progress for too long; raise the idle limit or ask for less"),
                        ));
                    }
                }
                () = sleep_until(next_beat) => {
                    next_beat += beat;
                    let elapsed = heard.started.elapsed().as_millis();
                    self.scope.emit(Change::Heartbeat {
                        node: self.place.node.clone(),
                        tool: name.to_string(),
                        elapsed_ms: u64::try_from(elapsed).unwrap_or(u64::MAX),
                    });
                }
            }
        }
    }

    fn launch(&self, arguments: Value, heard: &Arc<Heard>) -> Flight {
        let stop = self.cancel.child_token();
        let kill = CancellationToken::new();
        let progress = NodeProgress {
            scope: Arc::clone(self.scope),
            node: self.place.node.clone(),
            heard: Arc::clone(heard),
        };
        let context = ToolContext::new(
            Permit::new(),
            self.place.call_id,
            Arc::clone(&self.scope.objects),
            stop.clone(),
            Some(Arc::new(progress)),
        )
        .with_raw(Arc::clone(&self.raw));
        let tool = Arc::clone(&self.tool.tool);
        let killed = kill.clone();
        let work = async move {
            tokio::select! {
                biased;
                answer = AssertUnwindSafe(tool.call(arguments, &context)).catch_unwind() => {
                    Some(answer.map(redacted::answer).map_err(|_| ()))
                }
                () = killed.cancelled() => None,
            }
        }
        .instrument(Span::current());
        let handle = Handle::current();
        let handle = if handle.runtime_flavor() == RuntimeFlavor::CurrentThread {
            // There is one thread: a tool that never yields holds it. Embedders who need limits that also hold for
            // such tools use a runtime with several.
            self.scope.calls.spawn(work)
        } else {
            self.scope.calls.spawn_blocking(move || handle.block_on(work))
        };
        Flight {
            handle: Some(handle),
            stop,
            kill,
            scope: Arc::clone(self.scope),
            place: self.place.clone(),
            name: self.tool.spec.name.to_string(),
        }
    }
}

/// A call that goes on. Dropping it stops the call and leaves somebody who writes down what it still returns.
struct Flight {
    handle: Option<JoinHandle<Option<Result<Answer, ()>>>>,
    stop: CancellationToken,
    kill: CancellationToken,
    scope: Arc<RunScope>,
    place: CallPlace,
    name: String,
}

impl Drop for Flight {
    fn drop(&mut self) {
        let Some(mut handle) = self.handle.take() else { return };
        self.stop.cancel();
        let (scope, place, kill) = (Arc::clone(&self.scope), self.place.clone(), self.kill.clone());
        let name = std::mem::take(&mut self.name);
        let grace = seconds(scope.limits.grace_s);
        let calls = scope.calls.clone();
        calls.spawn(async move {
            let ended = tokio::select! {
                biased;
                ended = &mut handle => ended,
                () = sleep(grace) => {
                    kill.cancel();
                    handle.await
                }
            };
            if let Ok(Some(Ok(answer))) = ended {
                record_late(&scope, &place, &name, &answer);
            }
        });
    }
}

/// A result that nobody waited for: recorded, never merged.
fn record_late(scope: &RunScope, place: &CallPlace, tool: &str, answer: &Answer) {
    let outcome = match answer {
        // A tool that ends because it was told to has no result.
        Err(error) if error.kind == ToolErrorKind::Cancelled => return,
        Err(error) => Err(error),
        Ok(output) => Ok(output.artifacts.iter().filter_map(|(name, artifact)| {
            let bytes = artifact.encode().ok()?;
            Some((name.clone(), Digest::of(crate::Domain::Object, &bytes).to_string()))
        })),
    };
    scope.record(
        EntryKind::CallFinished,
        |core| {
            place.write_head(core);
            core.key("node").str(place.node.as_str());
            core.key("ordinal").count(place.ordinal);
            place.write_rev(core);
            core.key("status").str(Status::Late.as_str());
            Ok(())
        },
        |meta| {
            match outcome {
                Err(error) => meta.key("error").str(&error.message),
                Ok(outputs) => {
                    let mut object = meta.key("outputs").object();
                    for (name, digest) in outputs {
                        object.key(&name).str(&digest);
                    }
                    object.end();
                }
            }
            Ok(())
        },
    );
    let (node, tool) = (place.node.clone(), tool.to_owned());
    scope.emit(Change::CallFinished { node, tool, status: Status::Late, duration_ms: 0 });
}

async fn until(moment: Option<Instant>) {
    match moment {
        Some(moment) => sleep_until(moment).await,
        None => std::future::pending().await,
    }
}

/// Ends when a limit of seconds is over; without a limit, never.
pub(crate) async fn over(limit: Option<f64>) {
    until(limit.map(|limit| Instant::now() + seconds(limit))).await;
}

pub(crate) fn seconds(seconds: f64) -> Duration {
    // A number of seconds that no duration can hold is no limit for anything that runs.
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(u64::from(u32::MAX)))
}

/// When a call was last heard of.
#[derive(Debug)]
struct Heard {
    started: Instant,
    last_ms: AtomicU64,
}

impl Default for Heard {
    fn default() -> Self {
        Self { started: Instant::now(), last_ms: AtomicU64::new(0) }
    }
}

impl Heard {
    fn last(&self) -> Instant {
        self.started + Duration::from_millis(self.last_ms.load(Ordering::Relaxed))
    }

    fn now(&self) {
        let elapsed = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_ms.fetch_max(elapsed, Ordering::Relaxed);
    }
}

#[derive(Debug)]
struct NodeProgress {
    scope: Arc<RunScope>,
    node: NodeId,
    heard: Arc<Heard>,
}

impl Progress for NodeProgress {
    fn progress(&self, done: u64, total: u64) {
        self.heard.now();
        self.scope.emit(Change::Progress { node: self.node.clone(), done, total });
    }
}
