//! Drives a run from its first layer to its last record: tracks, replans, merge, reporter.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use tokio::time::timeout;

use crate::graph::NodeIndex;
use crate::ledger::{EntryKind, RunFolder, run_digest};
use crate::role::{PlainReporter, ReportInput, Reporter as _};
use crate::run::RunOutcome;
use crate::run::attempt::{over, seconds};
use crate::run::finish::Ending;
use crate::run::repair::repaired;
use crate::run::shared::RunShared;
use crate::run::state::RunState;
use crate::run::task::{FoldRole, NodeOutput, Work};
use crate::run::track::TrackEnd;
use crate::run::tracks::run_tracks;
use crate::run::unit::{Inner, Unit};
use crate::{Claim, Digest, LayeredGraph, Section, Status, ToolError, ToolErrorKind};

/// Runs a graph, and those that a planner makes of it, to the last record.
pub(crate) async fn drive(
    shared: Arc<RunShared>,
    graph: Arc<LayeredGraph>,
    rev: u64,
    folder: Option<RunFolder>,
) -> RunOutcome {
    let work = sessions(Arc::clone(&shared), graph, rev, folder);
    let limit = shared.options.run_timeout_s.filter(|_| !shared.replays());
    let mut work = std::pin::pin!(work);
    let mut time_is_up = std::pin::pin!(over(limit));
    let mut waiting = true;
    loop {
        tokio::select! {
            biased;
            outcome = &mut work => return outcome,
            () = &mut time_is_up, if waiting => {
                waiting = false;
                shared.stop.stop(Status::Timeout);
            }
        }
    }
}

/// One session; a replay goes through all that the recorded run had.
async fn sessions(
    shared: Arc<RunShared>,
    graph: Arc<LayeredGraph>,
    rev: u64,
    folder: Option<RunFolder>,
) -> RunOutcome {
    let (mut outcome, mut last) = session(&shared, graph, rev, folder.as_ref()).await;
    while shared.recorded.as_ref().is_some_and(|recorded| recorded.reopens(last.rev + 1)) {
        shared.hub.unseal();
        let rev = last.rev + 1;
        last.record_reopening(rev);
        (outcome, last) = session(&shared, Arc::clone(&last.graph), rev, folder.as_ref()).await;
    }
    outcome
}

async fn session(
    shared: &Arc<RunShared>,
    graph: Arc<LayeredGraph>,
    rev: u64,
    folder: Option<&RunFolder>,
) -> (RunOutcome, Arc<RunState>) {
    let (mut graph, mut rev, mut asked) = (graph, rev, 0);
    // As JSON a plan takes many times its size: only who could mend it needs it.
    let mends = shared.replanner.is_some() || shared.recorded.is_some();
    let plan = shared.options.proposal.as_ref().map_or_else(|| graph.plan(), |proposal| &proposal.plan);
    let mut source = if mends { plan.to_json() } else { Value::Null };
    let (state, ends) = loop {
        let state = Arc::new(RunState::new(Arc::clone(shared), graph, rev, 0));
        let ends = run_tracks(&state, &shared.stop).await;
        match repaired(&state, &mut source, &mut asked).await {
            Some(next) => {
                graph = next;
                rev += 1;
            }
            None => break (state, ends),
        }
    };
    let mut ending = Ending::of(&state, &ends);
    let mut finals = Vec::new();
    let brief = merge(&state, &mut ending, &mut finals).await;
    let sections = sections(&state, &ending.report_input(brief, state.gaps()), &mut finals).await;
    let mut report = ending.report(sections, &state);
    report.check();
    state.record_claims(&report);
    state.record_executed();
    let computed = state.run_status();
    let status = shared.recorded.as_ref().map_or(computed, |recorded| recorded.end(state.rev, computed));
    let content_root = state.content_root(&ends, &finals, report.claims(), status);
    // Calls that nobody waits for any more have their grace; what they return is recorded before the last record.
    shared.scope.calls.close();
    let grace = seconds(shared.scope.limits.grace_s);
    let _ = timeout(grace + grace, shared.scope.calls.wait()).await;
    let outcome = state.end(report, status, content_root, &finals, folder);
    (outcome, state)
}

/// The brief over all tracks, when there are several.
async fn merge(state: &Arc<RunState>, ending: &mut Ending, finals: &mut Vec<NodeIndex>) -> String {
    let Some(merge) = state.graph.merge() else { return String::new() };
    let work = Work::Fold {
        role: FoldRole::Merge,
        question: state.graph.question().to_owned(),
        parts: ending.track_parts(),
        gaps: state.gaps(),
    };
    state.run_role(merge, work, &state.shared.stop).await;
    finals.push(merge);
    let Some(output) = state.output(merge) else { return String::new() };
    ending.drop_merged(&output.dropped);
    output.text.clone()
}

async fn sections(state: &Arc<RunState>, input: &ReportInput, finals: &mut Vec<NodeIndex>) -> Vec<Section> {
    let reporter = state.graph.reporter();
    let work = Work::Report {
        question: input.question.clone(),
        tracks: Arc::clone(&input.tracks),
        brief: input.brief.clone(),
        gaps: input.gaps.clone(),
        notes: input.notes.clone(),
    };
    state.run_role(reporter, work, &state.shared.stop).await;
    finals.push(reporter);
    let written = state.output(reporter).filter(|output| output.status.is_ok());
    match written {
        Some(output) => output.sections.clone(),
        // Whatever became of the reporter, the evidence is told.
        None => PlainReporter.report(input).await.unwrap_or_default(),
    }
}

impl RunState {
    /// Everything of the revisions before is superseded from this record on.
    fn record_reopening(&self, rev: u64) {
        self.shared.scope.record(
            EntryKind::PlanRevision,
            |core| {
                core.key("cause").str("resume");
                core.key("rev").count(rev);
                Ok(())
            },
            |_| Ok(()),
        );
    }

    fn content_root<'a>(
        &self,
        ends: &BTreeMap<usize, TrackEnd>,
        finals: &[NodeIndex],
        claims: impl Iterator<Item = &'a Claim>,
        status: Status,
    ) -> Digest {
        self.hashed(|| {
            let tracks: Vec<Digest> = ends.values().map(|end| end.digest).collect();
            let contents: Vec<Digest> = finals.iter().map(|&node| self.content(node)).collect();
            let claims: Vec<Claim> = claims.cloned().collect();
            run_digest(&tracks, &contents, &claims, status)
        })
    }

    /// A run is ok when some track gave what the plan asks of it: gaps are stated, not fatal.
    fn run_status(&self) -> Status {
        let broken = self.shared.hub.is_broken();
        let mut unreached = false;
        for index in self.graph.graph().node_indices() {
            let Some(node) = self.graph.node(index).filter(|node| node.kind.is_work()) else { continue };
            if self.look(index, |_| ()).is_none() {
                // Every node must have ended; the ledger shows the one that did not.
                let message = format!("node `{}` was never reached; please report it with the plan", node.id);
                let error = ToolError::new(ToolErrorKind::Internal, message);
                let output = NodeOutput::failed(Status::Failed, error);
                self.set(index, self.close(&Unit::of(node, 0), output, Inner::default(), 0));
                unreached = true;
            }
        }
        let answered = self.graph.tracks().iter().any(|track| self.answers(track));
        let stopped = self.shared.scope.cancel.is_cancelled();
        match (broken, unreached || !answered, stopped) {
            (true, ..) | (_, true, false) => Status::Failed,
            (_, _, true) => self.shared.stop.reason(),
            _ => Status::Ok,
        }
    }
}
