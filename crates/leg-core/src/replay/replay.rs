//! [`replay`]: runs a recorded graph again, with the recorded answers, and compares every record.

use std::sync::Arc;

use serde::Serialize;

use super::answers::{OverlayObjects, RecordedAnswers};
use super::divergence::{Divergence, first_divergence};
use crate::artifact::FolderObjects;
use crate::clock::{Clock as _, FixedClock};
use crate::compile::compile_with;
use crate::ledger::{Entry, EntryKind, Fault, LEDGER, LedgerError, MemoryLedger, RunFolder, read};
use crate::plan::{parse, validate};
use crate::routing::Router;
use crate::run::{Answers, Engine, LocalExecutor, Proposal, Recording, Roles, Run, RunOptions, StartError};
use crate::{Approval, CompileError, Diagnostic, Digest, ObjectStore as _, Registry, RunId, StoreError};

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
    /// The ledger has no plan.
    #[error(
        "the ledger has no `{0}` record with its object; only a run that was recorded in full can be replayed"
    )]
    Missing(&'static str),
    /// An object is not there.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The recorded plan is not valid for this registry.
    #[error("the recorded plan is not valid with the tools and agents of this program: {}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Plan(Vec<Diagnostic>),
    /// The recorded plan does not compile with these rules.
    #[error(transparent)]
    Compile(#[from] CompileError),
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
    let find = |kind| recorded.iter().find(|entry| entry.kind == kind);
    let objects = FolderObjects::of_run(folder.path());
    let proposed = find(EntryKind::PlanProposed).ok_or(ReplayError::Missing("plan_proposed"))?;
    let plan = proposed.digest("plan").ok_or(ReplayError::Missing("plan_proposed"))?;
    let plan =
        serde_json::from_slice(&objects.get(&plan)?).map_err(|_| ReplayError::Missing("plan_proposed"))?;
    let plan = parse(&plan).map_err(ReplayError::Plan)?;
    let valid = validate(plan.clone(), &registry).map_err(ReplayError::Plan)?;
    let graph = compile_with(&valid, &registry, router)?;
    let approved = find(EntryKind::PlanApproved).ok_or(ReplayError::Missing("plan_approved"))?;
    if approved.digest("plan_digest") != Some(graph.digest()) {
        return Ok(changed_definition(approved, graph.digest()));
    }
    let answers = RecordedAnswers::of(&recorded, &objects)?;
    let repairs =
        find(EntryKind::PlanRepaired).and_then(|entry| entry.core.get("changes")?.as_array().cloned());
    let approval = Approval::new(&graph, "replay", crate::clock::iso(FixedClock::default().now_nanos()));
    let engine = Engine::new(registry)
        .with_objects(Arc::new(OverlayObjects::over(objects)))
        .with_clock(Arc::new(FixedClock::default()))
        .with_executor(Arc::new(LocalExecutor::new(roles)));
    let ledger = MemoryLedger::default();
    let mut options = RunOptions::new(RunId::new("replay").map_err(|_| ReplayError::Missing("run_started"))?);
    options.concurrency = concurrency;
    options.proposal = Some(Proposal { plan, by: "replay".to_owned(), repairs: repairs.unwrap_or_default() });
    let answers: Arc<dyn Answers> = Arc::new(answers);
    let recording = Recording::Memory(ledger.clone());
    let run = Run::start_with(Arc::new(graph), &approval, &engine, recording, options, Some(answers))?;
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
