//! [`Gate`]: the one place where a tool is called. It asks the allow-list, checks the definition and the arguments,
//! records the call before and after, and serves recorded answers during a replay.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures::FutureExt as _;
use serde_json::Value;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::canonical::{self, Writer, settled};
use crate::ledger::{CallContent, EntryKind, evidence_digest};
use crate::run::event::Change;
use crate::run::{CallResult, RunScope, StoredRendering, span};
use crate::tool::Permit;
use crate::{
    AllowList, Digest, Domain, Effect, Evidence, EvidenceDraft, NodeId, ObjectStoreExt as _, Progress,
    RegisteredTool, Status, Summary, ToolContext, ToolError, ToolErrorKind, ToolOutput, TrackId,
};

/// Recorded answers, by call id.
pub trait Answers: Send + Sync + Debug {
    /// The recorded answer of a call; `None` lets the tool answer.
    fn answer(&self, call_id: &Digest) -> Option<Result<CallResult, ToolError>>;
}

/// A node's way to its tools.
#[derive(Debug)]
pub struct Gate {
    scope: Arc<RunScope>,
    node: NodeId,
    track: Option<TrackId>,
    allow: AllowList,
    retries: u32,
    deadline: Instant,
    cancel: CancellationToken,
    answers: Option<Arc<dyn Answers>>,
    state: Mutex<State>,
}

/// What the calls of a node leave together.
#[derive(Debug, Default)]
struct State {
    ordinal: u64,
    names: BTreeSet<String>,
    calls: Vec<Digest>,
}

/// Arguments of at most this many canonical bytes stand in the record itself.
const INLINE: usize = 512;

impl Gate {
    /// A gate for one node.
    pub(crate) fn new(
        scope: Arc<RunScope>,
        node: NodeId,
        allow: AllowList,
        retries: u32,
        deadline: Instant,
        cancel: CancellationToken,
        answers: Option<Arc<dyn Answers>>,
    ) -> Self {
        Self { scope, node, track: None, allow, retries, deadline, cancel, answers, state: Mutex::default() }
    }

    /// Names the node's track, for its spans.
    #[must_use]
    pub(crate) fn on_track(mut self, track: Option<TrackId>) -> Self {
        self.track = track;
        self
    }

    /// The digests of all calls so far, in order, for the content root.
    pub(crate) fn calls(&self) -> Vec<Digest> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).calls.clone()
    }

    /// Calls a tool. Arguments of an agent are checked against the schema; those of a plan were.
    ///
    /// # Errors
    /// The tool's error, or why it may not be called.
    pub async fn call(&self, name: &str, arguments: Value, check: bool) -> Result<CallResult, ToolError> {
        let known = self.scope.registry.tool(name).map(|tool| tool.spec.name.as_str());
        let span = span::call(known, &self.node, self.track.as_ref());
        let answer = self.permitted(name, arguments, check, &span).instrument(span.clone()).await;
        let status = answer.as_ref().map_or_else(|error| error.kind.status(), |_| Status::Ok);
        span::end(&span, status, answer.as_ref().err());
        answer
    }

    async fn permitted(
        &self,
        name: &str,
        arguments: Value,
        check: bool,
        span: &Span,
    ) -> Result<CallResult, ToolError> {
        if !self.allow.allows(name) {
            return Err(self.deny(name, "it is not on the node's list of tools"));
        }
        let Some(tool) = self.scope.registry.tool(name) else {
            return Err(self.deny(name, "it is not registered"));
        };
        if self.scope.approved.get(&tool.spec.name) != Some(&tool.definition) {
            return Err(self.deny(name, "its definition is not the approved one; approve the plan again"));
        }
        if check {
            check_arguments(tool, &arguments)?;
        }
        let args = canonical::to_vec(&arguments)
            .map_err(|error| ToolError::invalid(format!("arguments of `{name}`: {error}")))?;
        let (ordinal, slot) = self.next_ordinal();
        let call_id = call_id(&self.node, ordinal, name, &args);
        span::call_id(span, &call_id);
        let args_digest = Digest::of(Domain::Object, &args);
        self.record_start(tool, ordinal, &call_id, &args, &args_digest)?;
        let started = self.scope.clock.now_nanos();
        let answer = match self.answers.as_ref().and_then(|answers| answers.answer(&call_id)) {
            Some(recorded) => recorded,
            None => match self.attempts(tool, arguments, call_id).await {
                Ok(output) => self.keep(tool, output),
                Err(error) => Err(error),
            },
        };
        let elapsed = self.scope.clock.now_nanos().saturating_sub(started);
        self.record_end(tool, ordinal, slot, &call_id, args_digest, &answer, elapsed)?;
        answer
    }

    fn next_ordinal(&self) -> (u64, usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ordinal = state.ordinal;
        state.ordinal += 1;
        // The slot keeps the order of starting, whatever the order of ending.
        state.calls.push(Digest::of(Domain::Call, b""));
        (ordinal, state.calls.len() - 1)
    }

    fn deny(&self, name: &str, why: &str) -> ToolError {
        let reason = format!("tool `{name}` may not be called by `{}`: {why}", self.node);
        self.scope.record(
            EntryKind::Denied,
            |core| {
                core.key("node").str(self.node.as_str());
                core.key("reason").str(why);
                core.key("tool").str(name);
                Ok(())
            },
            |_| Ok(()),
        );
        ToolError::new(ToolErrorKind::Denied, reason)
    }

    /// Runs the tool, again after a transient error where that cannot do harm.
    async fn attempts(
        &self,
        tool: &RegisteredTool,
        arguments: Value,
        call_id: Digest,
    ) -> Result<ToolOutput, ToolError> {
        let retries = if tool.spec.effect == Effect::Write { 0 } else { self.retries };
        let mut attempt = 0;
        loop {
            let answer = self.attempt(tool, arguments.clone(), call_id).await;
            match answer {
                Err(error)
                    if error.kind.is_transient() && attempt < retries && !self.cancel.is_cancelled() =>
                {
                    let pause = Duration::from_millis(200 << attempt.min(6));
                    if Instant::now() + pause >= self.deadline {
                        return Err(error);
                    }
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        () = self.cancel.cancelled() => return Err(ToolError::cancelled()),
                    }
                    attempt += 1;
                }
                other => return other,
            }
        }
    }

    async fn attempt(
        &self,
        tool: &RegisteredTool,
        arguments: Value,
        call_id: Digest,
    ) -> Result<ToolOutput, ToolError> {
        let stop = self.cancel.child_token();
        // Work on other threads must also end when this future is dropped.
        let _guard = stop.clone().drop_guard();
        let progress = NodeProgress { scope: Arc::clone(&self.scope), node: self.node.clone() };
        let objects = Arc::clone(&self.scope.objects);
        let context =
            ToolContext::new(Permit::new(), call_id, objects, stop.clone(), Some(Arc::new(progress)));
        let work = AssertUnwindSafe(tool.tool.call(arguments, &context)).catch_unwind();
        let name = &tool.spec.name;
        tokio::select! {
            biased;
            ended = timeout_at(self.deadline, work) => match ended {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => Err(ToolError::new(ToolErrorKind::Internal, format!("tool `{name}` panicked; please report it with the plan"))),
                Err(_) => Err(ToolError::new(ToolErrorKind::Timeout, format!("tool `{name}` did not end in time; raise `timeout_s` or ask for less"))),
            },
            () = stop.cancelled() => Err(ToolError::cancelled()),
        }
    }

    /// Stores what the tool gave and turns it into digests.
    fn keep(&self, tool: &RegisteredTool, output: ToolOutput) -> Result<CallResult, ToolError> {
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        let mut result = CallResult { notes: output.notes, sources: output.sources, ..CallResult::default() };
        for (name, artifact) in &output.artifacts {
            let known = tool.spec.find_output(name);
            if known.is_none_or(|declared| !declared.port.accepts(artifact.kind)) {
                let tool = &tool.spec.name;
                return Err(internal(format!(
                    "tool `{tool}` returned `{name}` ({}), which it does not declare",
                    artifact.kind
                )));
            }
            let summary =
                self.scope.objects.put_artifact(artifact).map_err(|error| internal(error.to_string()))?;
            result.outputs.insert(name.clone(), summary);
        }
        for rendering in output.renderings {
            let digest =
                self.scope.objects.put(&rendering.bytes).map_err(|error| internal(error.to_string()))?;
            result.renderings.push(StoredRendering {
                name: rendering.name,
                media_type: rendering.media_type,
                digest,
            });
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for draft in output.evidence {
            let name = free_name(&mut state.names, &draft.name);
            let of = draft.output.as_deref().unwrap_or_else(|| tool.spec.primary());
            let artifact = result.outputs.get(of).map(|summary: &Summary| summary.digest);
            result.evidence.push(evidence(&self.node, name, draft, artifact));
        }
        Ok(result)
    }

    fn record_start(
        &self,
        tool: &RegisteredTool,
        ordinal: u64,
        call_id: &Digest,
        args: &[u8],
        args_digest: &Digest,
    ) -> Result<(), ToolError> {
        let name = tool.spec.name.as_str();
        if self.scope.ledger.is_some() {
            let inline = args.len() <= INLINE;
            if !inline {
                self.scope
                    .objects
                    .put(args)
                    .map_err(|error| ToolError::new(ToolErrorKind::Internal, error.to_string()))?;
            }
            self.scope.record(
                EntryKind::CallStarted,
                |core| {
                    if inline {
                        core.key("args").raw(args);
                    } else {
                        core.key("args_object").display(args_digest);
                    }
                    core.key("call_id").display(call_id);
                    core.key("definition").display(&tool.definition);
                    core.key("node").str(self.node.as_str());
                    core.key("ordinal").count(ordinal);
                    core.key("tool").str(name);
                    Ok(())
                },
                |_| Ok(()),
            );
            if tool.spec.effect == Effect::Write {
                self.scope.sync();
            }
        }
        self.scope.emit(Change::CallStarted { node: self.node.clone(), tool: name.to_owned() });
        Ok(())
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one record, used once")]
    fn record_end(
        &self,
        tool: &RegisteredTool,
        ordinal: u64,
        slot: usize,
        call_id: &Digest,
        args: Digest,
        answer: &Result<CallResult, ToolError>,
        elapsed: i64,
    ) -> Result<(), ToolError> {
        let name = tool.spec.name.as_str();
        let status = answer.as_ref().map_or_else(|error| error.kind.status(), |_| Status::Ok);
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        if self.scope.ledger.is_some() {
            let empty = CallResult::default();
            let result = answer.as_ref().unwrap_or(&empty);
            let evidence = evidence_digest(&result.evidence).map_err(|error| internal(error.to_string()))?;
            let outputs =
                result.outputs.iter().map(|(name, summary)| (name.clone(), summary.digest)).collect();
            let content = CallContent { tool: name.to_owned(), args, status, outputs, evidence };
            let stored = match answer {
                Ok(result) => Some(self.store_result(result).map_err(|error| internal(error.to_string()))?),
                Err(_) => None,
            };
            if let Some(place) = self.state.lock().unwrap_or_else(PoisonError::into_inner).calls.get_mut(slot)
            {
                *place = content.digest();
            }
            self.scope.record(
                EntryKind::CallFinished,
                |core| {
                    core.key("call_id").display(call_id);
                    if let Err(error) = answer {
                        let mut object = core.key("error").object();
                        object.key("kind").str(error.kind.as_str());
                        object.key("message").str(&error.message);
                        object.end();
                    }
                    core.key("evidence").display(&content.evidence);
                    core.key("node").str(self.node.as_str());
                    core.key("ordinal").count(ordinal);
                    let mut object = core.key("outputs").object();
                    for (name, digest) in &content.outputs {
                        object.key(name).display(digest);
                    }
                    object.end();
                    if let Some(digest) = &stored {
                        core.key("result").display(digest);
                    }
                    core.key("status").str(status.as_str());
                    Ok(())
                },
                |meta| {
                    meta.key("duration_us").count(u64::try_from(elapsed / 1000).unwrap_or(0));
                    if !result.renderings.is_empty() {
                        meta.key("renderings").value(&serde_json::json!(result.renderings))?;
                    }
                    if !result.sources.is_empty() {
                        meta.key("sources").value(&serde_json::json!(result.sources))?;
                    }
                    Ok(())
                },
            );
        }
        let duration_ms = u64::try_from(elapsed / 1_000_000).unwrap_or(0);
        let tool = name.to_owned();
        self.scope.emit(Change::CallFinished { node: self.node.clone(), tool, status, duration_ms });
        Ok(())
    }

    /// Stores outputs, evidence and notes: the part of a result that a replay must give again.
    fn store_result(&self, result: &CallResult) -> Result<Digest, crate::StoreError> {
        let mut out = Writer::with_capacity(256);
        let mut object = out.object();
        object.key("evidence").value(result.evidence.as_slice())?;
        object.key("notes").array(&result.notes, |out, note| {
            out.str(note);
            Ok(())
        })?;
        object.key("outputs").value(&serde_json::json!(result.outputs))?;
        object.end();
        self.scope.objects.put(out.as_bytes())
    }
}

#[derive(Debug)]
struct NodeProgress {
    scope: Arc<RunScope>,
    node: NodeId,
}

impl Progress for NodeProgress {
    fn progress(&self, done: u64, total: u64) {
        self.scope.emit(Change::Progress { node: self.node.clone(), done, total });
    }
}

/// A call's identity: the same at every attempt and in every replay.
fn call_id(node: &NodeId, ordinal: u64, tool: &str, args: &[u8]) -> Digest {
    let mut out = Writer::with_capacity(args.len() + 96);
    let mut object = out.object();
    object.key("args").raw(args);
    object.key("node").str(node.as_str());
    object.key("ordinal").count(ordinal);
    object.key("tool").str(tool);
    object.end();
    Digest::of(Domain::CallId, out.as_bytes())
}

fn check_arguments(tool: &RegisteredTool, arguments: &Value) -> Result<(), ToolError> {
    let faults: Vec<String> = tool
        .validator()
        .iter_errors(arguments)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(ToolError::invalid(format!(
            "arguments of `{}` do not fit: {}",
            tool.spec.name,
            faults.join("; ")
        )))
    }
}

/// The name itself, or with the next number when an earlier call of the node has taken it.
fn free_name(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

fn evidence(node: &NodeId, name: String, draft: EvidenceDraft, artifact: Option<Digest>) -> Evidence {
    Evidence {
        id: None,
        key: format!("{node}.{name}"),
        name,
        value: settled(draft.value),
        unit: draft.unit,
        datum: draft.datum,
        when: draft.when,
        place: draft.place.map(settled),
        baseline: draft.baseline,
        uncertainty: draft.uncertainty.map(settled),
        n: draft.n,
        method: draft.method,
        artifact,
        pointer: draft.pointer,
    }
}
