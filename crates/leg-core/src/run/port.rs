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
///
/// ```
/// use leg_core::run::{CallKey, Firing};
/// use leg_core::{Digest, Domain};
///
/// let call = CallKey {
///     call_id: Digest::of(Domain::CallId, b"the first call of `sst`"),
///     firing: Firing { node: "sst".parse()?, rev: 0, attempt: 0 },
///     tool: "load".parse()?,
///     definition: Digest::of(Domain::Definition, b"the definition of `load`"),
///     args: Digest::of(Domain::Object, b"{}"),
///     writes: false,
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use leg_core::run::HostPermits;
///
/// let semaphore = std::sync::Arc::new(tokio::sync::Semaphore::new(1));
/// let permits = HostPermits::holding(std::sync::Arc::clone(&semaphore).try_acquire_owned().unwrap());
/// assert_eq!(semaphore.available_permits(), 0);
/// drop(permits);
/// assert_eq!(semaphore.available_permits(), 1);
/// ```
#[derive(Debug, Default)]
pub struct HostPermits(Option<Box<dyn Held>>);

/// Anything whose drop gives something back.
///
/// ```
/// use leg_core::run::{Held, HostPermits};
///
/// let held: Box<dyn Held> = Box::new("anything");
/// assert!(!HostPermits::holding(held).is_empty());
/// ```
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
///
/// The engine has one for each run; a process executor answers it over a pipe. Whoever lets nodes work elsewhere writes one.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::ToolError;
/// use leg_core::ledger::EntryKind;
/// use leg_core::run::{Amounts, CallKey, CallResult, Change, Firing, HostPermits, RunPort};
///
/// /// A run that keeps nothing, knows nothing and limits nothing.
/// #[derive(Debug)]
/// struct Free;
///
/// #[async_trait]
/// impl RunPort for Free {
///     fn is_recording(&self) -> bool {
///         false
///     }
///
///     fn append(&self, _: EntryKind, _: &[u8], _: &[u8]) {}
///
///     async fn sync(&self) {}
///
///     fn emit(&self, _: Change) {}
///
///     async fn answer(&self, _: &CallKey) -> Option<Result<CallResult, ToolError>> {
///         None
///     }
///
///     async fn draw(&self, _: &Firing, _: &Amounts) -> Result<(), ToolError> {
///         Ok(())
///     }
///
///     fn spend(&self, _: &Firing, _: &Amounts) {}
///
///     async fn enter(&self, _: &[String]) -> HostPermits {
///         HostPermits::default()
///     }
/// }
/// ```
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
