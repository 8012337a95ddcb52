//! [`Run`]: starts an approved graph, and is the handle to its events, its stop signal and its outcome.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::approval::SingleUse;
use crate::clock::{Clock, SystemClock};
use crate::graph::LayeredGraph;
use crate::ledger::{Ledger, LedgerError, RunFolder};
use crate::routing::Router;
use crate::run::drive::drive;
use crate::run::event::Change;
use crate::run::event_log::{EventLog, EventStream};
use crate::run::executor::NodeExecutor;
use crate::run::hub::Hub;
use crate::run::opening::Opening;
use crate::run::port::RunPort;
use crate::run::redacted;
use crate::run::shared::RunShared;
use crate::run::stop::Stop;
use crate::run::{
    Answers, CallMemo, LocalExecutor, Meter, Overseer, Recorded, Recording, Replanner, RunLock, RunOptions,
    RunOutcome, RunScope, span,
};
use crate::{Approval, ApprovalError, MemoryObjects, ObjectStore, Registry, StoreError};

/// What runs need: tools and agents, objects, an executor, a clock.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::{Engine, RulesOverseer};
/// use leg_core::{FixedClock, FolderObjects};
///
/// # let (_, registry) = leg_testkit::small_graph();
/// # let folder = tempfile::tempdir()?;
/// let engine = Engine::new(registry)
///     .with_objects(Arc::new(FolderObjects::new(folder.path().join("objects"))))
///     .with_overseer(Arc::new(RulesOverseer))
///     .with_clock(Arc::new(FixedClock::at(0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Engine {
    /// Tools and agents.
    pub registry: Arc<Registry>,
    /// Where artifacts go.
    pub objects: Arc<dyn ObjectStore>,
    /// Where nodes run.
    pub executor: Arc<dyn NodeExecutor>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Who judges the results of a layer; without one every result is taken as it is.
    pub overseer: Option<Arc<dyn Overseer>>,
    /// Who mends a plan of which a part failed; without one a failure is a gap.
    pub replanner: Option<Arc<dyn Replanner>>,
    /// The routing rules, for graphs that are compiled while a run goes on.
    pub router: Arc<Router>,
}

impl Engine {
    /// An engine with objects in memory, the plain roles and the machine's clock.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            objects: Arc::new(MemoryObjects::default()),
            executor: Arc::new(LocalExecutor::default()),
            clock: Arc::new(SystemClock),
            overseer: None,
            replanner: None,
            router: Arc::default(),
        }
    }

    /// Puts objects elsewhere.
    #[must_use]
    pub fn with_objects(mut self, objects: Arc<dyn ObjectStore>) -> Self {
        self.objects = objects;
        self
    }

    /// Runs nodes elsewhere, or with other roles.
    #[must_use]
    pub fn with_executor(mut self, executor: Arc<dyn NodeExecutor>) -> Self {
        self.executor = executor;
        self
    }

    /// Lets somebody judge the results of each layer.
    #[must_use]
    pub fn with_overseer(mut self, overseer: Arc<dyn Overseer>) -> Self {
        self.overseer = Some(overseer);
        self
    }

    /// Lets a planner mend a plan of which a part failed.
    #[must_use]
    pub fn with_replanner(mut self, replanner: Arc<dyn Replanner>) -> Self {
        self.replanner = Some(replanner);
        self
    }

    /// Compiles sub-graphs and repaired plans with these rules.
    #[must_use]
    pub fn with_router(mut self, router: Arc<Router>) -> Self {
        self.router = router;
        self
    }

    /// Takes the time from elsewhere.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

/// A run cannot start.
///
/// ```
/// use leg_core::run::{Engine, Recording, Run, RunOptions, StartError};
/// use leg_core::{Approval, RunId};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (graph, registry) = leg_testkit::small_graph();
/// let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z");
/// let engine = Engine::new(registry);
/// let start = |id: &str| {
///     let options = RunOptions::new(RunId::new(id).unwrap());
///     Run::start(graph.clone(), &approval, &engine, Recording::Off, options)
/// };
/// start("once")?.finish().await;
/// assert!(matches!(start("twice"), Err(StartError::Approval(_))), "an approval starts one run");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The approval is for another graph.
    #[error(transparent)]
    Approval(#[from] ApprovalError),
    /// The ledger cannot be written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An object cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A definition changed after the graph was compiled.
    #[error(
        "the definition of `{name}` is not the one that the plan was compiled with; compile and approve it again"
    )]
    Changed {
        /// The tool or agent.
        name: String,
    },
    /// The plan or its question holds a credential, and would be recorded.
    #[error(
        "the plan holds a credential at `{place}`, and plans are recorded; take it out, and name the credential in the configuration"
    )]
    Secret {
        /// The place in the plan, as a JSON pointer.
        place: String,
    },
}

/// A run that goes on. Dropping the handle stops it.
///
/// ```
/// use leg_core::run::{Engine, Recording, Run, RunOptions};
/// use leg_core::{Approval, RunId, Status};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (graph, registry) = leg_testkit::small_graph();
/// let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z");
/// let options = RunOptions::new(RunId::new("stopped")?);
/// let run = Run::start(graph, &approval, &Engine::new(registry), Recording::Off, options)?;
/// run.stopper().cancel();
/// assert_eq!(run.finish().await.status, Status::Cancelled);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Run {
    events: Arc<EventLog>,
    cancel: CancellationToken,
    tracker: TaskTracker,
    outcome: Arc<Mutex<Option<RunOutcome>>>,
}

impl Run {
    /// Starts a graph that was approved. What must be known before the first node is written down when this
    /// returns.
    ///
    /// # Errors
    /// [`StartError`]: nothing was started, and no run folder with a finished run is left.
    pub fn start(
        graph: Arc<LayeredGraph>,
        approval: &Approval,
        engine: &Engine,
        recording: Recording,
        options: RunOptions,
    ) -> Result<Self, StartError> {
        Self::start_with(graph, approval, engine, recording, options, None)
    }

    /// Starts a graph with recorded answers.
    pub(crate) fn start_with(
        graph: Arc<LayeredGraph>,
        approval: &Approval,
        engine: &Engine,
        recording: Recording,
        options: RunOptions,
        played: Option<Played>,
    ) -> Result<Self, StartError> {
        approval.covers(&graph)?;
        approval.holds_at(engine.clock.now_nanos())?;
        check_definitions(&graph, &engine.registry)?;
        redacted::check_plan(&graph, options.proposal.as_ref().map(|proposal| &proposal.plan))?;
        let runs = match &recording {
            Recording::Folder(folder) => folder.path().parent(),
            Recording::Off | Recording::Memory(_) | Recording::Store(_) => None,
        };
        let used = SingleUse::take(approval, &options.id, runs)?;
        let (ledger, folder, lock) = match recording {
            Recording::Off => (None, None, None),
            Recording::Memory(store) => (Some(Ledger::new(store)), None, None),
            Recording::Store(store) => (Some(Ledger::over(store)), None, None),
            Recording::Folder(folder) => {
                let file = folder.begin()?;
                let lock = RunLock::take(folder.path(), "run", 0).map_err(LedgerError::from)?;
                (Some(Ledger::new(file)), Some(folder), Some(lock))
            }
        };
        let launch = Launch {
            approved: Arc::clone(&graph),
            graph,
            rev: 0,
            ledger,
            folder,
            lock,
            options,
            played,
            approval: Some(approval),
        };
        let run = launch.start(engine)?;
        used.keep();
        Ok(run)
    }

    /// A stream of all events from the first on.
    pub fn events(&self) -> EventStream {
        self.events.stream(0)
    }

    /// A stream of the events from sequence number `from` on.
    pub fn events_from(&self, from: u64) -> EventStream {
        self.events.stream(from)
    }

    /// The stop signal: cancel it and every node ends, with a valid ledger.
    pub fn stopper(&self) -> CancellationToken {
        self.cancel.clone()
    }

    /// Waits for the end.
    ///
    /// # Cancel safety
    /// Dropping the future stops the run.
    pub async fn finish(self) -> RunOutcome {
        self.tracker.wait().await;
        let outcome = self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
        outcome.unwrap_or_else(RunOutcome::lost)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// A record that a run plays again: what it has of nodes, and who answers its calls.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    pub(crate) recorded: Arc<Recorded>,
    pub(crate) answers: Arc<dyn Answers>,
}

/// Everything that a run starts with, a new one or one that goes on.
pub(crate) struct Launch<'a> {
    /// The graph that somebody approved.
    pub(crate) approved: Arc<LayeredGraph>,
    /// The graph that runs: it, or a repair of it.
    pub(crate) graph: Arc<LayeredGraph>,
    /// Its plan revision.
    pub(crate) rev: u64,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) folder: Option<RunFolder>,
    /// The right to write into the folder.
    pub(crate) lock: Option<RunLock>,
    pub(crate) options: RunOptions,
    pub(crate) played: Option<Played>,
    /// The approval, when the opening records are to be written.
    pub(crate) approval: Option<&'a Approval>,
}

impl Launch<'_> {
    pub(crate) fn start(self, engine: &Engine) -> Result<Run, StartError> {
        let Launch { approved, graph, rev, ledger, folder, lock, options, played, approval } = self;
        let cancel = CancellationToken::new();
        let meter = Meter::new("the run", &options.budget);
        let mut hub =
            Hub::new(ledger, Arc::clone(&engine.clock), options.durability, cancel.clone(), meter.clone());
        hub.events = Arc::new(EventLog::with_room(graph.graph().node_count()));
        hub.limit_hosts(&approved.cost().hosts, options.per_host);
        let (recorded, answers) = played.map(|played| (played.recorded, played.answers)).unzip();
        hub.answers = answers;
        hub.memo = engine.replanner.is_some().then(CallMemo::default);
        let fence = lock.as_ref().map(RunLock::fence);
        if let Some(lock) = lock {
            hub.hold(lock);
        }
        hub.recorded.clone_from(&recorded);
        for spent in recorded.iter().flat_map(|recorded: &Arc<Recorded>| recorded.spent(rev)) {
            meter.spend(&spent);
        }
        let hub = Arc::new(hub);
        let events = Arc::clone(&hub.events);
        let port: Arc<dyn RunPort> = Arc::<Hub>::clone(&hub);
        let scope = Arc::new(RunScope {
            registry: Arc::clone(&engine.registry),
            objects: options.payload.artifacts_in(&engine.objects),
            kept: Arc::clone(&engine.objects),
            clock: Arc::clone(&engine.clock),
            port,
            cancel: cancel.clone(),
            span: span::workflow(&options.id, &approved.digest()),
            approved: approved.definitions().tools.clone(),
            limits: options.calls,
            payload: options.payload,
            calls: TaskTracker::new(),
        });
        if let Some(approval) = approval {
            let registry = engine.registry.digest();
            Opening { graph: &approved, approval, options: &options, registry, fence }.record(&scope)?;
        }
        hub.sync_now();
        if let Some(error) = hub.take_broken() {
            return Err(error.into());
        }
        scope.emit(Change::RunStarted {
            run: options.id.clone(),
            plan_digest: approved.digest(),
            nodes: graph.graph().node_count(),
        });
        let shared = Arc::new(RunShared {
            slots: Semaphore::new(options.concurrency.max(1)),
            executor: Arc::clone(&engine.executor),
            overseer: engine.overseer.clone(),
            replanner: engine.replanner.clone(),
            router: Arc::clone(&engine.router),
            approved,
            stop: Stop::root(cancel.clone()),
            scope,
            hub,
            options,
            meter,
            recorded,
        });
        let outcome = Arc::new(Mutex::new(None));
        let tracker = TaskTracker::new();
        let place = Arc::clone(&outcome);
        let span = shared.scope.span.clone();
        let work = async move {
            let end = drive(Arc::clone(&shared), graph, rev, folder).await;
            span::end(&shared.scope.span, end.status, None);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
        };
        tracker.spawn(work.instrument(span));
        tracker.close();
        Ok(Run { events, cancel, tracker, outcome })
    }
}

pub(crate) fn check_definitions(graph: &LayeredGraph, registry: &Registry) -> Result<(), StartError> {
    let definitions = graph.definitions();
    for (name, digest) in &definitions.tools {
        if registry.tool(name.as_str()).is_none_or(|tool| tool.definition != *digest) {
            return Err(StartError::Changed { name: name.to_string() });
        }
    }
    for (id, digest) in &definitions.agents {
        if registry.agent(id.as_str()).is_none_or(|agent| agent.definition != *digest) {
            return Err(StartError::Changed { name: id.to_string() });
        }
    }
    Ok(())
}
