//! [`Recorded`]: what the ledger of an earlier session, or of the run that is replayed, has of calls and nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use crate::canonical;
use crate::ledger::{CallContent, Entry, EntryKind, read_result};
use crate::plan::{Plan, parse};
use crate::run::{Amounts, Answers, CallKey, CallResult, Firing, NodeOutput, NodeWords};
use crate::{Digest, Domain, NodeId, ObjectStore, Status, ToolError, ToolErrorKind};

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
    purpose: Use,
    objects: Arc<dyn ObjectStore>,
    calls: BTreeMap<Digest, RecordedCall>,
    by_firing: BTreeMap<Firing, BTreeMap<u64, Digest>>,
    nodes: BTreeMap<Firing, Entry>,
    /// Plans that a planner answered with, by the number of the asking.
    repairs: BTreeMap<u64, Option<Digest>>,
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
    status: Status,
    error: Option<ToolError>,
    pub(crate) output: NodeOutput,
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
            EntryKind::PlanRevision if entry.text("cause") == Some("resume") => {
                self.reopened.insert(number(&entry.core, "rev"));
            }
            EntryKind::RunFinished => {
                self.ends.insert(number(&entry.core, "rev"), status(entry));
            }
            EntryKind::Replan => {
                self.repairs.insert(number(&entry.core, "n"), entry.digest("plan"));
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

    /// What a planner answered when it was asked for the nth time; `None` when the record does not say. A replay asks
    /// nobody.
    pub(crate) fn repair(&self, n: u32) -> Option<Option<Plan>> {
        match self.repairs.get(&u64::from(n)) {
            Some(Some(digest)) => {
                let json = serde_json::from_slice(&self.objects.get(digest).ok()?).ok()?;
                parse(&json).ok().map(Some)
            }
            Some(None) => Some(None),
            None => (self.purpose == Use::Replay).then_some(None),
        }
    }

    /// How a unit ended.
    pub(crate) fn node(&self, firing: &Firing, calls_a_tool: bool) -> Option<Prior> {
        let entry = self.nodes.get(firing)?;
        let status = status(entry);
        let error = entry.core.get("error").and_then(|error| serde_json::from_value(error.clone()).ok());
        let mut output = NodeOutput { error: error.clone(), ..NodeOutput::ended(status) };
        if self.purpose == Use::Resume {
            self.fill(&mut output, entry, firing, calls_a_tool)?;
        }
        Some(Prior {
            had_tracks: entry.core.get("tracks").is_some(),
            purpose: self.purpose,
            status,
            error,
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
        if let Some(digest) = entry.digest("output") {
            let words = NodeWords::read(&digest, &*self.objects)?;
            output.dropped = words.dropped;
            output.text = words.text;
            output.gaps = words.gaps;
            output.sections = words.sections;
            output.graph = words.graph;
        }
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

    /// Gives the status that was recorded where it came from a clock or a signal, which no replay has.
    pub(crate) fn correct(self, output: &mut NodeOutput) {
        let outside = [Status::Timeout, Status::Cancelled, Status::BudgetExhausted, Status::OutcomeUnknown];
        if self.purpose == Use::Replay && outside.contains(&self.status) {
            output.status = self.status;
            output.error = self.error;
            output.text.clear();
            output.gaps.clear();
        }
    }
}

fn firing(entry: &Entry) -> Option<Firing> {
    let node = NodeId::new(entry.text("node")?).ok()?;
    Some(Firing { node, rev: number(&entry.core, "rev"), attempt: number(&entry.core, "attempt") })
}

/// A count, or 0 where there is none.
fn number(core: &Value, key: &str) -> u64 {
    core.get(key).and_then(Value::as_u64).unwrap_or(0)
}

fn status(entry: &Entry) -> Status {
    let status = entry.core.get("status").cloned().unwrap_or_default();
    serde_json::from_value(status).unwrap_or(Status::Failed)
}

fn member<T: serde::de::DeserializeOwned + Default>(entry: &Entry, key: &str) -> T {
    entry.meta.get(key).and_then(|value| serde_json::from_value(value.clone()).ok()).unwrap_or_default()
}
