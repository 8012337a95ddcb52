//! [`Recorded`]: what the ledger of an earlier session, or of the run that is replayed, has of calls and nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::canonical;
use crate::ledger::{CallContent, Entry, EntryKind, read_result};
use crate::plan::{Plan, parse};
use crate::run::played::{Refusal, is_from_outside, layer_of};
use crate::run::{Amounts, Answers, CallKey, CallResult, Firing, Judgement, NodeOutput, NodeWords};
use crate::{Digest, Domain, NodeId, ObjectStore, Status, ToolError, ToolErrorKind, TrackId};

/// What recorded answers are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// The run goes on: what ended is not done again, what is not there is done.
    Resume,
    /// The run is done again with the recorded answers; what is not there is a difference.
    Replay,
}

/// What a ledger has of calls and nodes.
#[derive(Debug)]
pub(crate) struct Recorded {
    pub(super) purpose: Use,
    objects: Arc<dyn ObjectStore>,
    calls: BTreeMap<Digest, RecordedCall>,
    pub(super) by_firing: BTreeMap<Firing, BTreeMap<u64, Digest>>,
    pub(super) nodes: BTreeMap<Firing, Entry>,
    /// Units that have begun their work.
    pub(super) begun: BTreeSet<Firing>,
    /// Units that were refused a call, by the budget or by their list of tools.
    pub(super) denied: BTreeSet<Firing>,
    /// Calls that a budget refused, in order.
    pub(super) refusals: BTreeMap<Firing, Vec<Refusal>>,
    /// What the overseer said, with the number of its ruling, by revision, track and layer.
    pub(super) rulings: BTreeMap<(u64, TrackId, u64), Vec<(u64, Judgement)>>,
    /// Layers that were over.
    pub(super) layers: BTreeSet<(u64, TrackId, u64)>,
    /// Plans that a planner answered with, by the revision that failed and the number of the asking.
    repairs: BTreeMap<(u64, u64), Option<Digest>>,
    /// Revisions that a reopened run began with.
    reopened: BTreeSet<u64>,
    /// How each session ended, by its last revision.
    ends: BTreeMap<u64, Status>,
    /// Calls by what they were, for a later revision of the plan.
    by_work: BTreeMap<(String, Digest, Digest), Vec<(NodeId, Digest)>>,
}

/// A call that was started.
#[derive(Debug)]
struct RecordedCall {
    tool: String,
    args: Digest,
    end: Option<Entry>,
}

/// A node that ended.
#[derive(Debug)]
pub(crate) struct Prior {
    purpose: Use,
    pub(crate) output: NodeOutput,
    /// Whether it began its work: a unit that was stopped before is not begun now.
    pub(crate) begun: bool,
    /// Whether it was stopped before it did anything that the record tells.
    pub(crate) idle: bool,
    /// Whether it was expanded to a sub-graph.
    pub(crate) had_tracks: bool,
    pub(crate) duration_us: u64,
}

impl Recorded {
    /// Reads entries; results are read from `objects` when they are asked for.
    pub(crate) fn of(entries: &[Entry], objects: Arc<dyn ObjectStore>, purpose: Use) -> Self {
        let mut found = Self {
            purpose,
            objects,
            calls: BTreeMap::new(),
            by_firing: BTreeMap::new(),
            nodes: BTreeMap::new(),
            begun: BTreeSet::new(),
            denied: BTreeSet::new(),
            refusals: BTreeMap::new(),
            rulings: BTreeMap::new(),
            layers: BTreeSet::new(),
            repairs: BTreeMap::new(),
            reopened: BTreeSet::new(),
            ends: BTreeMap::new(),
            by_work: BTreeMap::new(),
        };
        for entry in entries {
            found.take(entry);
        }
        found
    }

    fn take(&mut self, entry: &Entry) {
        match entry.kind {
            EntryKind::CallStarted => {
                let Some((call_id, firing)) = entry.digest("call_id").zip(firing(entry)) else { return };
                let ordinal = number(&entry.core, "ordinal");
                let inline = entry.core.get("args").and_then(|args| canonical::to_vec(args).ok());
                let args = inline.map(|bytes| Digest::of(Domain::Object, &bytes));
                let args = args.or_else(|| entry.digest("args_object"));
                let tool = entry.text("tool").unwrap_or_default().to_owned();
                let Some((args, definition)) = args.zip(entry.digest("definition")) else { return };
                let key = (tool.clone(), definition, args);
                self.by_work.entry(key).or_default().push((firing.node.clone(), call_id));
                self.by_firing.entry(firing).or_default().insert(ordinal, call_id);
                self.calls.insert(call_id, RecordedCall { tool, args, end: None });
            }
            EntryKind::CallFinished if status(entry) != Status::Late => {
                let call = entry.digest("call_id").and_then(|call_id| self.calls.get_mut(&call_id));
                if let Some(call) = call {
                    call.end = Some(entry.clone());
                }
            }
            EntryKind::NodeFinished => {
                if let Some(firing) = firing(entry) {
                    self.nodes.insert(firing, entry.clone());
                }
            }
            EntryKind::NodeStarted => self.begun.extend(firing(entry)),
            EntryKind::Denied => {
                let Some(firing) = firing(entry) else { return };
                if status(entry) == Status::BudgetExhausted {
                    let reason = entry.text("reason").unwrap_or_default().to_owned();
                    let refusal = Refusal { ordinal: number(&entry.core, "ordinal"), reason };
                    self.refusals.entry(firing.clone()).or_default().push(refusal);
                }
                self.denied.insert(firing);
            }
            EntryKind::Overseer => {
                let Some(key) = layer_of(&entry.core) else { return };
                let (action, verdict) = (member_of(&entry.core, "action"), member_of(&entry.core, "verdict"));
                let node = entry.text("node").and_then(|node| NodeId::new(node).ok());
                let Some(((action, verdict), node)) = action.zip(verdict).zip(node) else { return };
                let context = entry.text("context").unwrap_or_default().to_owned();
                let judgement = Judgement { node, verdict, action, context };
                self.rulings.entry(key).or_default().push((number(&entry.core, "n"), judgement));
            }
            EntryKind::LayerFinished => self.layers.extend(layer_of(&entry.core)),
            EntryKind::PlanRevision if entry.text("cause") == Some("resume") => {
                self.reopened.insert(number(&entry.core, "rev"));
            }
            EntryKind::RunFinished => {
                self.ends.insert(number(&entry.core, "rev"), status(entry));
            }
            EntryKind::Replan => {
                let key = (number(&entry.core, "rev"), number(&entry.core, "n"));
                self.repairs.insert(key, entry.digest("plan"));
            }
            _ => {}
        }
    }

    /// Whether the replayed run was opened again as this revision.
    pub(crate) fn reopens(&self, rev: u64) -> bool {
        self.purpose == Use::Replay && self.reopened.contains(&rev)
    }

    /// How a run ends that a replay sees end with `status`: a signal or a clock of then is not there now.
    pub(crate) fn end(&self, rev: u64, status: Status) -> Status {
        match self.ends.get(&rev) {
            Some(recorded)
                if self.purpose == Use::Replay && matches!(recorded, Status::Cancelled | Status::Timeout) =>
            {
                *recorded
            }
            _ => status,
        }
    }

    /// Whether a planner was ever asked for a repair.
    pub(crate) fn has_repairs(&self) -> bool {
        !self.repairs.is_empty()
    }

    /// What a planner answered when it was asked for the nth time; `None` when the record does not say.
    #[expect(
        clippy::option_option,
        reason = "no record of the asking, and a record of no answer, are two things"
    )]
    pub(crate) fn repair(&self, rev: u64, n: u32) -> Option<Option<Plan>> {
        match self.repairs.get(&(rev, u64::from(n))) {
            Some(Some(digest)) => {
                let json = serde_json::from_slice(&self.objects.get(digest).ok()?).ok()?;
                parse(&json).ok().map(Some)
            }
            Some(None) => Some(None),
            None => None,
        }
    }

    /// How a unit ended.
    pub(crate) fn node(&self, firing: &Firing, calls_a_tool: bool) -> Option<Prior> {
        let entry = self.nodes.get(firing)?;
        let status = status(entry);
        let error = entry.core.get("error").and_then(|error| serde_json::from_value(error.clone()).ok());
        let mut output = NodeOutput { error, ..NodeOutput::ended(status) };
        let outside = self.purpose == Use::Replay && is_from_outside(status);
        if self.purpose == Use::Resume {
            self.fill(&mut output, entry, firing, calls_a_tool)?;
        } else if outside {
            self.fill_words(&mut output, entry)?;
        }
        Some(Prior {
            had_tracks: entry.core.get("tracks").is_some(),
            purpose: self.purpose,
            begun: !outside || self.begun.contains(firing),
            idle: outside && self.was_idle(firing),
            output,
            duration_us: entry.meta.get("duration_us").and_then(Value::as_u64).unwrap_or(0),
        })
    }

    /// Puts together what a unit left; `None` when an object is missing: it is then done again.
    fn fill(
        &self,
        output: &mut NodeOutput,
        entry: &Entry,
        firing: &Firing,
        calls_a_tool: bool,
    ) -> Option<()> {
        self.fill_words(output, entry)?;
        output.usage = entry
            .meta
            .get("usage")
            .and_then(|usage| serde_json::from_value::<Amounts>(usage.clone()).ok())
            .unwrap_or_default();
        let mut at = 0;
        for call_id in self.by_firing.get(firing).into_iter().flat_map(BTreeMap::values) {
            let call = self.calls.get(call_id)?;
            let end = call.end.as_ref()?;
            output.calls.push(call.content(end)?.digest());
            let Ok(result) = self.result(end) else { continue };
            for (name, summary) in result.outputs {
                let name = if calls_a_tool { name } else { format!("{}_{at}_{name}", call.tool) };
                output.outputs.insert(name, summary);
            }
            at += 1;
            output.evidence.extend(result.evidence);
            output.notes.extend(result.notes);
            output.renderings.extend(result.renderings);
            output.sources.extend(result.sources);
        }
        Some(())
    }

    /// What a unit said.
    fn fill_words(&self, output: &mut NodeOutput, entry: &Entry) -> Option<()> {
        if let Some(digest) = entry.digest("output") {
            let words = NodeWords::read(&digest, &*self.objects)?;
            output.dropped = words.dropped;
            output.text = words.text;
            output.gaps = words.gaps;
            output.sections = words.sections;
            output.graph = words.graph;
        }
        Some(())
    }

    /// The same call of an earlier revision, when it ended well. A call that changes the world is the same only in the
    /// same node.
    fn earlier(&self, call: &CallKey) -> Option<&Entry> {
        let key = (call.tool.to_string(), call.definition, call.args);
        let fits = |(node, _): &&(NodeId, Digest)| !call.writes || *node == call.firing.node;
        let ends = self.by_work.get(&key)?.iter().filter(fits);
        ends.filter_map(|(_, call_id)| self.calls.get(call_id)?.end.as_ref()).find(|end| status(end).is_ok())
    }

    /// The recorded answer of a call that has ended.
    fn result(&self, end: &Entry) -> Result<CallResult, ToolError> {
        let internal = |message: &str| ToolError::new(ToolErrorKind::Internal, message);
        let Some(digest) = end.digest("result") else {
            let recorded = end.core.get("error").and_then(|error| serde_json::from_value(error.clone()).ok());
            return Err(recorded.unwrap_or_else(|| internal("the record has no result and no error")));
        };
        let bytes = self.objects.get(&digest).map_err(|error| internal(&error.to_string()))?;
        let mut result =
            read_result(&bytes).ok_or_else(|| internal("the recorded result is not a result"))?;
        result.renderings = member(end, "renderings");
        result.sources = member(end, "sources");
        result.usage = member(end, "usage");
        Ok(result)
    }
}

impl RecordedCall {
    fn content(&self, end: &Entry) -> Option<CallContent> {
        let outputs = end.core.get("outputs").cloned().unwrap_or_default();
        Some(CallContent {
            tool: self.tool.clone(),
            args: self.args,
            status: status(end),
            outputs: serde_json::from_value(outputs).ok()?,
            evidence: end.digest("evidence")?,
        })
    }
}

impl Answers for Recorded {
    fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        let recorded = self.calls.get(&call.call_id);
        if let Some(end) = recorded.and_then(|recorded| recorded.end.as_ref()) {
            return Some(self.result(end));
        }
        if self.purpose == Use::Resume
            && call.firing.rev > 0
            && let Some(end) = self.earlier(call)
        {
            return Some(self.result(end));
        }
        // A node that has ended made no other calls: what was in the way then is in the way now.
        let over = self.nodes.contains_key(&call.firing);
        match self.purpose {
            Use::Resume if recorded.is_some() && call.writes && !over => {
                let message = "the run was stopped while this call was on its way, and nobody knows whether it took \
                               effect; look, then start a new run with or without it";
                Some(Err(ToolError::new(ToolErrorKind::OutcomeUnknown, message)))
            }
            Use::Resume if !over => None,
            _ => {
                let message = format!("call {} is not in the record", call.call_id.short());
                Some(Err(ToolError::new(ToolErrorKind::Internal, message)))
            }
        }
    }
}

impl Prior {
    /// Whether the unit need not be done again.
    pub(crate) fn is_final(&self) -> bool {
        self.purpose == Use::Resume
    }

    /// Gives status and words that were recorded where they came from a clock or a signal, which no replay has.
    pub(crate) fn correct(&self, output: &mut NodeOutput) {
        if self.purpose == Use::Replay && is_from_outside(self.output.status) {
            let then = self.output.clone();
            output.status = then.status;
            output.error = then.error;
            output.text = then.text;
            output.gaps = then.gaps;
            output.dropped = then.dropped;
            output.sections = then.sections;
            output.graph = then.graph;
        }
    }
}

fn firing(entry: &Entry) -> Option<Firing> {
    let node = NodeId::new(entry.text("node")?).ok()?;
    Some(Firing { node, rev: number(&entry.core, "rev"), attempt: number(&entry.core, "attempt") })
}

/// A count, or 0 where there is none.
pub(super) fn number(core: &Value, key: &str) -> u64 {
    core.get(key).and_then(Value::as_u64).unwrap_or(0)
}

pub(super) fn status(entry: &Entry) -> Status {
    let status = entry.core.get("status").cloned().unwrap_or_default();
    serde_json::from_value(status).unwrap_or(Status::Failed)
}

fn member_of<T: serde::de::DeserializeOwned>(core: &Value, key: &str) -> Option<T> {
    serde_json::from_value(core.get(key)?.clone()).ok()
}

fn member<T: serde::de::DeserializeOwned + Default>(entry: &Entry, key: &str) -> T {
    entry.meta.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}
