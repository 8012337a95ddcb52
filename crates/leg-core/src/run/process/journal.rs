//! [`Journal`]: what the workers of one node have said about its calls. It keeps the ledger to one record of each
//! thing however many workers the node needs, and serves finished calls to the next one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::protocol::{Answer, ProtocolError};
use crate::canonical::to_vec;
use crate::ledger::core_member::{digest, number, text};
use crate::ledger::{CallContent, EntryKind, evidence_digest, read_result};
use crate::run::call_record::{CallEnd, CallPlace};
use crate::run::event::Change;
use crate::run::executor::gather;
use crate::run::gate::in_doubt;
use crate::run::port::CallKey;
use crate::run::{Amounts, CallResult, Firing, NodeOutput, RunScope};
use crate::{Digest, Domain, Effect, NodeId, Status, ToolError, ToolErrorKind};

/// The calls and records of one node.
#[derive(Debug)]
pub(super) struct Journal {
    scope: Arc<RunScope>,
    node: NodeId,
    /// Whether results of single calls belong to the node, as with an agent's.
    gathers: bool,
    /// By ordinal.
    calls: BTreeMap<u64, Call>,
    /// What workers that are gone have said and the present one has not said again, and how often.
    past: BTreeMap<String, u64>,
    /// What the present one has said.
    present: BTreeMap<String, u64>,
    /// What the calls cost.
    usage: Amounts,
}

#[derive(Debug)]
struct Call {
    place: CallPlace,
    tool: String,
    args: Digest,
    started: i64,
    /// Its worker died after it had started and before it ended.
    doubtful: bool,
    end: Option<End>,
}

#[derive(Debug)]
struct End {
    content: Digest,
    answer: Result<Stored, ToolError>,
}

/// Where the result of a call is.
#[derive(Debug)]
struct Stored {
    result: Digest,
    meta: Value,
}

impl Journal {
    pub(super) fn new(scope: &Arc<RunScope>, node: NodeId, gathers: bool) -> Self {
        Self {
            scope: Arc::clone(scope),
            node,
            gathers,
            calls: BTreeMap::new(),
            past: BTreeMap::new(),
            present: BTreeMap::new(),
            usage: Amounts::ZERO,
        }
    }

    /// A worker appends a record. One that a dead worker had appended already is passed over.
    pub(super) fn append(&mut self, kind: EntryKind, core: &str, meta: &str) -> Result<(), ProtocolError> {
        if self.said_before(format!("{} {core}", kind.as_str())) {
            return Ok(());
        }
        let malformed = |reason: String| ProtocolError::Malformed {
            reason: format!("a `{}` record: {reason}", kind.as_str()),
            start: core.chars().take(80).collect(),
        };
        match kind {
            EntryKind::CallStarted => self.started(core).map_err(malformed)?,
            EntryKind::CallFinished => self.finished(core, meta).map_err(malformed)?,
            _ => {}
        }
        if self.scope.port.is_recording() {
            self.scope.port.append(kind, core.as_bytes(), meta.as_bytes());
        }
        Ok(())
    }

    /// A worker tells of an event. One that a dead worker had told of is passed over.
    pub(super) fn emit(&mut self, change: Change) {
        let told = match &change {
            Change::CallStarted { tool, .. } => self.said_before(format!("event started {tool}")),
            Change::CallFinished { tool, status, .. } => {
                self.said_before(format!("event finished {tool} {status}"))
            }
            _ => false,
        };
        if !told {
            self.scope.emit(change);
        }
    }

    /// Whether an earlier worker drew this already, so that it need not be drawn again.
    pub(super) fn drew_before(&mut self, amounts: &Amounts) -> bool {
        let what = drawing(amounts);
        self.past.get(&what).is_some_and(|left| *left > 0) && self.said_before(what)
    }

    /// A worker has drawn on the budget.
    pub(super) fn drew(&mut self, amounts: &Amounts) {
        *self.present.entry(drawing(amounts)).or_default() += 1;
        self.usage = self.usage.plus(amounts);
    }

    /// A worker has spent something. What a dead worker spent is not spent again.
    pub(super) fn spend(&mut self, firing: &Firing, amounts: &Amounts) {
        if !self.said_before(format!("spent {}", serde_json::json!(amounts))) {
            self.scope.port.spend(firing, amounts);
            self.usage = self.usage.plus(amounts);
        }
    }

    /// Notes what the present worker says; whether one before it has said so.
    fn said_before(&mut self, what: String) -> bool {
        let before = self.past.get_mut(&what).is_some_and(|left| {
            let is = *left > 0;
            *left -= u64::from(is);
            is
        });
        *self.present.entry(what).or_default() += 1;
        before
    }

    /// The present worker is gone; the next one begins the node anew.
    pub(super) fn worker_died(&mut self) {
        for (what, times) in std::mem::take(&mut self.present) {
            *self.past.entry(what).or_default() += times;
        }
        for call in self.calls.values_mut().filter(|call| call.end.is_none()) {
            let tool = self.scope.registry.tool(&call.tool);
            call.doubtful |= tool.is_none_or(|tool| tool.spec.effect == Effect::Write);
        }
    }

    /// The answer of a call that an earlier worker made.
    pub(super) fn answer(&self, key: &CallKey) -> Option<Answer> {
        let call = self.calls.values().find(|call| call.place.call_id == key.call_id)?;
        match &call.end {
            Some(end) => {
                let answer = end.answer.as_ref().map_err(ToolError::clone);
                Some(answer.and_then(|stored| self.result(stored)).into())
            }
            None if call.doubtful => Some(Answer::Error(in_doubt(&worker_gone()))),
            None => None,
        }
    }

    fn result(&self, stored: &Stored) -> Result<CallResult, ToolError> {
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        let bytes = self.scope.kept.get(&stored.result).map_err(|error| internal(error.to_string()))?;
        let mut result = read_result(&bytes)
            .ok_or_else(|| internal(format!("object {} is no result of a call", stored.result)))?;
        let member = |key: &str| stored.meta.get(key).cloned().unwrap_or_default();
        result.renderings = serde_json::from_value(member("renderings")).unwrap_or_default();
        result.sources = serde_json::from_value(member("sources")).unwrap_or_default();
        result.usage = serde_json::from_value(member("usage")).unwrap_or_default();
        Ok(result)
    }

    fn started(&mut self, core: &str) -> Result<(), String> {
        let core: Value = serde_json::from_str(core).map_err(|error| error.to_string())?;
        let (rev, attempt) = (number(&core, "rev").unwrap_or(0), number(&core, "attempt").unwrap_or(0));
        let ordinal = number(&core, "ordinal")?;
        let args = match core.get("args") {
            Some(args) => Digest::of(Domain::Object, &to_vec(args).map_err(|error| error.to_string())?),
            None => digest(&core, "args_object")?,
        };
        let call_id = digest(&core, "call_id")?;
        if self.calls.contains_key(&ordinal) {
            return Err(format!(
                "call {ordinal} of node `{}` is not the one that its first worker made; a node that is done again must ask for the same",
                self.node
            ));
        }
        let call = Call {
            place: CallPlace { node: self.node.clone(), rev, attempt, ordinal, call_id },
            tool: text(&core, "tool")?.to_owned(),
            args,
            started: self.scope.clock.now_nanos(),
            doubtful: false,
            end: None,
        };
        self.calls.insert(ordinal, call);
        Ok(())
    }

    fn finished(&mut self, core: &str, meta: &str) -> Result<(), String> {
        let parse = |text: &str| serde_json::from_str::<Value>(text).map_err(|error| error.to_string());
        let (core, meta) = (parse(core)?, parse(meta)?);
        let member = |key: &str| core.get(key).cloned().unwrap_or_default();
        let status: Status = serde_json::from_value(member("status")).map_err(|error| error.to_string())?;
        if status == Status::Late {
            return Ok(());
        }
        let ordinal = number(&core, "ordinal")?;
        let call = self.calls.get_mut(&ordinal).filter(|call| call.end.is_none());
        let call = call.ok_or_else(|| format!("call {ordinal} ends and never started, or ends twice"))?;
        let content = CallContent {
            tool: call.tool.clone(),
            args: call.args,
            status,
            outputs: serde_json::from_value(member("outputs")).map_err(|error| error.to_string())?,
            evidence: digest(&core, "evidence")?,
        };
        let answer = match core.get("error") {
            Some(error) => Err(serde_json::from_value(error.clone()).map_err(|error| error.to_string())?),
            None => Ok(Stored { result: digest(&core, "result")?, meta }),
        };
        call.end = Some(End { content: content.digest(), answer });
        Ok(())
    }

    /// Ends the calls that no worker will end any more.
    fn close(&mut self, error: &ToolError) {
        let Ok(evidence) = evidence_digest(&[]) else { return };
        for call in self.calls.values_mut().filter(|call| call.end.is_none()) {
            let tool = self.scope.registry.tool(&call.tool);
            let writes = tool.is_none_or(|tool| tool.spec.effect == Effect::Write);
            let error = if writes { in_doubt(error) } else { error.clone() };
            let content = CallContent {
                tool: call.tool.clone(),
                args: call.args,
                status: error.kind.status(),
                outputs: BTreeMap::new(),
                evidence,
            };
            let answer = Err(error.clone());
            let end = CallEnd {
                answer: &answer,
                content: &content,
                stored: None,
                attempts: 1,
                served: false,
                raw: Vec::new(),
                instruction_like: false,
                elapsed_ns: self.scope.clock.now_nanos().saturating_sub(call.started),
            };
            self.scope.record_call_end(&call.place, &end);
            call.end = Some(End { content: content.digest(), answer: Err(error) });
        }
    }

    /// The answer of a worker that did the node: its calls are those of the ledger.
    pub(super) fn done(&mut self, mut output: NodeOutput) -> NodeOutput {
        self.close(&ToolError::new(ToolErrorKind::Cancelled, "the node ended before the call did"));
        output.calls = self.digests();
        output
    }

    /// The answer of a node that no worker could do: what its finished calls gave is kept, as it would be here.
    pub(super) fn ended(&mut self, status: Status, error: ToolError) -> NodeOutput {
        self.close(&error);
        let mut output = NodeOutput::failed(status, error);
        if self.gathers {
            let finished = self.calls.values().filter_map(|call| {
                let stored = call.end.as_ref()?.answer.as_ref().ok()?;
                Some((call.tool.clone(), self.result(stored).ok()?))
            });
            gather(&mut output, finished.collect());
        }
        output.calls = self.digests();
        output.usage = self.usage;
        output
    }

    fn digests(&self) -> Vec<Digest> {
        let recording = self.scope.port.is_recording();
        // Without records no call has a digest, here as in the local executor.
        let content = |call: &Call| call.end.as_ref().filter(|_| recording).map(|end| end.content);
        self.calls
            .values()
            .map(|call| content(call).unwrap_or_else(|| Digest::of(Domain::Call, b"")))
            .collect()
    }
}

impl Drop for Journal {
    /// Whoever waited for the node is gone.
    fn drop(&mut self) {
        self.close(&ToolError::cancelled());
    }
}

fn drawing(amounts: &Amounts) -> String {
    format!("drew {}", serde_json::json!(amounts))
}

/// Why a call has no end.
fn worker_gone() -> ToolError {
    ToolError::new(ToolErrorKind::Internal, "its worker process ended during the call")
}
