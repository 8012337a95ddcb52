//! [`EventLog`] and [`EventStream`]: all events of a run, in one gap-free sequence, and those who read them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Notify;

use super::event::{Change, EVENT_VERSION, RunEvent};
use crate::NodeId;
use crate::clock::iso;

/// All events of a run so far. Writers never wait for readers; readers start anywhere and miss nothing.
///
/// Its size follows from the graph: every node starts and ends once, and every call. Signs of life do not add to it.
/// Most runs are watched by nobody: an event gets its number and its time as text when somebody reads it.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::EventLog;
///
/// let log = Arc::new(EventLog::default());
/// // Readers start anywhere, also before anything has happened.
/// let _stream = log.stream(0);
/// ```
#[derive(Debug, Default)]
pub struct EventLog {
    state: Mutex<State>,
    more: Notify,
}

#[derive(Debug, Default)]
struct State {
    events: Vec<Kept>,
    /// The latest signs of life of the nodes that run and gave one: progress and heartbeat.
    open: BTreeMap<NodeId, [Option<Sign>; 2]>,
    /// Counts signs of life, so that a reader knows which it has seen.
    ticks: u64,
    /// Whether a reader has read everything and waits for more.
    awaited: bool,
    closed: bool,
}

/// An event, as it came or as it was read.
#[derive(Debug)]
enum Kept {
    /// With its time in nanoseconds.
    New(i64, Change),
    Read(Arc<RunEvent>),
    /// On its way from one to the other.
    Moving,
}

#[derive(Debug)]
struct Sign {
    tick: u64,
    event: Arc<RunEvent>,
}

impl EventLog {
    /// With room for what a graph of so many nodes is sure to tell.
    pub(crate) fn with_room(nodes: usize) -> Self {
        let state = State { events: Vec::with_capacity(2 * nodes + 8), ..State::default() };
        Self { state: Mutex::new(state), more: Notify::new() }
    }

    /// Adds a change of state, with its time in nanoseconds.
    pub(crate) fn push(&self, at: i64, event: Change) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.push(at, event);
        let awaited = std::mem::take(&mut state.awaited);
        drop(state);
        if awaited {
            self.more.notify_waiters();
        }
    }

    /// A stream of all events from sequence number `from` on.
    pub fn stream(self: &Arc<Self>, from: u64) -> EventStream {
        EventStream { log: Arc::clone(self), next: from, seen: 0 }
    }
}

impl State {
    fn push(&mut self, at: i64, event: Change) {
        if self.closed {
            // Work that was given up may still say something; nothing follows the end.
            return;
        }
        let next = self.events.len() as u64;
        match &event {
            Change::Progress { node, .. } | Change::Heartbeat { node, .. } => {
                if !self.open.contains_key(node) && !self.runs(node) {
                    // A node that has ended gives no sign of life.
                    return;
                }
                let [progress, heartbeat] = self.open.entry(node.clone()).or_default();
                let place = if matches!(event, Change::Progress { .. }) { progress } else { heartbeat };
                self.ticks += 1;
                let event = numbered(next.saturating_sub(1), at, event);
                *place = Some(Sign { tick: self.ticks, event });
                return;
            }
            Change::NodeFinished { node, .. } if !self.open.is_empty() => {
                self.open.remove(node);
            }
            Change::RunFinished { .. } => self.closed = true,
            _ => {}
        }
        self.events.push(Kept::New(at, event));
    }

    /// Whether a node has begun and not ended. Only the first sign of life of a node asks.
    fn runs(&self, wanted: &NodeId) -> bool {
        let last = self.events.iter().rev().find_map(|kept| match kept.change()? {
            Change::NodeStarted { node, .. } if node == wanted => Some(true),
            Change::NodeFinished { node, .. } if node == wanted => Some(false),
            _ => None,
        });
        last == Some(true)
    }

    fn read(&mut self, seq: u64) -> Option<Arc<RunEvent>> {
        self.events.get_mut(usize::try_from(seq).ok()?)?.read(seq)
    }

    /// The oldest sign of life after this tick: no node keeps the others from being heard.
    fn sign_after(&self, seen: u64) -> Option<&Sign> {
        let signs = self.open.values().flatten().flatten();
        signs.filter(|sign| sign.tick > seen).min_by_key(|sign| sign.tick)
    }
}

impl Kept {
    fn change(&self) -> Option<&Change> {
        match self {
            Self::New(_, change) => Some(change),
            Self::Read(event) => Some(&event.event),
            Self::Moving => None,
        }
    }

    fn read(&mut self, seq: u64) -> Option<Arc<RunEvent>> {
        let event = match std::mem::replace(self, Self::Moving) {
            Self::New(at, change) => numbered(seq, at, change),
            Self::Read(event) => event,
            Self::Moving => return None,
        };
        *self = Self::Read(Arc::clone(&event));
        Some(event)
    }
}

fn numbered(seq: u64, at: i64, event: Change) -> Arc<RunEvent> {
    Arc::new(RunEvent { version: EVENT_VERSION, seq, at: iso(at), event })
}

/// Reads events in order; waits for more until the run has ended.
///
/// ```
/// use leg_core::run::{Change, Engine, Recording, Run, RunOptions};
/// use leg_core::{Approval, RunId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (graph, registry) = leg_testkit::small_graph();
/// # let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z");
/// # let options = RunOptions::new(RunId::new("events")?);
/// let run = Run::start(graph, &approval, &Engine::new(registry), Recording::Off, options)?;
/// // A reader that lost its connection goes on after the last number that it saw.
/// let mut late = run.events_from(2);
/// assert_eq!(late.next().await.unwrap().seq, 2);
/// run.finish().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct EventStream {
    log: Arc<EventLog>,
    next: u64,
    /// The last sign of life that was given out.
    seen: u64,
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
        let mut state = self.log.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(event) = state.read(self.next) {
            self.next += 1;
            return Ok(Some(event));
        }
        if state.closed {
            return Ok(None);
        }
        let Some(sign) = state.sign_after(self.seen) else {
            state.awaited = true;
            return Err(Wait);
        };
        self.seen = sign.tick;
        Ok(Some(Arc::clone(&sign.event)))
    }
}

struct Wait;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Digest, Status};

    fn id(node: &str) -> NodeId {
        NodeId::new(node).unwrap()
    }

    fn started(node: &str) -> Change {
        Change::NodeStarted { node: id(node), track: None }
    }

    fn finished(node: &str) -> Change {
        Change::NodeFinished { node: id(node), status: Status::Ok, reason: None, evidence: Vec::new() }
    }

    fn progress(node: &str, done: u64) -> Change {
        Change::Progress { node: id(node), done, total: 100 }
    }

    fn heartbeat(node: &str) -> Change {
        Change::Heartbeat { node: id(node), tool: "mean".into(), elapsed_ms: 10_000 }
    }

    fn ended() -> Change {
        Change::RunFinished { status: Status::Ok, content_root: Digest::of(crate::Domain::Run, b"") }
    }

    fn log(changes: impl IntoIterator<Item = Change>) -> Arc<EventLog> {
        let log = Arc::new(EventLog::default());
        changes.into_iter().for_each(|change| log.push(0, change));
        log
    }

    async fn rest(mut stream: EventStream) -> Vec<Arc<RunEvent>> {
        let mut events = Vec::new();
        while let Some(event) = stream.next().await {
            events.push(event);
        }
        events
    }

    /// What can be read without waiting.
    fn ready(stream: &mut EventStream) -> Vec<Change> {
        std::iter::from_fn(|| stream.take().ok().flatten()).map(|event| event.event.clone()).collect()
    }

    #[tokio::test]
    async fn a_reader_that_resumes_in_the_middle_misses_no_change_of_state() {
        let log = log((0..100).flat_map(|n| [started("a"), progress("a", n)]).chain([ended()]));
        let seqs: Vec<u64> = rest(log.stream(40)).await.iter().map(|event| event.seq).collect();
        assert_eq!(seqs, (40..=100).collect::<Vec<_>>());
        assert!(rest(log.stream(101)).await.is_empty());
    }

    #[tokio::test]
    async fn a_reader_that_waits_is_woken_and_sees_the_latest_progress_only() {
        let log = log([started("a")]);
        let mut stream = log.stream(1);
        let reader = async { stream.next().await.unwrap() };
        let writer = async {
            tokio::task::yield_now().await;
            (0..5).for_each(|done| log.push(0, progress("a", done)));
        };
        let (event, ()) = tokio::join!(reader, writer);
        assert_eq!((event.seq, &event.event), (0, &progress("a", 4)));
    }

    #[test]
    fn no_node_keeps_the_others_from_being_heard_and_progress_does_not_hide_a_heartbeat() {
        let log = log([started("a"), started("b"), progress("a", 1), progress("b", 1), heartbeat("b")]);
        let mut stream = log.stream(2);
        let mut heard = Vec::new();
        for done in 2..5 {
            heard.push(stream.take().ok().flatten().unwrap().event.clone());
            log.push(0, progress("a", done));
        }
        assert_eq!(heard, [progress("a", 1), progress("b", 1), heartbeat("b")]);
        assert_eq!(ready(&mut stream), [progress("a", 4)]);
    }

    #[test]
    fn a_node_that_has_ended_gives_no_sign_of_life() {
        let log = log([started("a"), progress("a", 1), finished("a"), progress("a", 2), heartbeat("a")]);
        assert_eq!(ready(&mut log.stream(0)), [started("a"), finished("a")]);
        log.push(0, ended());
        log.push(0, started("late"));
        assert_eq!(ready(&mut log.stream(2)), [ended()]);
    }

    #[tokio::test]
    async fn readers_of_different_speed_see_the_same_changes_of_state() {
        let log = log([]);
        let names: Vec<String> = (0..500).map(|n| format!("n{n}")).collect();
        let writer = async {
            for name in &names {
                log.push(0, started(name));
                log.push(0, progress(name, 1));
                tokio::task::yield_now().await;
                log.push(0, finished(name));
            }
            log.push(0, ended());
        };
        let read = |pause: usize| {
            let mut stream = log.stream(0);
            async move {
                let mut events = Vec::new();
                while let Some(event) = stream.next().await {
                    events.push(event);
                    for _ in 0..pause {
                        tokio::task::yield_now().await;
                    }
                }
                events
            }
        };
        let (fast, slow, ()) = tokio::join!(read(0), read(7), writer);
        let changes = |events: &[Arc<RunEvent>]| -> Vec<Arc<RunEvent>> {
            events.iter().filter(|event| !event.event.is_sign_of_life()).cloned().collect()
        };
        assert_eq!(changes(&fast), changes(&slow));
        assert_eq!(changes(&fast).len(), 1001);
        assert!(fast.iter().any(|event| event.event.is_sign_of_life()), "the fast one saw progress");
        assert!(fast.windows(2).all(|pair| pair[0].seq <= pair[1].seq), "numbers never go back");
    }

    #[tokio::test]
    async fn a_reader_that_stands_still_does_not_stop_the_writer_and_loses_nothing() {
        let log = log([started("busy")]);
        let mut stalled = log.stream(0);
        stalled.next().await.unwrap();
        // The writer never waits: all of this ends although nobody reads.
        for n in 0..100_000_u64 {
            log.push(0, progress("busy", n));
            if n.is_multiple_of(2) {
                log.push(0, Change::CallStarted { node: id("busy"), tool: "mean".into() });
            }
        }
        log.push(0, finished("busy"));
        log.push(0, ended());
        let events = rest(stalled).await;
        assert_eq!(events.iter().map(|event| event.seq).collect::<Vec<_>>(), (1..50_003).collect::<Vec<_>>());
        assert_eq!(events.last().unwrap().event, ended());
    }
}
