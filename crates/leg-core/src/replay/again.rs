//! [`Again`]: recorded answers, but for the calls that a mode makes again; those are compared.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

use super::Mode;
use super::close::agree;
use crate::run::{Answers, CallKey, CallResult, Recorded};
use crate::{Digest, Effect, ObjectStore, Purity, Registry, ToolError};

/// A call that was to be made again and was answered from the record, with the reason; or one whose result differs.
///
/// ```
/// use leg_core::replay::{Mode, Replayer};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// # let (_, registry) = leg_testkit::small_graph();
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let outcome = Replayer::new(registry).with_mode(Mode::Recompute).replay(&folder).await?;
/// for remark in outcome.not_recomputed.iter().chain(&outcome.differences) {
///     println!("`{}`: {}", remark.tool, remark.reason);
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// The node.
    pub node: String,
    /// The tool.
    pub tool: String,
    /// Why, or what differs.
    pub reason: String,
    /// What was recorded, where it differs.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub recorded: Value,
    /// What it is now, where it differs.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub now: Value,
}

/// What was noticed while calls were made again.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    pub(crate) not_recomputed: Vec<Remark>,
    pub(crate) within_tolerance: Vec<Remark>,
    pub(crate) differences: Vec<Remark>,
}

/// Recorded answers, but for the calls that a mode makes again.
#[derive(Debug)]
pub(crate) struct Again {
    pub(crate) recorded: Arc<Recorded>,
    pub(crate) registry: Arc<Registry>,
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) mode: Mode,
    pub(crate) remarks: Mutex<Remarks>,
}

impl Again {
    /// Whether the mode makes this call again.
    fn is_made(&self, call: &CallKey) -> bool {
        let Some(spec) = self.registry.tool(call.tool.as_str()).map(|tool| &tool.spec) else { return false };
        match self.mode {
            Mode::Strict | Mode::Against => false,
            Mode::Recompute => spec.purity != Purity::External,
            Mode::Live => spec.purity != Purity::External || spec.effect == Effect::Read,
        }
    }

    fn purity(&self, call: &CallKey) -> Option<Purity> {
        self.registry.tool(call.tool.as_str()).map(|tool| tool.spec.purity)
    }

    /// What was noticed, in an order that does not depend on threads.
    pub(crate) fn take(&self) -> Remarks {
        let mut remarks = std::mem::take(&mut *self.remarks.lock().unwrap_or_else(PoisonError::into_inner));
        for list in [&mut remarks.not_recomputed, &mut remarks.within_tolerance, &mut remarks.differences] {
            list.sort_by(|a, b| (&a.node, &a.tool, &a.reason).cmp(&(&b.node, &b.tool, &b.reason)));
        }
        remarks
    }

    fn note(&self, put: impl FnOnce(&mut Remarks, Remark), call: &CallKey, reason: String) {
        let remark = Remark {
            node: call.firing.node.to_string(),
            tool: call.tool.to_string(),
            reason,
            recorded: Value::Null,
            now: Value::Null,
        };
        put(&mut self.remarks.lock().unwrap_or_else(PoisonError::into_inner), remark);
    }
}

impl Answers for Again {
    fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        let recorded = self.recorded.answer(call);
        // An error may have come from anywhere outside; only results are made again.
        match &recorded {
            Some(Ok(_)) if self.is_made(call) => None,
            _ => recorded,
        }
    }

    fn settle(&self, call: &CallKey, now: Result<CallResult, ToolError>) -> Result<CallResult, ToolError> {
        let Some(Ok(recorded)) = self.recorded.answer(call) else { return now };
        let outside = self.purity(call) != Some(Purity::Pure);
        let now = match now {
            Ok(now) => now,
            Err(error) if outside => {
                let reason = format!("it does not answer now: {error}");
                self.note(|remarks, remark| remarks.not_recomputed.push(remark), call, reason);
                return Ok(recorded);
            }
            Err(error) => return Err(error),
        };
        let digests = |result: &CallResult| -> Vec<Digest> {
            result.outputs.values().map(|summary| summary.digest).collect()
        };
        if digests(&now) == digests(&recorded) && now.evidence == recorded.evidence {
            return Ok(CallResult { renderings: recorded.renderings, ..now });
        }
        if agree(&recorded, &now, &*self.objects) {
            let reason = "the numbers differ in their last digits only".to_owned();
            self.note(|remarks, remark| remarks.within_tolerance.push(remark), call, reason);
            return Ok(recorded);
        }
        let read = |result: &CallResult| -> Vec<Digest> {
            result.sources.iter().map(|source| source.digest).collect()
        };
        if self.mode == Mode::Recompute && outside && read(&now) != read(&recorded) {
            let reason = "the data are not those that the run read".to_owned();
            self.note(|remarks, remark| remarks.not_recomputed.push(remark), call, reason);
            return Ok(recorded);
        }
        let remark = Remark {
            node: call.firing.node.to_string(),
            tool: call.tool.to_string(),
            reason: "the result is another one".to_owned(),
            recorded: serde_json::json!(recorded.evidence),
            now: serde_json::json!(now.evidence),
        };
        self.remarks.lock().unwrap_or_else(PoisonError::into_inner).differences.push(remark);
        Ok(now)
    }
}
