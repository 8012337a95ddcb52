//! [`RunPort`]: all that the work of a node needs from its run. A worker process answers it over a pipe, so that
//! records, limits and recorded answers stay in one place: the process that owns the run.

use std::fmt::Debug;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::ledger::EntryKind;
use crate::run::event::Change;
use crate::run::{Amounts, CallResult, Firing};
use crate::{Digest, ToolError, ToolName};

/// What a call is, as the run sees it before it is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallKey {
    /// The same at every attempt, in every resumed run and in every replay.
    pub call_id: Digest,
    /// The node that calls.
    pub firing: Firing,
    /// The tool.
    pub tool: ToolName,
    /// Digest of the tool's definition.
    pub definition: Digest,
    /// Digest of the canonical arguments; input artifacts are named in them.
    pub args: Digest,
    /// Whether the tool changes something each time that it is called.
    pub writes: bool,
}

/// Permits to contact hosts; dropping it gives them back.
#[derive(Debug, Default)]
pub struct HostPermits(Option<Box<dyn Held>>);

/// Anything whose drop gives something back.
pub trait Held: Send + Sync + Debug {}

impl<T: Send + Sync + Debug> Held for T {}

impl HostPermits {
    /// Holds `permits` until it is dropped.
    pub fn holding(permits: impl Held + 'static) -> Self {
        Self(Some(Box::new(permits)))
    }

    /// Whether anything is held.
    pub const fn is_empty(&self) -> bool {
        self.0.is_none()
    }
}

/// A node's way to its run: records, events, limits, recorded answers.
#[async_trait]
pub trait RunPort: Send + Sync + Debug {
    /// Whether records are kept; without, none need be written.
    fn is_recording(&self) -> bool;

    /// Appends a record. `core` and `meta` are canonical JSON objects. A ledger that cannot be written stops the run.
    fn append(&self, kind: EntryKind, core: &[u8], meta: &[u8]);

    /// Makes all records so far survive a loss of power.
    async fn sync(&self);

    /// Tells listeners.
    fn emit(&self, change: Change);

    /// The recorded answer of a call; `None` lets the tool answer.
    async fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>>;

    /// What a call is taken to have given, now that the tool has answered: only replays that make calls again look at
    /// it.
    ///
    /// # Errors
    /// Those of the call.
    async fn settle(
        &self,
        call: &CallKey,
        now: Result<CallResult, ToolError>,
    ) -> Result<CallResult, ToolError> {
        let _ = call;
        now
    }

    /// Takes from the node's budget, and from the run's, before something is done.
    ///
    /// # Errors
    /// [`ToolErrorKind::BudgetExhausted`](crate::ToolErrorKind::BudgetExhausted): it must not be done.
    async fn draw(&self, firing: &Firing, amounts: &Amounts) -> Result<(), ToolError>;

    /// Counts what something turned out to cost, even beyond a budget.
    fn spend(&self, firing: &Firing, amounts: &Amounts);

    /// Waits until the hosts may be contacted once more.
    async fn enter(&self, hosts: &[String]) -> HostPermits;
}
