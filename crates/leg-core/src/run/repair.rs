//! Asks the planner for a repair when a part of a plan failed, and decides whether the repair may run.

use std::sync::Arc;

use serde_json::Value;

use crate::compile::compile_with;
use crate::graph::NodeIndex;
use crate::ledger::{EntryKind, redact, secret_in};
use crate::plan::{Plan, parse, validate};
use crate::run::event::{Change, RevisionCause};
use crate::run::shared::RunShared;
use crate::run::state::RunState;
use crate::run::{Feedback, MAX_REPAIRS, NodeOutput, within_approval};
use crate::{Diagnostic, Digest, LayeredGraph, NodeId, ToolError, canonical};

/// What came of asking once.
struct Answer {
    plan: Option<Plan>,
    /// The graph, when the plan may run.
    graph: Option<LayeredGraph>,
    diagnostics: Vec<Diagnostic>,
    reasons: Vec<String>,
}

impl Answer {
    fn nothing(reason: String) -> Self {
        Self { plan: None, graph: None, diagnostics: Vec::new(), reasons: vec![reason] }
    }
}

/// The next revision of the plan, when a node failed and there is a repair that may run. `asked` counts the repairs of
/// the whole run.
///
/// `source` is the plan that was compiled, before the routing rules: what a planner can mend.
pub(crate) async fn repaired(
    state: &Arc<RunState>,
    source: &mut Value,
    asked: &mut u32,
) -> Option<Arc<LayeredGraph>> {
    let shared = &state.shared;
    let by = match (&shared.replanner, &shared.recorded) {
        (Some(replanner), _) => replanner.name(),
        (None, Some(recorded)) if recorded.has_repairs() => "recorded".to_owned(),
        _ => return None,
    };
    let outputs: Vec<Option<Arc<NodeOutput>>> =
        state.graph.graph().node_indices().map(|index| state.output(index)).collect();
    let output = |index: NodeIndex| outputs.get(index.index())?.as_deref();
    let left = |asked: u32| MAX_REPAIRS.saturating_sub(asked + 1);
    let mut feedback = Feedback { plan: source.clone(), ..Feedback::of(&state.graph, output, left(*asked)) };
    let failures: Vec<NodeId> = feedback.failures.iter().map(|failure| failure.node.clone()).collect();
    if failures.is_empty() {
        return None;
    }
    while *asked < MAX_REPAIRS && !shared.stop.token().is_cancelled() {
        let n = *asked;
        *asked += 1;
        // The run was stopped before it asked: a replay asks nobody either.
        let answer = judged(shared, ask(state, n, &feedback).await?);
        state.record_replan(n, &by, &failures, &answer);
        if let Some(graph) = answer.graph {
            *source = answer.plan.map(|plan| plan.to_json()).unwrap_or_default();
            state.record_revision(source);
            return Some(Arc::new(graph));
        }
        // No repair at all is the planner's last word; one that was refused can be mended.
        answer.plan.as_ref()?;
        feedback = Feedback { repairs_left: left(*asked), ..feedback }
            .after_refusal(&answer.diagnostics, &answer.reasons);
    }
    None
}

/// The recorded answer, or that of the planner; `None` when a replay has no record of the asking.
async fn ask(state: &RunState, n: u32, feedback: &Feedback) -> Option<Result<Option<Plan>, ToolError>> {
    let shared = &state.shared;
    let recorded = shared.recorded.as_ref();
    if let Some(plan) = recorded.and_then(|recorded| recorded.repair(state.rev, n)) {
        return Some(Ok(plan));
    }
    match &shared.replanner {
        _ if shared.replays() => None,
        Some(replanner) => Some(replanner.replan(feedback).await),
        None => Some(Ok(None)),
    }
}

/// Whether a repair is valid, compiles, and stays within what was approved.
fn judged(shared: &RunShared, answer: Result<Option<Plan>, ToolError>) -> Answer {
    let plan = match answer {
        Ok(Some(plan)) => plan,
        Ok(None) => return Answer::nothing("the planner knows no repair".to_owned()),
        Err(error) => return Answer::nothing(redact(&error.to_string()).into_owned()),
    };
    // A plan that holds a credential is not written down, and so cannot be used either.
    if let Some(place) = secret_in(&plan.to_json()) {
        return Answer::nothing(format!("the repair holds a credential at `{place}`"));
    }
    let registry = &shared.scope.registry;
    let mut answer = Answer { plan: Some(plan.clone()), graph: None, diagnostics: vec![], reasons: vec![] };
    // A planner may build a plan by hand: only what passes as JSON is a plan.
    let valid = parse(&plan.to_json()).and_then(|plan| validate(plan, registry));
    let compiled = valid.and_then(|valid| {
        compile_with(&valid, registry, &shared.router).map_err(|error| error.diagnostics())
    });
    match compiled {
        Ok(graph) => match within_approval(&shared.approved, &graph, &shared.options.budget, registry) {
            Ok(()) => answer.graph = Some(graph),
            Err(reasons) => answer.reasons = reasons,
        },
        Err(diagnostics) => {
            answer.reasons = diagnostics.iter().map(ToString::to_string).collect();
            answer.diagnostics = diagnostics;
        }
    }
    answer
}

impl RunState {
    fn record_replan(&self, n: u32, by: &str, failures: &[NodeId], answer: &Answer) {
        let scope = &self.shared.scope;
        let plan = answer.plan.as_ref().and_then(|plan| self.stored(&plan.to_json()));
        scope.record(
            EntryKind::Replan,
            |core| {
                core.key("failures").array(failures, |out, node| {
                    out.str(node.as_str());
                    Ok(())
                })?;
                core.key("n").count(u64::from(n));
                if let Some(plan) = &plan {
                    core.key("plan").digest(plan);
                }
                core.key("reasons").array(&answer.reasons, |out, reason| {
                    out.str(reason);
                    Ok(())
                })?;
                core.key("repaired").bool(answer.graph.is_some());
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                Ok(())
            },
            |meta| {
                meta.key("by").str(by);
                Ok(())
            },
        );
        scope.emit(Change::Replan {
            by: by.to_owned(),
            failures: failures.to_vec(),
            repaired: answer.graph.is_some(),
            reasons: answer.reasons.clone(),
        });
    }

    /// Everything of the revision before is superseded from this record on.
    fn record_revision(&self, plan: &Value) {
        let scope = &self.shared.scope;
        let rev = self.rev + 1;
        let plan = self.stored(plan);
        scope.record(
            EntryKind::PlanRevision,
            |core| {
                core.key("cause").str("replan");
                if let Some(plan) = &plan {
                    core.key("plan").digest(plan);
                }
                core.key("rev").count(rev);
                Ok(())
            },
            |_| Ok(()),
        );
        let cause = RevisionCause::Replan;
        scope.emit(Change::PlanRevision { cause, rev, node: None, children: Vec::new() });
    }

    fn stored(&self, json: &Value) -> Option<Digest> {
        let scope = &self.shared.scope;
        if !scope.port.is_recording() {
            return None;
        }
        scope.kept.put(&canonical::to_vec(json).ok()?).ok()
    }
}
