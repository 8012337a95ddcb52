//! [`replay`]: runs a recorded graph again, with the recorded answers, and compares every record.

use std::sync::Arc;

use serde::Serialize;

use super::divergence::{Divergence, first_divergence};
use super::overlay::OverlayObjects;
use crate::artifact::FolderObjects;
use crate::clock::{Clock as _, FixedClock};
use crate::ledger::{Entry, Fault, LEDGER, LedgerError, MemoryLedger, RunFolder, read};
use crate::routing::Router;
use crate::run::{
    Engine, LocalExecutor, Recorded, RecordedRun, RecordedRunError, Recording, Roles, Run, StartError, Use,
};
use crate::{Approval, Digest, ObjectStore, Registry};

/// What a replay may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mode {
    /// Every call is answered from the record; no tool is called.
    Strict,
}

/// What a replay found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReplayOutcome {
    /// What it did.
    pub mode: Mode,
    /// Whether every record came out again.
    pub ok: bool,
    /// The content root of the replay.
    pub content_root: Option<Digest>,
    /// The first record that did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divergence: Option<Divergence>,
    /// Calls that were served and not computed again although the mode wanted it.
    pub not_recomputed: Vec<String>,
}

/// A run cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The folder cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The ledger has faults.
    #[error("the ledger has {count} faults, the first at {}: {}; run `leg verify` for all of them", first.place, first.message)]
    Faulty {
        /// How many.
        count: usize,
        /// The first.
        first: Box<Fault>,
    },
    /// The ledger does not tell a run that could run again.
    #[error(transparent)]
    Recorded(#[from] RecordedRunError),
    /// The graph cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
}

/// Replays a recorded run with the tools, agents, rules and roles of this program.
///
/// # Errors
/// [`ReplayError`] when it cannot begin; a difference is an outcome, not an error.
pub async fn replay(
    folder: &RunFolder,
    registry: Arc<Registry>,
    router: &Router,
    roles: Roles,
    concurrency: usize,
) -> Result<ReplayOutcome, ReplayError> {
    let reading = read(&folder.read(LEDGER)?, LEDGER);
    if let Some(first) = reading.faults.first() {
        return Err(ReplayError::Faulty { count: reading.faults.len(), first: Box::new(first.clone()) });
    }
    let recorded = reading.entries;
    let objects: Arc<dyn ObjectStore> = Arc::new(OverlayObjects::over(FolderObjects::of_run(folder.path())));
    let RecordedRun { graph, mut options, approved, approved_at } =
        RecordedRun::of(&recorded, &*objects, &registry, router)?;
    if approved != graph.digest() {
        return Ok(changed_definition(&approved_at, graph.digest()));
    }
    let approval = Approval::new(&graph, "replay", crate::clock::iso(FixedClock::default().now_nanos()));
    let answers = Arc::new(Recorded::of(&recorded, Arc::clone(&objects), Use::Replay));
    let engine = Engine::new(registry)
        .with_objects(objects)
        .with_clock(Arc::new(FixedClock::default()))
        .with_executor(Arc::new(LocalExecutor::new(roles)));
    let ledger = MemoryLedger::default();
    options.concurrency = concurrency;
    let recording = Recording::Memory(ledger.clone());
    let run = Run::start_with(graph, &approval, &engine, recording, options, Some(answers))?;
    let outcome = run.finish().await;
    let replayed = read(&ledger.bytes(), "replay").entries;
    let divergence = first_divergence(&recorded, &replayed);
    Ok(ReplayOutcome {
        mode: Mode::Strict,
        ok: divergence.is_none(),
        content_root: Some(outcome.content_root),
        divergence,
        not_recomputed: Vec::new(),
    })
}

/// The plan compiles to something else: a tool, an agent or a rule is not what it was.
fn changed_definition(approved: &Entry, now: Digest) -> ReplayOutcome {
    let divergence = Divergence {
        seq: approved.seq,
        kind: approved.kind.as_str().to_owned(),
        recorded: Some(approved.core.clone()),
        replayed: Some(serde_json::json!({ "plan_digest": now })),
    };
    ReplayOutcome {
        mode: Mode::Strict,
        ok: false,
        content_root: None,
        divergence: Some(divergence),
        not_recomputed: Vec::new(),
    }
}
