//! [`Unit`]: one piece of work between its two records: a node of the graph, or one item of a fan-out.

use std::sync::Arc;

use tokio::sync::SemaphorePermit;
use tracing::Instrument as _;

use crate::graph::Node;
use crate::ledger::{EntryKind, node_digest};
use crate::plan::Limits;
use crate::role::{keys_of, settle};
use crate::run::call_record::write_error;
use crate::run::crew::Turn;
use crate::run::event::Change;
use crate::run::recorded::Prior;
use crate::run::redacted;
use crate::run::span;
use crate::run::state::{RunState, limits};
use crate::run::stop::Stop;
use crate::run::task::{FoldRole, NodeOutput, NodeTask, Work};
use crate::run::{Amounts, Firing, Meter, NodeWords, Resource};
use crate::{Digest, Gap, NodeId, Status, ToolError, ToolErrorKind, TrackId};

/// What is to be done between two records.
#[derive(Debug, Clone)]
pub(crate) struct Unit<'a> {
    pub(crate) node: &'a Node,
    /// The node's id, or that of an item of its fan-out.
    pub(crate) id: NodeId,
    /// How often the overseer fired it before.
    pub(crate) attempt: u64,
    pub(crate) is_item: bool,
    /// Where it says that it waits for its turn.
    pub(crate) turn: Option<&'a Turn>,
}

/// A unit that has ended.
#[derive(Debug, Clone)]
pub(crate) struct Done {
    pub(crate) output: Arc<NodeOutput>,
    pub(crate) content: Digest,
    pub(crate) duration_us: u64,
    pub(crate) attempt: u64,
}

/// What a unit's node was expanded to, as its last record says it.
#[derive(Debug, Default)]
pub(crate) struct Inner {
    pub(crate) children: Vec<NodeId>,
    pub(crate) tracks: Vec<TrackId>,
    pub(crate) digests: Vec<Digest>,
}

impl<'a> Unit<'a> {
    pub(crate) fn of(node: &'a Node, attempt: u64) -> Self {
        Self { node, id: node.id.clone(), attempt, is_item: false, turn: None }
    }

    fn limits(&self) -> Option<&'a Limits> {
        limits(self.node)
    }
}

impl RunState {
    /// Does the work of a unit, between its two records, and gives its end.
    pub(crate) async fn run_unit(
        self: &Arc<Self>,
        unit: &Unit<'_>,
        work: Work,
        meter: Option<Meter>,
        stop: &Stop,
    ) -> Done {
        let prior = self.prior(unit);
        let mut inner = Inner::default();
        let folded = match &work {
            Work::Fold { role, parts, .. } => Some((*role, keys_of(parts))),
            _ => None,
        };
        let (mut output, elapsed, ended) = match &prior {
            // It was stopped before it began.
            Some(prior) if !prior.begun => return self.close(unit, prior.output.clone(), inner, 0),
            Some(prior) if prior.is_final() => {
                // An earlier session finished it: nothing is done again, and what it spent is counted already.
                let mut output = prior.output.clone();
                if prior.had_tracks {
                    output.status = Status::Ok;
                    output.error = None;
                }
                (Arc::new(output), prior.duration_us, None)
            }
            Some(prior) if prior.idle => {
                self.record_start(unit, self.shared.scope.clock.now_nanos());
                (Arc::new(prior.output.clone()), 0, None)
            }
            _ => match self.execute(unit, work, meter, stop).await {
                Ok((output, elapsed, ended)) => (output, elapsed, Some(ended)),
                Err(stopped) => return self.close(unit, stopped, inner, 0),
            },
        };
        if let Some(prior) = prior {
            prior.correct(Arc::make_mut(&mut output));
        }
        let was_expanded = output.graph.is_some();
        if let Some(plan) = output.graph.clone().filter(|_| output.status.is_ok()) {
            let end = self.run_sub_graph(unit, plan, stop).await;
            end.merge_into(Arc::make_mut(&mut output), &mut inner);
        }
        if let Some((role, there)) = folded {
            let output = Arc::make_mut(&mut output);
            // A fold adds no evidence, whatever an executor says, and drops only what it may. Pictures are described
            // beside the evidence, which passes to the consolidator.
            output.evidence.clear();
            let dropped = std::mem::take(&mut output.dropped);
            output.dropped = match role {
                FoldRole::Image => Vec::new(),
                FoldRole::Consolidator | FoldRole::Merge => settle(dropped, &there),
            };
            let kept = there.len() - output.dropped.len();
            self.record_merge(unit, role, kept, output);
        }
        // Work that has just ended has had the clock read.
        let ended = ended.filter(|_| !was_expanded);
        let now = ended.unwrap_or_else(|| self.shared.scope.clock.now_nanos());
        self.close_at(now, unit, output, (inner, elapsed))
    }

    /// Lets the executor do the work, and gives what it left, how long it took in microseconds, and when it ended. An
    /// error is the output of a unit that was stopped before it began.
    async fn execute(
        &self,
        unit: &Unit<'_>,
        work: Work,
        meter: Option<Meter>,
        stop: &Stop,
    ) -> Result<(Arc<NodeOutput>, u64, i64), NodeOutput> {
        let Some(_permit) = self.turn(unit, stop).await else { return Err(stopped(stop)) };
        let started = self.shared.scope.clock.now_nanos();
        self.record_start(unit, started);
        let options = &self.shared.options;
        let limits = unit.limits();
        let task = NodeTask {
            node: unit.id.clone(),
            track: unit.node.track.clone(),
            rev: self.rev,
            attempt: unit.attempt,
            timeout_s: limits.and_then(|limits| limits.timeout_s).unwrap_or(options.node_timeout_s),
            retries: limits.and_then(|limits| limits.retries).unwrap_or(options.retries),
            work,
        };
        let shared = &self.shared;
        if let Some(meter) = &meter {
            shared.hub.open_meter(self.firing(unit), meter.clone());
        }
        let span = span::node(&shared.scope, unit.node);
        let work = shared.executor.execute(task, &shared.scope, stop.token().clone());
        // From here on it stays in its place: it is too large to be handed on by value.
        let mut shared_output = Arc::new(work.instrument(span.clone()).await);
        let output = Arc::make_mut(&mut shared_output);
        redacted::output(output);
        span::end_node(&span, unit.node, output);
        if output.status == Status::Cancelled && stop.reason() == Status::Timeout {
            let late = stopped(stop);
            (output.status, output.error) = (late.status, late.error);
        }
        let ended = shared.scope.clock.now_nanos();
        let elapsed = ended.saturating_sub(started);
        if unit.node.kind.is_work() {
            let rest =
                Amounts::default().with(Resource::Nodes, 1.0).with(Resource::Seconds, elapsed as f64 / 1e9);
            meter.as_ref().unwrap_or(&shared.meter).spend(&rest);
            output.usage = output.usage.plus(&rest);
        }
        if meter.is_some() {
            shared.hub.close_meter(&self.firing(unit));
        }
        Ok((shared_output, u64::try_from(elapsed / 1000).unwrap_or(0), ended))
    }

    /// Waits for a free place to work; none is given when the unit is stopped before.
    async fn turn(&self, unit: &Unit<'_>, stop: &Stop) -> Option<SemaphorePermit<'_>> {
        if stop.token().is_cancelled() {
            return None;
        }
        let slots = &self.shared.slots;
        if let Ok(permit) = slots.try_acquire() {
            return Some(permit);
        }
        let waits = |waits| unit.turn.iter().for_each(|turn| turn.waits(waits));
        waits(true);
        let permit = tokio::select! {
            biased;
            () = stop.token().cancelled() => None,
            permit = slots.acquire() => permit.ok(),
        };
        waits(false);
        permit
    }

    fn firing(&self, unit: &Unit<'_>) -> Firing {
        Firing { node: unit.id.clone(), rev: self.rev, attempt: unit.attempt }
    }

    /// What the record has of a unit.
    fn prior(&self, unit: &Unit<'_>) -> Option<Prior> {
        let calls_a_tool = matches!(unit.node.kind, crate::graph::NodeKind::Tool(_));
        self.shared.recorded.as_ref()?.node(&self.firing(unit), calls_a_tool)
    }

    /// Records the end of a unit: its record, its gaps, its event.
    pub(crate) fn close(
        &self,
        unit: &Unit<'_>,
        output: impl Into<Arc<NodeOutput>>,
        inner: Inner,
        duration_us: u64,
    ) -> Done {
        self.close_at(self.shared.scope.clock.now_nanos(), unit, output.into(), (inner, duration_us))
    }

    /// The same at a moment that is known already, in nanoseconds.
    fn close_at(
        &self,
        now: i64,
        unit: &Unit<'_>,
        mut output: Arc<NodeOutput>,
        (inner, duration_us): (Inner, u64),
    ) -> Done {
        let content = self.hashed(|| node_digest(&unit.id, output.status, &output.calls, &inner.digests));
        let scope = &self.shared.scope;
        let words = if scope.port.is_recording() { NodeWords::stored(&output, &*scope.kept) } else { None };
        scope.record_at(
            now,
            EntryKind::NodeFinished,
            |core| {
                if unit.attempt > 0 {
                    core.key("attempt").count(unit.attempt);
                }
                if !inner.children.is_empty() {
                    core.key("children").array(&inner.children, |out, id| {
                        out.str(id.as_str());
                        Ok(())
                    })?;
                }
                core.key("digest").digest(&content);
                if let Some(error) = &output.error {
                    write_error(core, error);
                }
                core.key("node").str(unit.id.as_str());
                if let Some(words) = &words {
                    core.key("output").digest(words);
                }
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                core.key("status").str(output.status.as_str());
                if let Some(track) = &unit.node.track {
                    core.key("track").str(track.as_str());
                }
                if !inner.tracks.is_empty() {
                    core.key("tracks").array(&inner.tracks, |out, id| {
                        out.str(id.as_str());
                        Ok(())
                    })?;
                }
                Ok(())
            },
            |meta| {
                meta.key("duration_us").count(duration_us);
                if output.usage != Amounts::ZERO {
                    meta.key("usage").value(&output.usage)?;
                }
                Ok(())
            },
        );
        let missing = gaps_of(unit, &output);
        if !missing.is_empty() {
            for gap in &missing {
                self.record_gap(unit, gap);
            }
            Arc::make_mut(&mut output).missing = missing;
        }
        let finished = Change::NodeFinished {
            node: unit.id.clone(),
            status: output.status,
            reason: output.error.as_ref().map(ToString::to_string),
            evidence: output.evidence.clone(),
        };
        self.shared.hub.tell(now, finished);
        Done { output, content, duration_us, attempt: unit.attempt }
    }

    fn record_start(&self, unit: &Unit<'_>, now: i64) {
        self.shared.scope.record_at(
            now,
            EntryKind::NodeStarted,
            |core| {
                if unit.attempt > 0 {
                    core.key("attempt").count(unit.attempt);
                }
                core.key("node").str(unit.id.as_str());
                if unit.is_item {
                    core.key("of").str(unit.node.id.as_str());
                }
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                if let Some(track) = &unit.node.track {
                    core.key("track").str(track.as_str());
                }
                Ok(())
            },
            |_| Ok(()),
        );
        let (node, track) = (unit.id.clone(), unit.node.track.clone());
        self.shared.hub.tell(now, Change::NodeStarted { node, track });
    }

    fn record_merge(&self, unit: &Unit<'_>, role: FoldRole, kept: usize, output: &NodeOutput) {
        self.shared.scope.record(
            EntryKind::Merge,
            |core| {
                if !output.dropped.is_empty() {
                    core.key("dropped").value(&serde_json::json!(output.dropped))?;
                }
                if kept > 0 {
                    core.key("kept").count(kept as u64);
                }
                core.key("node").str(unit.id.as_str());
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                core.key("role").str(role.as_str());
                core.key("text").str(&output.text);
                Ok(())
            },
            |_| Ok(()),
        );
    }

    fn record_gap(&self, unit: &Unit<'_>, gap: &Gap) {
        let (node, reason) = (gap.node.clone(), gap.reason.clone());
        self.shared.scope.emit(Change::Gap { node, status: gap.status, reason });
        self.shared.scope.record(
            EntryKind::Gap,
            |core| {
                if unit.attempt > 0 {
                    core.key("attempt").count(unit.attempt);
                }
                core.key("node").str(gap.node.as_str());
                core.key("reason").str(&gap.reason);
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                core.key("status").str(gap.status.as_str());
                Ok(())
            },
            |_| Ok(()),
        );
    }
}

/// What a unit could not find out. Only work leaves gaps: a fold without a brief leaves its parts.
fn gaps_of(unit: &Unit<'_>, output: &NodeOutput) -> Vec<Gap> {
    if !unit.node.kind.is_work() || (output.error.is_none() && output.gaps.is_empty()) {
        return Vec::new();
    }
    let gap = |reason: &str| Gap {
        node: unit.id.clone(),
        track: unit.node.track.clone(),
        status: output.status,
        reason: reason.to_owned(),
    };
    let failure = output.error.as_ref().map(|error| gap(&error.message));
    failure.into_iter().chain(output.gaps.iter().map(|reason| gap(reason))).collect()
}

/// The output of a unit that was stopped before its end.
pub(crate) fn stopped(stop: &Stop) -> NodeOutput {
    match stop.reason() {
        Status::Timeout => NodeOutput::failed(
            Status::Timeout,
            ToolError::new(
                ToolErrorKind::Timeout,
                "its layer or its run did not end in time; raise the limit or ask for less",
            ),
        ),
        _ => NodeOutput::failed(Status::Cancelled, ToolError::cancelled()),
    }
}
