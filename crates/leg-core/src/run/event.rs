//! [`RunEvent`]: every change of state of a run, in one gap-free sequence, and the streams that read it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::{Digest, Evidence, NodeId, RunId, Status, TrackId};

/// A change of state, numbered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunEvent {
    /// Version of the event format.
    pub version: u32,
    /// Its place, from 0. Progress has no place of its own: it carries the number of the event before.
    pub seq: u64,
    /// When, as ISO 8601.
    pub at: String,
    /// What changed.
    pub event: Change,
}

/// What changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Change {
    /// The run began.
    RunStarted {
        /// The run.
        run: RunId,
        /// The approved plan.
        plan_digest: Digest,
        /// How many nodes it has.
        nodes: usize,
    },
    /// A layer began.
    LayerStarted {
        /// The track.
        track: TrackId,
        /// The layer, from 0.
        layer: usize,
    },
    /// A node began.
    NodeStarted {
        /// The node.
        node: NodeId,
        /// Its track.
        track: Option<TrackId>,
    },
    /// A tool was called.
    CallStarted {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
    },
    /// A long call got further. Only the latest of a node is kept.
    Progress {
        /// The node.
        node: NodeId,
        /// Parts that are done.
        done: u64,
        /// All parts.
        total: u64,
    },
    /// A call goes on. Only the latest of a node is kept, as with progress.
    Heartbeat {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
        /// How long it goes on.
        elapsed_ms: u64,
    },
    /// A call ended.
    CallFinished {
        /// The node.
        node: NodeId,
        /// The tool.
        tool: String,
        /// How it ended.
        status: Status,
        /// How long it took.
        duration_ms: u64,
    },
    /// A node ended.
    NodeFinished {
        /// The node.
        node: NodeId,
        /// How it ended.
        status: Status,
        /// Why it did not end well.
        reason: Option<String>,
        /// Its evidence.
        evidence: Vec<Evidence>,
    },
    /// A layer ended.
    LayerFinished {
        /// The track.
        track: TrackId,
        /// The layer, from 0.
        layer: usize,
    },
    /// The run ended; no event follows.
    RunFinished {
        /// How it ended.
        status: Status,
        /// The content root.
        content_root: Digest,
    },
}

/// The version of the event format.
pub const EVENT_VERSION: u32 = 1;

/// All events of a run so far. Writers never wait for readers; readers start anywhere and miss nothing.
#[derive(Debug, Default)]
pub struct EventLog {
    state: Mutex<State>,
    more: Notify,
}

#[derive(Debug, Default)]
struct State {
    events: Vec<Arc<RunEvent>>,
    progress: BTreeMap<NodeId, Arc<RunEvent>>,
    closed: bool,
}

impl EventLog {
    /// Adds a change of state.
    pub(crate) fn push(&self, at: String, event: Change) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let closes = matches!(event, Change::RunFinished { .. });
        let next = state.events.len() as u64;
        if let Change::Progress { node, .. } | Change::Heartbeat { node, .. } = &event {
            let node = node.clone();
            let seq = next.saturating_sub(1);
            state.progress.insert(node, Arc::new(RunEvent { version: EVENT_VERSION, seq, at, event }));
        } else {
            if let Change::NodeFinished { node, .. } = &event {
                state.progress.remove(node);
            }
            state.events.push(Arc::new(RunEvent { version: EVENT_VERSION, seq: next, at, event }));
        }
        state.closed |= closes;
        drop(state);
        self.more.notify_waiters();
    }

    /// A stream of all events from sequence number `from` on.
    pub fn stream(self: &Arc<Self>, from: u64) -> EventStream {
        EventStream { log: Arc::clone(self), next: from, shown: BTreeMap::new() }
    }
}

/// Reads events in order; waits for more until the run has ended.
#[derive(Debug)]
pub struct EventStream {
    log: Arc<EventLog>,
    next: u64,
    shown: BTreeMap<NodeId, Arc<RunEvent>>,
}

impl EventStream {
    /// The next event; `None` after the run's last one.
    ///
    /// # Cancel safety
    /// Nothing is lost when the future is dropped.
    pub async fn next(&mut self) -> Option<Arc<RunEvent>> {
        loop {
            // Registered before looking, so that an event in between wakes it.
            let log = Arc::clone(&self.log);
            let more = log.more.notified();
            match self.take() {
                Ok(event) => return event,
                Err(Wait) => more.await,
            }
        }
    }

    fn take(&mut self) -> Result<Option<Arc<RunEvent>>, Wait> {
        let state = self.log.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(event) = usize::try_from(self.next).ok().and_then(|at| state.events.get(at)) {
            self.next += 1;
            return Ok(Some(Arc::clone(event)));
        }
        if state.closed {
            return Ok(None);
        }
        for (node, event) in &state.progress {
            if self.shown.get(node).is_none_or(|shown| !Arc::ptr_eq(shown, event)) {
                self.shown.insert(node.clone(), Arc::clone(event));
                return Ok(Some(Arc::clone(event)));
            }
        }
        Err(Wait)
    }
}

struct Wait;

#[cfg(test)]
mod tests {
    use super::*;

    fn started(node: &str) -> Change {
        Change::NodeStarted { node: NodeId::new(node).unwrap(), track: None }
    }

    #[tokio::test]
    async fn a_late_reader_misses_no_change_of_state() {
        let log = Arc::new(EventLog::default());
        for n in 0..100 {
            let node = NodeId::new("a").unwrap();
            log.push(String::new(), Change::Progress { node, done: n, total: 100 });
            log.push(String::new(), started("a"));
        }
        let content_root = Digest::of(crate::Domain::Run, b"");
        log.push(String::new(), Change::RunFinished { status: Status::Ok, content_root });
        let mut stream = log.stream(40);
        let mut seqs = Vec::new();
        while let Some(event) = stream.next().await {
            seqs.push(event.seq);
        }
        assert_eq!(seqs, (40..=100).collect::<Vec<_>>());
    }

    #[tokio::test]
    async fn a_reader_that_waits_is_woken_and_sees_the_latest_progress_only() {
        let log = Arc::new(EventLog::default());
        let mut stream = log.stream(0);
        let reader = async { stream.next().await.unwrap().event.clone() };
        let writer = async {
            tokio::task::yield_now().await;
            for done in 0..5 {
                log.push(String::new(), Change::Progress { node: NodeId::new("a").unwrap(), done, total: 5 });
            }
        };
        let (event, ()) = tokio::join!(reader, writer);
        assert_eq!(event, Change::Progress { node: NodeId::new("a").unwrap(), done: 4, total: 5 });
    }
}
