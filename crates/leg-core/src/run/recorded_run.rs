//! [`RecordedRun`]: the plan, the graph and the limits of a run, read back from its ledger.

use std::sync::Arc;

use serde_json::Value;

use crate::compile::compile_with;
use crate::graph::LayeredGraph;
use crate::ledger::{Entry, EntryKind};
use crate::plan::{Plan, parse, validate};
use crate::routing::Router;
use crate::run::{Budget, Durability, Engine, Payload, Proposal, RunOptions};
use crate::{CompileError, Diagnostic, Digest, ObjectStore, Registry, RunId, StoreError};

/// A run as its ledger tells it, ready to run again.
#[derive(Debug)]
pub(crate) struct RecordedRun {
    /// The graph, compiled again.
    pub(crate) graph: Arc<LayeredGraph>,
    /// Limits, proposal and facts.
    pub(crate) options: RunOptions,
    /// What the approval was given for.
    pub(crate) approved: Digest,
    /// Where the approval stands in the ledger.
    pub(crate) approved_at: Entry,
}

/// A ledger does not tell a run that could run again.
///
/// ```
/// use leg_core::run::RecordedRunError;
///
/// assert!(RecordedRunError::Missing("plan_approved").to_string().contains("plan_approved"));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum RecordedRunError {
    /// The ledger has no plan.
    #[error(
        "the ledger has no `{0}` record with its object; only a run that was recorded in full can run again"
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
}

impl RecordedRun {
    /// Reads a run's ledger and compiles its plan again.
    pub(crate) fn of(
        entries: &[Entry],
        objects: &dyn ObjectStore,
        registry: &Registry,
        router: &Router,
    ) -> Result<Self, RecordedRunError> {
        let find = |kind| entries.iter().find(|entry| entry.kind == kind);
        let missing = RecordedRunError::Missing;
        let started = find(EntryKind::RunStarted).ok_or(missing("run_started"))?;
        let proposed = find(EntryKind::PlanProposed).ok_or(missing("plan_proposed"))?;
        let digest = proposed.digest("plan").ok_or(missing("plan_proposed"))?;
        let json: Value =
            serde_json::from_slice(&objects.get(&digest)?).map_err(|_| missing("plan_proposed"))?;
        let plan: Plan = parse(&json).map_err(RecordedRunError::Plan)?;
        let valid = validate(plan.clone(), registry).map_err(RecordedRunError::Plan)?;
        let graph = compile_with(&valid, registry, router)?;
        let approved_at = find(EntryKind::PlanApproved).ok_or(missing("plan_approved"))?.clone();
        let approved = approved_at.digest("plan_digest").ok_or(missing("plan_approved"))?;
        let id = started.meta.get("run").and_then(Value::as_str).unwrap_or_default();
        let mut options = RunOptions::new(RunId::new(id).map_err(|_| missing("run_started"))?);
        options.read_limits(&started.core);
        options.facts = started
            .meta
            .get("facts")
            .and_then(|facts| serde_json::from_value(facts.clone()).ok())
            .unwrap_or_default();
        let repairs = find(EntryKind::PlanRepaired).and_then(|entry| entry.core.get("changes")?.as_array());
        let by = proposed.meta.get("by").and_then(Value::as_str).unwrap_or_default().to_owned();
        options.proposal = Some(Proposal { plan, by, repairs: repairs.cloned().unwrap_or_default() });
        Ok(Self { graph: Arc::new(graph), options, approved, approved_at })
    }
}

impl RecordedRun {
    /// The graph that runs at the end of the record: the approved one, or the last repair of it.
    pub(crate) fn graph_in_force(
        entries: &[Entry],
        approved: &Arc<LayeredGraph>,
        engine: &Engine,
    ) -> Result<Arc<LayeredGraph>, RecordedRunError> {
        let repaired =
            |entry: &&Entry| entry.kind == EntryKind::PlanRevision && entry.text("cause") == Some("replan");
        let Some(entry) = entries.iter().rfind(repaired) else { return Ok(Arc::clone(approved)) };
        let digest = entry.digest("plan").ok_or(RecordedRunError::Missing("plan_revision"))?;
        let json: Value = serde_json::from_slice(&engine.objects.get(&digest)?)
            .map_err(|_| RecordedRunError::Missing("plan_revision"))?;
        let plan = parse(&json).map_err(RecordedRunError::Plan)?;
        let valid = validate(plan, &engine.registry).map_err(RecordedRunError::Plan)?;
        Ok(Arc::new(compile_with(&valid, &engine.registry, &engine.router)?))
    }
}

impl RunOptions {
    /// Takes over the limits of a `run_started` record; what it does not say keeps its usual value.
    fn read_limits(&mut self, core: &Value) {
        let read = |key: &str| core.get(key).cloned().unwrap_or_default();
        self.budget = serde_json::from_value::<Budget>(read("budget")).unwrap_or_default();
        self.durability = serde_json::from_value::<Durability>(read("durability")).unwrap_or_default();
        self.payload = serde_json::from_value::<Payload>(read("payload")).unwrap_or_default();
        let limits = read("limits");
        let seconds = |key: &str| limits.get(key).and_then(Value::as_f64);
        self.layer_timeout_s = seconds("layer_timeout_s");
        self.run_timeout_s = seconds("run_timeout_s");
        self.node_timeout_s = seconds("node_timeout_s").unwrap_or(self.node_timeout_s);
        let oversight = limits.get("oversight").cloned().unwrap_or_default();
        self.oversight = serde_json::from_value(oversight).unwrap_or_default();
        let retries = limits.get("retries").and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        self.retries = retries.unwrap_or(self.retries);
    }
}
