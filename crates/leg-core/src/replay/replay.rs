//! [`replay`]: runs a recorded graph again, with the recorded answers, and compares every record.

use std::sync::Arc;

use serde::Serialize;

use super::Mode;
use super::again::{Again, Remark, Remarks};
use super::divergence::{Divergence, first_divergence};
use super::overlay::OverlayObjects;
use crate::artifact::FolderObjects;
use crate::clock::{Clock as _, FixedClock};
use crate::ledger::{Entry, Fault, LEDGER, LedgerError, MemoryLedger, RunFolder, read};
use crate::routing::Router;
use crate::run::{
    Answers, Engine, LocalExecutor, Overseer, Played, Recorded, RecordedRun, RecordedRunError, Recording,
    Roles, Run, StartError, Use,
};
use crate::{Approval, Digest, ObjectStore, Registry};

/// What a replay found.
///
/// ```
/// use leg_core::replay::Replayer;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let (_, registry) = leg_testkit::small_graph();
/// let (run, folder) = leg_testkit::small_run(runs.path()).await;
/// let replayed = Replayer::new(registry).replay(&folder).await?;
/// assert!(replayed.ok && replayed.divergence.is_none());
/// assert_eq!(replayed.content_root, Some(run.content_root));
/// # Ok(())
/// # }
/// ```
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
    /// Calls that were served and not made again although the mode wanted it.
    pub not_recomputed: Vec<Remark>,
    /// Calls whose numbers differ in their last digits only; the record is taken.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub within_tolerance: Vec<Remark>,
    /// Calls whose results are others now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Remark>,
}

/// A run cannot be replayed.
///
/// ```
/// use leg_core::ledger::LEDGER;
/// use leg_core::replay::{ReplayError, Replayer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let (_, registry) = leg_testkit::small_graph();
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// folder.write(LEDGER, b"nonsense\n")?;
/// assert!(matches!(Replayer::new(registry).replay(&folder).await, Err(ReplayError::Faulty { .. })));
/// # Ok(())
/// # }
/// ```
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

/// Replays recorded runs with the tools, agents, rules and roles of this program.
///
/// ```no_run
/// # async fn example(registry: std::sync::Arc<leg_core::Registry>) -> Result<(), Box<dyn std::error::Error>> {
/// use leg_core::ledger::RunFolder;
/// use leg_core::replay::{Mode, Replayer};
///
/// let folder = RunFolder::open(std::path::Path::new("runs/01937f3e"))?;
/// let outcome = Replayer::new(registry).with_mode(Mode::Recompute).replay(&folder).await?;
/// assert!(outcome.ok, "{:?}", outcome.divergence);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Replayer {
    registry: Arc<Registry>,
    router: Arc<Router>,
    roles: Roles,
    overseer: Option<Arc<dyn Overseer>>,
    mode: Mode,
    concurrency: usize,
}

impl Replayer {
    /// A strict replayer with the plain roles and the generic rules.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            router: Arc::default(),
            roles: Roles::default(),
            overseer: None,
            mode: Mode::Strict,
            concurrency: 16,
        }
    }

    /// With these routing rules.
    #[must_use]
    pub fn with_router(mut self, router: Arc<Router>) -> Self {
        self.router = router;
        self
    }

    /// With these roles.
    #[must_use]
    pub fn with_roles(mut self, roles: Roles) -> Self {
        self.roles = roles;
        self
    }

    /// With the overseer that the run had.
    #[must_use]
    pub fn with_overseer(mut self, overseer: Option<Arc<dyn Overseer>>) -> Self {
        self.overseer = overseer;
        self
    }

    /// In this mode.
    #[must_use]
    pub const fn with_mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// With this many nodes at a time; the result does not depend on it.
    #[must_use]
    pub const fn with_concurrency(mut self, concurrency: usize) -> Self {
        self.concurrency = concurrency;
        self
    }

    /// Replays a run.
    ///
    /// # Errors
    /// [`ReplayError`] when it cannot begin; a difference is an outcome, not an error.
    pub async fn replay(&self, folder: &RunFolder) -> Result<ReplayOutcome, ReplayError> {
        let reading = read(&folder.read(LEDGER)?, LEDGER);
        if let Some(first) = reading.faults.first() {
            return Err(ReplayError::Faulty { count: reading.faults.len(), first: Box::new(first.clone()) });
        }
        let entries = reading.entries;
        let objects: Arc<dyn ObjectStore> =
            Arc::new(OverlayObjects::over(FolderObjects::of_run(folder.path())));
        let RecordedRun { graph, mut options, approved, approved_at } =
            RecordedRun::of(&entries, &*objects, &self.registry, &self.router)?;
        if approved != graph.digest() {
            return Ok(self.changed_definition(&approved_at, graph.digest()));
        }
        let at = crate::clock::iso(FixedClock::default().now_nanos());
        let approval = Approval::new(&graph, "replay", at);
        let recorded = Arc::new(Recorded::of(&entries, Arc::clone(&objects), Use::Replay));
        let again = Arc::new(Again {
            recorded: Arc::clone(&recorded),
            registry: Arc::clone(&self.registry),
            objects: Arc::clone(&objects),
            mode: self.mode,
            remarks: std::sync::Mutex::default(),
        });
        let mut engine = Engine::new(Arc::clone(&self.registry))
            .with_objects(objects)
            .with_clock(Arc::new(FixedClock::default()))
            .with_router(Arc::clone(&self.router))
            .with_executor(Arc::new(LocalExecutor::new(self.roles.clone())));
        engine.overseer.clone_from(&self.overseer);
        let ledger = MemoryLedger::default();
        options.concurrency = self.concurrency;
        let recording = Recording::Memory(ledger.clone());
        let answers: Arc<dyn Answers> = Arc::<Again>::clone(&again);
        let played = Played { recorded, answers };
        let run = Run::start_with(graph, &approval, &engine, recording, options, Some(played))?;
        let outcome = run.finish().await;
        let replayed = read(&ledger.bytes(), "replay").entries;
        let divergence = first_divergence(&entries, &replayed);
        let Remarks { not_recomputed, within_tolerance, differences } = again.take();
        Ok(ReplayOutcome {
            mode: self.mode,
            ok: divergence.is_none() && not_recomputed.is_empty(),
            content_root: Some(outcome.content_root),
            divergence,
            not_recomputed,
            within_tolerance,
            differences,
        })
    }

    /// The plan compiles to something else: a tool, an agent or a rule is not what it was.
    fn changed_definition(&self, approved: &Entry, now: Digest) -> ReplayOutcome {
        let divergence = Divergence {
            seq: approved.seq,
            kind: approved.kind.as_str().to_owned(),
            recorded: Some(approved.core.clone()),
            replayed: Some(serde_json::json!({ "plan_digest": now })),
        };
        ReplayOutcome {
            mode: self.mode,
            ok: false,
            content_root: None,
            divergence: Some(divergence),
            not_recomputed: Vec::new(),
            within_tolerance: Vec::new(),
            differences: Vec::new(),
        }
    }
}

/// Replays a recorded run strictly: the short form of [`Replayer`].
///
/// ```
/// use leg_core::replay::replay;
/// use leg_core::routing::Router;
/// use leg_core::run::Roles;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let (_, registry) = leg_testkit::small_graph();
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// assert!(replay(&folder, registry, &Router::default(), Roles::default(), 4).await?.ok);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Replayer::replay`].
pub async fn replay(
    folder: &RunFolder,
    registry: Arc<Registry>,
    router: &Router,
    roles: Roles,
    concurrency: usize,
) -> Result<ReplayOutcome, ReplayError> {
    Replayer::new(registry)
        .with_router(Arc::new(router.clone()))
        .with_roles(roles)
        .with_concurrency(concurrency)
        .replay(folder)
        .await
}
