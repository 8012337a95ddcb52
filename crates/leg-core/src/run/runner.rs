//! [`Run`]: starts an approved graph, and is the handle to its events, its stop signal and its outcome.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::approval::SingleUse;
use crate::canonical::to_vec;
use crate::clock::{Clock, SystemClock};
use crate::graph::{GraphTrack, LayeredGraph, NodeKind};
use crate::ledger::{EntryKind, Ledger, LedgerError, RunFolder, run_digest};
use crate::role::{PlainReporter, Reporter as _};
use crate::run::Answers;
use crate::run::event::{Change, EventLog, EventStream};
use crate::run::executor::NodeExecutor;
use crate::run::finish::Ending;
use crate::run::hub::Hub;
use crate::run::node::{Prepared, RunState, unreached};
use crate::run::port::RunPort;
use crate::run::task::{FoldRole, NodeOutput, Work};
use crate::run::track::{TrackEnd, run_track};
use crate::run::{LocalExecutor, Recording, RunOptions, RunOutcome, RunScope, span};
use crate::{
    Approval, ApprovalError, Digest, MemoryObjects, NodeId, ObjectStore, Registry, Status, StoreError,
};

/// What runs need: tools and agents, objects, an executor, a clock.
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
}

impl Engine {
    /// An engine with objects in memory, the plain roles and the machine's clock.
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            objects: Arc::new(MemoryObjects::default()),
            executor: Arc::new(LocalExecutor::default()),
            clock: Arc::new(SystemClock),
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

    /// Takes the time from elsewhere.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }
}

/// A run cannot start.
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
    /// The graph asks for what the scheduler does not do.
    #[error(
        "step `{node}` uses `{feature}`, which this version does not run; leave it out, or write the steps out one by one"
    )]
    Unsupported {
        /// The step.
        node: NodeId,
        /// What it uses.
        feature: &'static str,
    },
}

/// A run that goes on. Dropping the handle stops it.
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
        answers: Option<Arc<dyn Answers>>,
    ) -> Result<Self, StartError> {
        approval.covers(&graph)?;
        approval.holds_at(engine.clock.now_nanos())?;
        check_supported(&graph)?;
        check_definitions(&graph, &engine.registry)?;
        let runs = match &recording {
            Recording::Folder(folder) => folder.path().parent(),
            Recording::Off | Recording::Memory(_) => None,
        };
        let used = SingleUse::take(approval, &options.id, runs)?;
        let (ledger, folder) = match recording {
            Recording::Off => (None, None),
            Recording::Memory(store) => (Some(Ledger::new(store)), None),
            Recording::Folder(folder) => {
                let file = folder.begin()?;
                (Some(Ledger::new(file)), Some(folder))
            }
        };
        let cancel = CancellationToken::new();
        let mut hub = Hub::new(ledger, Arc::clone(&engine.clock), options.durability, cancel.clone());
        hub.limit_hosts(&graph.cost().hosts, options.per_host);
        hub.answers = answers;
        let hub = Arc::new(hub);
        let events = Arc::clone(&hub.events);
        let port: Arc<dyn RunPort> = Arc::<Hub>::clone(&hub);
        let scope = Arc::new(RunScope {
            registry: Arc::clone(&engine.registry),
            objects: Arc::clone(&engine.objects),
            kept: Arc::clone(&engine.objects),
            clock: Arc::clone(&engine.clock),
            port,
            cancel: cancel.clone(),
            span: span::workflow(&options.id, &graph.digest()),
            approved: graph.definitions().tools.clone(),
            limits: options.calls,
            payload: options.payload,
            calls: TaskTracker::new(),
        });
        let opening =
            Opening { graph: &graph, approval, options: &options, registry: engine.registry.digest() };
        opening.record(&scope)?;
        hub.sync_now();
        if let Some(error) = hub.take_broken() {
            return Err(error.into());
        }
        used.keep();
        scope.emit(Change::RunStarted {
            run: options.id.clone(),
            plan_digest: graph.digest(),
            nodes: graph.graph().node_count(),
        });
        let state = Arc::new(RunState::new(graph, scope, hub, Arc::clone(&engine.executor), options));
        let outcome = Arc::new(Mutex::new(None));
        let tracker = TaskTracker::new();
        let place = Arc::clone(&outcome);
        let span = state.scope.span.clone();
        let work = async move {
            let end = drive(Arc::clone(&state), folder).await;
            span::end(&state.scope.span, end.status, None);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(end);
        };
        tracker.spawn(work.instrument(span));
        tracker.close();
        Ok(Self { events, cancel, tracker, outcome })
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

/// The records before the first layer.
struct Opening<'a> {
    graph: &'a LayeredGraph,
    approval: &'a Approval,
    options: &'a RunOptions,
    registry: Digest,
}

impl Opening<'_> {
    fn record(&self, scope: &RunScope) -> Result<(), StartError> {
        if !scope.port.is_recording() {
            return Ok(());
        }
        let canonical = |value: &Value| to_vec(value).map_err(|error| StartError::Ledger(error.into()));
        scope.record(
            EntryKind::RunStarted,
            |core| {
                core.key("format").count(1);
                core.key("question").str(self.graph.question());
                Ok(())
            },
            |meta| {
                meta.key("engine").str(concat!("leg-core ", env!("CARGO_PKG_VERSION")));
                meta.key("facts").value(&json!(self.options.facts))?;
                meta.key("registry").display(&self.registry);
                meta.key("run").str(self.options.id.as_str());
                Ok(())
            },
        );
        if let Some(proposal) = &self.options.proposal {
            let plan = scope.objects.put(&canonical(&proposal.plan.to_json())?)?;
            scope.record(
                EntryKind::PlanProposed,
                |core| {
                    core.key("plan").display(&plan);
                    Ok(())
                },
                |meta| {
                    meta.key("by").str(&proposal.by);
                    Ok(())
                },
            );
            if !proposal.repairs.is_empty() {
                let changes = json!(proposal.repairs);
                scope.record(EntryKind::PlanRepaired, |core| core.key("changes").value(&changes), |_| Ok(()));
            }
        }
        for (n, application) in self.graph.applications().iter().enumerate() {
            scope.record(
                EntryKind::RuleApplied,
                |core| {
                    core.key("after").display(&application.after);
                    core.key("before").display(&application.before);
                    core.key("n").count(n as u64);
                    core.key("rule").str(&application.rule);
                    Ok(())
                },
                |_| Ok(()),
            );
        }
        let definitions = scope.objects.put(&canonical(&json!(self.graph.definitions()))?)?;
        let routed = scope.objects.put(&canonical(&self.graph.plan().to_json())?)?;
        scope.record(
            EntryKind::PlanApproved,
            |core| {
                core.key("definitions").display(&definitions);
                core.key("graph").display(&routed);
                core.key("plan_digest").display(&self.approval.plan_digest);
                Ok(())
            },
            |meta| {
                meta.key("by").str(&self.approval.by);
                if let Some(expires) = &self.approval.expires {
                    meta.key("expires").str(expires);
                }
                meta.key("given").str(&self.approval.at);
                meta.key("id").str(self.approval.id.as_str());
                Ok(())
            },
        );
        Ok(())
    }
}

/// What a plan may say and the scheduler does not do yet is refused, never passed over.
fn check_supported(graph: &LayeredGraph) -> Result<(), StartError> {
    for node in graph.graph().node_weights() {
        let (limits, fans_out) = match &node.kind {
            NodeKind::Tool(step) => (&step.limits, step.for_each.is_some()),
            NodeKind::Agent(step) => (&step.limits, false),
            _ => continue,
        };
        let feature = match (fans_out, limits.budget.is_some()) {
            (true, _) => "for_each",
            (false, true) => "budget",
            (false, false) => continue,
        };
        return Err(StartError::Unsupported { node: node.id.clone(), feature });
    }
    Ok(())
}

fn check_definitions(graph: &LayeredGraph, registry: &Registry) -> Result<(), StartError> {
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

/// Runs tracks, merge and reporter, and ends the run.
async fn drive(state: Arc<RunState>, folder: Option<RunFolder>) -> RunOutcome {
    let graph = Arc::clone(&state.graph);
    let mut ends: BTreeMap<usize, TrackEnd> = BTreeMap::new();
    let shared: Vec<usize> =
        (0..graph.tracks().len()).filter(|&at| graph.tracks().get(at).is_some_and(|t| t.shared)).collect();
    for at in &shared {
        ends.insert(*at, run_track(Arc::clone(&state), *at).await);
    }
    let mut others = JoinSet::new();
    for at in (0..graph.tracks().len()).filter(|at| !shared.contains(at)) {
        let state = Arc::clone(&state);
        others.spawn(async move { (at, run_track(state, at).await) });
    }
    while let Some(ended) = others.join_next().await {
        if let Ok((at, end)) = ended {
            ends.insert(at, end);
        }
    }
    let mut ending = Ending::of(&state, &ends);
    let mut finals = Vec::new();
    let mut brief = String::new();
    if let Some(merge) = graph.merge() {
        let work = Work::Fold {
            role: FoldRole::Merge,
            question: graph.question().to_owned(),
            parts: ending.track_parts(),
            gaps: state.gaps(),
        };
        state.run_prepared(merge, Prepared::work(work), state.scope.cancel.child_token()).await;
        if let Some(output) = state.output(merge) {
            brief.clone_from(&output.text);
            ending.drop_merged(&output.dropped);
        }
        finals.push(merge);
    }
    let reporter = graph.reporter();
    let input = ending.report_input(brief, state.gaps());
    let work = Work::Report {
        question: input.question.clone(),
        tracks: input.tracks.clone(),
        brief: input.brief.clone(),
        gaps: input.gaps.clone(),
        notes: input.notes.clone(),
    };
    state.run_prepared(reporter, Prepared::work(work), state.scope.cancel.child_token()).await;
    finals.push(reporter);
    let written =
        state.output(reporter).filter(|output| output.status.is_ok()).map(|output| output.sections.clone());
    let sections = match written {
        Some(sections) => sections,
        // Whatever became of the reporter, the evidence is told.
        None => PlainReporter.report(&input).await.unwrap_or_default(),
    };
    let mut report = ending.report(sections, &state);
    report.check();
    state.record_claims(&report);
    let status = status(&state);
    let tracks: Vec<Digest> = ends.values().map(|end| end.digest).collect();
    let contents: Vec<Digest> = finals.iter().map(|&node| state.content(node)).collect();
    let claims: Vec<crate::Claim> = report.claims().cloned().collect();
    let content_root = run_digest(&tracks, &contents, &claims, status);
    state.end(report, status, content_root, &finals, folder.as_ref())
}

/// A run is ok when some track gave what the plan asks of it: gaps are stated, not fatal.
fn status(state: &RunState) -> Status {
    let broken = state.hub.is_broken();
    let mut unreached_node = false;
    for index in state.graph.work_nodes() {
        if state.output(index).is_none() {
            // Every node must have ended; the ledger shows the one that did not.
            let id = state.graph.node(index).map(|node| node.id.to_string()).unwrap_or_default();
            state.finish(index, NodeOutput::failed(Status::Failed, unreached(&id)), 0);
            unreached_node = true;
        }
    }
    let answered =
        state.graph.tracks().iter().filter(|track| !track.shared).any(|track| answers(state, track));
    match (broken, unreached_node || !answered, state.scope.cancel.is_cancelled()) {
        (true, ..) | (_, true, false) => Status::Failed,
        (_, _, true) => Status::Cancelled,
        _ => Status::Ok,
    }
}

/// Whether a track gave its result, or anything at all where the plan names no result.
fn answers(state: &RunState, track: &GraphTrack) -> bool {
    match track.result.as_ref().and_then(|result| state.graph.find(&result.node)) {
        // A step whose condition is false is skipped without an error: that is an answer too.
        Some(index) => state.output(index).is_some_and(|output| {
            output.status.is_ok() || (output.status == Status::Skipped && output.error.is_none())
        }),
        None => track.layers.iter().flat_map(|layer| &layer.nodes).any(|&index| state.status(index).is_ok()),
    }
}

impl LayeredGraph {
    /// The nodes that do work of their own: tools and agents.
    fn work_nodes(&self) -> impl Iterator<Item = crate::graph::NodeIndex> + '_ {
        self.graph().node_indices().filter(|&index| self.node(index).is_some_and(|node| node.kind.is_work()))
    }
}
