//! [`Gate`]: the one place where a tool is called. It asks the allow-list, checks the definition and the arguments,
//! records the call before and after, and serves recorded answers.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument as _, Span};

use crate::canonical;
use crate::ledger::{CallContent, evidence_digest};
use crate::run::attempt::Attempt;
use crate::run::call_record::{CallEnd, CallPlace};
use crate::run::port::CallKey;
use crate::run::redacted;
use crate::run::renamed_for;
use crate::run::{Amounts, CallResult, Firing, Payload, Resource, RunScope, span};
use crate::tool::{RawResponses, is_instruction_like};
use crate::{
    AllowList, Digest, Domain, Effect, NodeId, RegisteredTool, Status, ToolError, ToolErrorKind, ToolOutput,
    TrackId,
};

/// Recorded answers, by call id.
///
/// ```
/// use leg_core::ToolError;
/// use leg_core::run::{Answers, CallKey, CallResult};
///
/// /// Knows nothing: every call is made.
/// #[derive(Debug)]
/// struct Forgetful;
///
/// impl Answers for Forgetful {
///     fn answer(&self, _: &CallKey) -> Option<Result<CallResult, ToolError>> {
///         None
///     }
/// }
/// ```
pub trait Answers: Send + Sync + Debug {
    /// The recorded answer of a call; `None` lets the tool answer.
    fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>>;

    /// What a call is taken to have given, now that the tool has answered.
    ///
    /// # Errors
    /// Those of the call.
    fn settle(&self, call: &CallKey, now: Result<CallResult, ToolError>) -> Result<CallResult, ToolError> {
        let _ = call;
        now
    }
}

/// A node's way to its tools.
///
/// A node has one; nobody else can make one. It refuses what the agent's list lacks:
///
/// ```
/// use leg_core::run::{Engine, Recording, Run, RunOptions};
/// use leg_core::{Approval, RunId, compile, plan};
/// use leg_testkit::FakeAgent;
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let burglar = FakeAgent::new("burglar")?.calling_unlisted("publish", json!({}));
/// # let mut registry = leg_testkit::fake_registry()?;
/// registry.add_agent(std::sync::Arc::new(burglar))?;
/// let plan = plan::parse(&json!({"version": 1, "question": "?", "tracks": [
///     {"id": "t", "layers": [{"nodes": [{"id": "thief", "agent": "burglar", "task": "publish it"}]}]}]})).unwrap();
/// let graph = compile(&plan::validate(plan, &registry).unwrap(), &registry)?;
/// let approval = Approval::new(&graph, "me", "2026-12-01T00:00:00Z");
/// let options = RunOptions::new(RunId::new("gate")?);
/// let run = Run::start(graph.into(), &approval, &Engine::new(registry.into()), Recording::Off, options)?;
/// let outcome = run.finish().await;
/// assert!(outcome.nodes[0].output.gaps[0].contains("publish"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Gate {
    pub(crate) scope: Arc<RunScope>,
    firing: Firing,
    track: Option<TrackId>,
    allow: AllowList,
    retries: u32,
    deadline: Instant,
    cancel: CancellationToken,
    pub(crate) state: Mutex<State>,
}

/// What the calls of a node leave together.
#[derive(Debug, Default)]
pub(crate) struct State {
    ordinal: u64,
    pub(crate) names: BTreeSet<String>,
    calls: Vec<Digest>,
    usage: Amounts,
}

/// A call on its way.
struct Call<'a> {
    tool: &'a RegisteredTool,
    place: CallPlace,
    args_digest: Digest,
    slot: usize,
    started: i64,
}

/// How a call was answered.
struct Answered {
    answer: Result<CallResult, ToolError>,
    attempts: u32,
    served: bool,
    raw: Vec<Digest>,
    instruction_like: bool,
}

impl Answered {
    /// An answer that no tool gave now.
    const fn without_a_call(answer: Result<CallResult, ToolError>, attempts: u32, served: bool) -> Self {
        Self { answer, attempts, served, raw: Vec::new(), instruction_like: false }
    }
}

impl Gate {
    /// A gate for one node.
    pub(crate) fn new(
        scope: Arc<RunScope>,
        firing: Firing,
        allow: AllowList,
        retries: u32,
        deadline: Instant,
        cancel: CancellationToken,
    ) -> Self {
        Self { scope, track: None, firing, allow, retries, deadline, cancel, state: Mutex::default() }
    }

    /// Names the node's track, for its spans.
    #[must_use]
    pub(crate) fn on_track(mut self, track: Option<TrackId>) -> Self {
        self.track = track;
        self
    }

    pub(crate) const fn node(&self) -> &NodeId {
        &self.firing.node
    }

    /// The signal that stops the node.
    pub(crate) const fn stop(&self) -> &CancellationToken {
        &self.cancel
    }

    /// The digests of all calls so far, in order, for the content root.
    pub(crate) fn calls(&self) -> Vec<Digest> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).calls.clone()
    }

    /// Calls a tool. Arguments of an agent are checked against the schema; those of a plan were.
    ///
    /// # Cancel safety
    /// When the future is dropped the call is stopped, and recorded as cancelled.
    ///
    /// # Errors
    /// The tool's error, or why it may not be called.
    pub async fn call(&self, name: &str, arguments: Value, check: bool) -> Result<CallResult, ToolError> {
        let known = self.scope.registry.tool(name).map(|tool| tool.spec.name.as_str());
        let span = span::call(known, &self.firing.node, self.track.as_ref());
        let answer = self.call_in(name, arguments, check, &span).instrument(span.clone()).await;
        let status = answer.as_ref().map_or_else(|error| error.kind.status(), |_| Status::Ok);
        span::end(&span, status, answer.as_ref().err());
        answer
    }

    async fn call_in(
        &self,
        name: &str,
        arguments: Value,
        check: bool,
        span: &Span,
    ) -> Result<CallResult, ToolError> {
        let tool = self.permitted(name)?;
        redacted::check_arguments(name, &arguments)?;
        if check {
            check_arguments(tool, &arguments)?;
        }
        let args = canonical::to_vec(&arguments)
            .map_err(|error| ToolError::invalid(format!("arguments of `{name}`: {error}")))?;
        self.draw(name).await?;
        let (ordinal, slot) = self.next_ordinal();
        let place = CallPlace::new(&self.firing, ordinal, name, &args);
        span::call_id(span, &place.call_id);
        let args_digest = Digest::of(Domain::Object, &args);
        self.scope.record_call_start(tool, &place, &args, &args_digest).await?;
        let started = self.scope.clock.now_nanos();
        let call = Call { tool, place, args_digest, slot, started };
        let mut open = OpenCall { gate: self, call: Some(call) };
        let answered = match &open.call {
            Some(call) => self.answered(call, arguments).await,
            None => return Err(ToolError::cancelled()),
        };
        match open.call.take() {
            Some(call) => self.end(&call, answered),
            None => Err(ToolError::cancelled()),
        }
    }

    /// The tool, if the node may call it and it is what was approved.
    fn permitted(&self, name: &str) -> Result<&RegisteredTool, ToolError> {
        if !self.allow.allows(name) {
            return Err(self.deny(name, "it is not on the node's list of tools"));
        }
        let Some(tool) = self.scope.registry.tool(name) else {
            return Err(self.deny(name, "it is not registered"));
        };
        if self.scope.approved.get(&tool.spec.name) != Some(&tool.definition) {
            return Err(self.deny(name, "its definition is not the approved one; approve the plan again"));
        }
        Ok(tool)
    }

    /// Takes one call from the budget.
    async fn draw(&self, name: &str) -> Result<(), ToolError> {
        let one = Amounts::default().with(Resource::Calls, 1.0);
        let drawn = self.scope.port.draw(&self.firing, &one).await;
        if let Err(error) = &drawn
            && error.kind == ToolErrorKind::BudgetExhausted
        {
            let made = self.state.lock().unwrap_or_else(PoisonError::into_inner).ordinal;
            self.scope.record_denied(&self.firing, name, Some(made), &error.message);
        }
        drawn?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.usage = state.usage.plus(&one);
        Ok(())
    }

    /// Counts what an answered call cost beside itself: the bytes of its sources, and what the tool says.
    fn spend(&self, result: &CallResult) {
        let bytes: u64 = result.sources.iter().map(|source| source.bytes).sum();
        let cost = result.usage.plus(&Amounts::default().with(Resource::Bytes, bytes as f64));
        if cost != Amounts::ZERO {
            self.scope.port.spend(&self.firing, &cost);
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.usage = state.usage.plus(&cost);
        }
    }

    /// What the calls so far cost.
    pub(crate) fn usage(&self) -> Amounts {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).usage
    }

    fn deny(&self, name: &str, why: &str) -> ToolError {
        self.scope.record_denied(&self.firing, name, None, why);
        let reason = format!("tool `{name}` may not be called by `{}`: {why}", self.firing.node);
        ToolError::new(ToolErrorKind::Denied, reason)
    }

    fn next_ordinal(&self) -> (u64, usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let ordinal = state.ordinal;
        state.ordinal += 1;
        // The slot keeps the order of starting, whatever the order of ending.
        let unknown =
            if self.scope.port.is_recording() { Digest::of(Domain::Call, b"") } else { Digest::NOTHING };
        state.calls.push(unknown);
        (ordinal, state.calls.len() - 1)
    }

    /// The recorded answer, or that of the tool.
    async fn answered(&self, call: &Call<'_>, arguments: Value) -> Answered {
        let key = CallKey {
            call_id: call.place.call_id,
            firing: self.firing.clone(),
            tool: call.tool.spec.name.clone(),
            definition: call.tool.definition,
            args: call.args_digest,
            writes: call.tool.spec.effect == Effect::Write,
        };
        if let Some(answer) = self.scope.port.answer(&key).await {
            // Evidence is named as if the tool had answered this node: the result may be that of another.
            let answer = answer.map(|result| {
                let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                renamed_for(self.node(), &call.tool.spec, &mut state.names, result)
            });
            return Answered::without_a_call(answer, 1, true);
        }
        let permits = if call.tool.spec.hosts.is_empty() {
            crate::run::HostPermits::default()
        } else {
            tokio::select! {
                biased;
                permits = self.scope.port.enter(&call.tool.spec.hosts) => permits,
                () = self.cancel.cancelled() => {
                    let answer = Err(ToolError::cancelled());
                    return Answered::without_a_call(answer, 0, false);
                }
            }
        };
        let raw = Arc::new(RawResponses::for_level(self.scope.payload));
        let (answer, attempts) = self.attempts(call, arguments, &raw).await;
        drop(permits);
        let instruction_like = match &answer {
            Ok(output) => output.is_instruction_like(),
            Err(error) => is_instruction_like(&error.message),
        };
        let answer = answer.and_then(|output| self.keep(call.tool, output));
        let answer = self.scope.port.settle(&key, answer).await;
        Answered { answer, attempts, served: false, raw: raw.take(), instruction_like }
    }

    /// Runs the tool, again after a transient error where that cannot do harm.
    async fn attempts(
        &self,
        call: &Call<'_>,
        arguments: Value,
        raw: &Arc<RawResponses>,
    ) -> (Result<ToolOutput, ToolError>, u32) {
        let writes = call.tool.spec.effect == Effect::Write;
        let retries = if writes { 0 } else { self.retries };
        let mut attempt = 0;
        loop {
            let work = Attempt {
                scope: &self.scope,
                place: &call.place,
                tool: call.tool,
                deadline: self.deadline,
                cancel: &self.cancel,
                raw: Arc::clone(raw),
            };
            let answer = work.run(arguments.clone()).await;
            attempt += 1;
            match answer {
                Err(error) if writes && leaves_doubt(error.kind) => return (Err(in_doubt(&error)), attempt),
                Err(error)
                    if error.kind.is_transient() && attempt <= retries && !self.cancel.is_cancelled() =>
                {
                    let pause = pause(&call.place.call_id, attempt);
                    if Instant::now() + pause >= self.deadline {
                        return (Err(error), attempt);
                    }
                    tokio::select! {
                        () = tokio::time::sleep(pause) => {}
                        () = self.cancel.cancelled() => return (Err(ToolError::cancelled()), attempt),
                    }
                }
                other => return (other, attempt),
            }
        }
    }

    fn end(&self, call: &Call<'_>, answered: Answered) -> Result<CallResult, ToolError> {
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        let Answered { answer, attempts, served, raw, instruction_like } = answered;
        let status = answer.as_ref().map_or_else(|error| error.kind.status(), |_| Status::Ok);
        if let Ok(result) = &answer {
            self.spend(result);
        }
        if self.scope.port.is_recording() {
            let empty = CallResult::default();
            let result = answer.as_ref().unwrap_or(&empty);
            let evidence = evidence_digest(&result.evidence).map_err(|error| internal(error.to_string()))?;
            let outputs =
                result.outputs.iter().map(|(name, summary)| (name.clone(), summary.digest)).collect();
            let tool = call.tool.spec.name.to_string();
            let content = CallContent { tool, args: call.args_digest, status, outputs, evidence };
            let stored = match &answer {
                Ok(result) => Some(self.store_result(result).map_err(|error| internal(error.to_string()))?),
                Err(_) => None,
            };
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(place) = state.calls.get_mut(call.slot) {
                *place = content.digest();
            }
            drop(state);
            let end = CallEnd {
                answer: &answer,
                content: &content,
                stored,
                attempts,
                served,
                raw,
                instruction_like,
                elapsed_ns: self.scope.clock.now_nanos().saturating_sub(call.started),
            };
            self.scope.record_call_end(&call.place, &end);
        } else {
            let elapsed = self.scope.clock.now_nanos().saturating_sub(call.started);
            self.scope.emit(crate::run::Change::CallFinished {
                node: self.firing.node.clone(),
                tool: call.tool.spec.name.to_string(),
                status,
                duration_ms: u64::try_from(elapsed / 1_000_000).unwrap_or(0),
            });
        }
        answer
    }
}

/// A call whose end is recorded even when its caller no longer waits for it.
struct OpenCall<'a> {
    gate: &'a Gate,
    call: Option<Call<'a>>,
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        if let Some(call) = self.call.take() {
            let answer = if call.tool.spec.effect == Effect::Write {
                Err(in_doubt(&ToolError::cancelled()))
            } else {
                Err(ToolError::cancelled())
            };
            // Nobody is there to hear the answer.
            let _ = self.gate.end(&call, Answered::without_a_call(answer, 1, false));
        }
    }
}

/// Whether a call that changes the world may have done so before this error.
const fn leaves_doubt(kind: ToolErrorKind) -> bool {
    matches!(kind, ToolErrorKind::Timeout | ToolErrorKind::Cancelled | ToolErrorKind::Internal)
}

pub(crate) fn in_doubt(error: &ToolError) -> ToolError {
    let message = format!(
        "nobody knows whether the call took effect ({error}); look, then decide: `leg resume` never repeats it by itself"
    );
    ToolError::new(ToolErrorKind::OutcomeUnknown, message)
}

/// Longer after each attempt, and not the same for all: half of it is spread by the call's own id.
fn pause(call_id: &Digest, attempt: u32) -> Duration {
    let whole = 200_u64 << (attempt - 1).min(6);
    let spread = call_id.as_bytes().get(attempt as usize % 32).map_or(0, |byte| u64::from(*byte));
    Duration::from_millis(whole / 2 + whole * spread / 512)
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

impl RawResponses {
    /// What a payload level keeps of raw responses.
    fn for_level(level: Payload) -> Self {
        match level {
            Payload::Minimal => Self::keeping(0),
            Payload::Standard => Self::keeping(1 << 20),
            Payload::Full => Self::keeping(usize::MAX),
        }
    }
}
