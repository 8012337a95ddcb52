//! Goes on with a run that was stopped: by a kill, by a signal, or by failures that may be gone.
//!
//! The ledger is the checkpoint. The graph runs again through the same engine; what has ended is taken from the
//! record, and records that are there are compared instead of written again. A run that had ended without success is
//! opened again as a new revision of its plan, in which finished calls are served by tool, definition and arguments.

use std::sync::Arc;

use crate::canonical;
use crate::ledger::{
    Entry, EntryKind, Fault, FaultKind, JsonlLedger, LEDGER, Ledger, LedgerError, RunFolder, read,
};
use crate::run::recorded_run::RecordedRun;
use crate::run::runner::{Launch, Played, check_definitions};
use crate::run::{Engine, Recorded, RecordedRunError, Run, RunLock, StartError, Use, last_fence};
use crate::{Digest, NodeId, Status};

/// A run cannot go on.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::FolderObjects;
/// use leg_core::run::{Engine, ResumeError, Run};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let (_, registry) = leg_testkit::small_graph();
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let objects = Arc::new(FolderObjects::new(runs.path().join("objects")));
/// let resumed = Run::resume(folder, &Engine::new(registry).with_objects(objects), 4);
/// assert!(matches!(resumed, Err(ResumeError::Finished { .. })), "there is nothing left to do");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The ledger has faults that no crash leaves.
    #[error("the ledger has {count} faults that no crash leaves, the first at {}: {}; run `leg verify` for all of them", first.place, first.message)]
    Faulty {
        /// How many.
        count: usize,
        /// The first.
        first: Box<Fault>,
    },
    /// The ledger does not tell a run that could go on.
    #[error(transparent)]
    Recorded(#[from] RecordedRunError),
    /// A tool, an agent or a rule is not what it was.
    #[error(
        "the plan compiles to {found} with this program, and {approved} was approved: a tool, an agent or a rule \
         changed since; start a new run and have it approved"
    )]
    Changed {
        /// What was approved.
        approved: Digest,
        /// What it is now.
        found: Digest,
    },
    /// There is nothing left to do.
    #[error(
        "the run has ended ({status}) and every node that could be done is done; there is nothing to resume"
    )]
    Finished {
        /// How it ended.
        status: Status,
    },
    /// It cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
}

impl Run {
    /// Goes on with the run of a folder, under its recorded approval and limits.
    ///
    /// The engine must have the objects of the run, and the tools, agents and rules that it was started with.
    ///
    /// # Errors
    /// [`ResumeError`]; nothing is changed then, but that a torn last line may be cut off.
    pub fn resume(folder: RunFolder, engine: &Engine, concurrency: usize) -> Result<Self, ResumeError> {
        let fence = last_fence(&read(&folder.read(LEDGER)?, LEDGER).entries);
        let lock = RunLock::take(folder.path(), "resume", fence).map_err(LedgerError::from)?;
        match Self::launch(folder, engine, concurrency, lock.fence()) {
            Ok(launch) => Ok(Launch { lock: Some(lock), ..launch }.start(engine)?),
            Err(error) => {
                // Nothing was changed: nothing is left behind.
                lock.release().map_err(LedgerError::from)?;
                Err(error)
            }
        }
    }

    /// What goes on, once the folder is ours.
    fn launch(
        folder: RunFolder,
        engine: &Engine,
        concurrency: usize,
        fence: u64,
    ) -> Result<Launch<'static>, ResumeError> {
        let bytes = folder.read(LEDGER)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines = bytes.get(..whole).unwrap_or_default();
        let reading = read(lines, LEDGER);
        let torn = bytes.len() - whole;
        let of_a_crash = |fault: &Fault| fault.kind == FaultKind::Unfinished;
        let faults: Vec<&Fault> = reading.faults.iter().filter(|fault| !of_a_crash(fault)).collect();
        if let Some(first) = faults.first() {
            return Err(ResumeError::Faulty { count: faults.len(), first: Box::new((*first).clone()) });
        }
        let entries = reading.entries;
        let RecordedRun { graph: approved, mut options, approved: digest, .. } =
            RecordedRun::of(&entries, &*engine.objects, &engine.registry, &engine.router)?;
        if approved.digest() != digest {
            return Err(ResumeError::Changed { approved: digest, found: approved.digest() });
        }
        check_definitions(&approved, &engine.registry)?;
        options.concurrency = concurrency;
        let session = Session::of(&entries);
        if let Some(status) = session.finished
            && session.open.is_empty()
        {
            return Err(ResumeError::Finished { status });
        }
        let file = JsonlLedger::reopen(&folder.path().join(LEDGER), whole as u64)?;
        let recorded = Arc::new(Recorded::of(&entries, Arc::clone(&engine.objects), Use::Resume));
        let earlier = entries.iter().skip(session.begins).filter(|_| session.finished.is_none());
        let ledger = Ledger::resume(file, lines, earlier);
        let rev = session.rev + u64::from(session.finished.is_some());
        note_resume(&ledger, engine, torn, fence)?;
        if session.finished.is_some() {
            let core = canonical::to_vec(&serde_json::json!({"cause": "resume", "rev": rev}))
                .map_err(LedgerError::from)?;
            let at = crate::clock::iso(engine.clock.now_nanos());
            let meta = canonical::to_vec(&serde_json::json!({"at": at})).map_err(LedgerError::from)?;
            ledger.append(EntryKind::PlanRevision, &core, &meta)?;
        }
        let before = if session.finished.is_some() { entries.len() } else { session.begins };
        let before = entries.get(..before).unwrap_or_default();
        let graph = RecordedRun::graph_in_force(before, &approved, engine)?;
        Ok(Launch {
            approved,
            graph,
            rev,
            ledger: Some(ledger),
            folder: Some(folder),
            lock: None,
            options,
            played: Some(Played { answers: Arc::<Recorded>::clone(&recorded), recorded }),
            // The opening records are there, as they are compared.
            approval: None,
        })
    }
}

/// What the last session of a run left.
struct Session {
    /// Its first plan revision.
    rev: u64,
    /// Where its entries begin.
    begins: usize,
    /// How it ended, if it did.
    finished: Option<Status>,
    /// Nodes that ended without success.
    open: Vec<NodeId>,
}

impl Session {
    fn of(entries: &[Entry]) -> Self {
        let is_reopening =
            |entry: &Entry| entry.kind == EntryKind::PlanRevision && entry.text("cause") == Some("resume");
        let begins = entries.iter().rposition(is_reopening).map_or(0, |at| at + 1);
        let last_rev = entries.iter().filter_map(|entry| entry.core.get("rev")?.as_u64()).max().unwrap_or(0);
        let first_rev =
            begins.checked_sub(1).and_then(|at| entries.get(at)?.core.get("rev")?.as_u64()).unwrap_or(0);
        let finished = entries.last().filter(|entry| entry.kind == EntryKind::RunFinished).map(status_of);
        let mut open = Vec::new();
        for entry in entries.iter().skip(begins).filter(|entry| entry.kind == EntryKind::NodeFinished) {
            let Some(node) = entry.text("node").and_then(|node| NodeId::new(node).ok()) else { continue };
            let skipped = status_of(entry) == Status::Skipped && entry.core.get("error").is_none();
            open.retain(|known| *known != node);
            if !(status_of(entry).is_ok() || skipped) {
                open.push(node);
            }
        }
        Self { rev: if finished.is_some() { last_rev } else { first_rev }, begins, finished, open }
    }
}

fn status_of(entry: &Entry) -> Status {
    serde_json::from_value(entry.core.get("status").cloned().unwrap_or_default()).unwrap_or(Status::Failed)
}

/// Says in the log that somebody goes on with the run, and what a crash had torn.
fn note_resume(ledger: &Ledger, engine: &Engine, torn: usize, fence: u64) -> Result<(), LedgerError> {
    let at = crate::clock::iso(engine.clock.now_nanos());
    let meta = serde_json::json!({"at": at, "fence": fence, "resumed": true, "torn_bytes": torn});
    ledger.append(EntryKind::Checkpoint, b"{}", &canonical::to_vec(&meta)?)?;
    Ok(())
}
