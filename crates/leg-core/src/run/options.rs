//! [`RunOptions`] and [`Recording`]: how a run is to be done and where it is written down.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::ledger::{LedgerStore, MemoryLedger, RunFolder};
use crate::run::{Budget, OverseerLimits};
use crate::{Digest, MemoryObjects, ObjectStore, Plan, RunId, StoreError};

/// How a run is to be done.
///
/// ```
/// use leg_core::RunId;
/// use leg_core::run::{Budget, Durability, Resource, RunOptions};
///
/// let mut options = RunOptions::new(RunId::new("storm-2022")?);
/// options.concurrency = 4;
/// options.run_timeout_s = Some(60.0);
/// options.budget = Budget::default().with(Resource::Calls, 100.0)?;
/// options.durability = Durability::Record;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// The run's id.
    pub id: RunId,
    /// The most nodes at a time.
    pub concurrency: usize,
    /// Seconds until a node is given up, when its step does not say.
    pub node_timeout_s: f64,
    /// How often a transient error is tried again, when the step does not say.
    pub retries: u32,
    /// Seconds until a layer is given up; unset is no limit.
    pub layer_timeout_s: Option<f64>,
    /// Seconds until the run is given up; unset is no limit.
    pub run_timeout_s: Option<f64>,
    /// The most calls at a time that may contact one host.
    pub per_host: usize,
    /// What the run may spend.
    pub budget: Budget,
    /// How often an overseer may fire nodes again.
    pub oversight: OverseerLimits,
    /// Limits of every call.
    pub calls: CallLimits,
    /// When records are made to survive a loss of power.
    pub durability: Durability,
    /// What is kept of what the run saw.
    pub payload: Payload,
    /// The plan as it was proposed: after repair, before routing. A replay compiles it again.
    pub proposal: Option<Proposal>,
    /// Facts for the log: datasets by name, versions, flags. No part of any comparison.
    pub facts: BTreeMap<String, Value>,
}

/// Limits of every call.
///
/// ```
/// use leg_core::run::CallLimits;
///
/// // A tool that tells its progress is given up after a minute of silence.
/// let limits = CallLimits { idle_s: Some(60.0), ..CallLimits::DEFAULT };
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CallLimits {
    /// Seconds without any progress after which a call is given up; unset is no limit. Only for tools that tell
    /// their progress: the engine cannot see inside the others.
    pub idle_s: Option<f64>,
    /// Seconds that a stopped call has to end by itself before it is dropped.
    pub grace_s: f64,
    /// Seconds between two signs of life of a call that goes on.
    pub heartbeat_s: f64,
}

impl CallLimits {
    /// No limit of idling, a second of grace, a sign of life every ten seconds.
    pub const DEFAULT: Self = Self { idle_s: None, grace_s: 1.0, heartbeat_s: 10.0 };
}

/// When records are made to survive a loss of power. The end of the process never loses any.
///
/// ```
/// use leg_core::run::Durability;
///
/// assert_eq!(Durability::default().as_str(), "barrier");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Durability {
    /// Never.
    None,
    /// At barriers, at the beginning and at the end.
    #[default]
    Barrier,
    /// After each record.
    Record,
}

impl Durability {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Barrier => "barrier",
            Self::Record => "record",
        }
    }
}

/// What is kept of what a run saw. All of it is hashed at every level.
///
/// ```
/// use leg_core::run::Payload;
///
/// assert_eq!(Payload::default(), Payload::Standard);
/// assert!(Payload::Minimal < Payload::Full);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Payload {
    /// Arguments, results and evidence; artifacts and pictures only as long as the run needs them.
    Minimal,
    /// And artifacts and pictures.
    #[default]
    Standard,
    /// And raw responses.
    Full,
}

impl Payload {
    /// Where artifacts and pictures go: to the kept objects, or to memory for as long as the run goes on.
    pub(crate) fn artifacts_in(self, kept: &Arc<dyn ObjectStore>) -> Arc<dyn ObjectStore> {
        match self {
            Self::Minimal => Arc::new(ForTheRun { kept: Arc::clone(kept), own: MemoryObjects::default() }),
            Self::Standard | Self::Full => Arc::clone(kept),
        }
    }

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Standard => "standard",
            Self::Full => "full",
        }
    }
}

/// A plan with where it came from and what was mended in it.
///
/// ```
/// use leg_core::RunId;
/// use leg_core::run::{Proposal, RunOptions};
///
/// # let plan = leg_testkit::small_plan();
/// let mut options = RunOptions::new(RunId::new("small")?);
/// // A replay compiles the plan as it was proposed.
/// options.proposal = Some(Proposal { plan, by: "rules planner".to_owned(), repairs: Vec::new() });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Proposal {
    /// The plan.
    pub plan: Plan,
    /// Who or what wrote it.
    pub by: String,
    /// What was mended in its text or values.
    pub repairs: Vec<Value>,
}

impl RunOptions {
    /// The usual options.
    pub fn new(id: RunId) -> Self {
        Self {
            id,
            concurrency: 16,
            node_timeout_s: 600.0,
            retries: 2,
            layer_timeout_s: None,
            run_timeout_s: None,
            per_host: 4,
            budget: Budget::default(),
            oversight: OverseerLimits::default(),
            calls: CallLimits::DEFAULT,
            durability: Durability::Barrier,
            payload: Payload::Standard,
            proposal: None,
            facts: BTreeMap::new(),
        }
    }

    /// The limits that a resumed run and a replay must have as well.
    pub(crate) fn limits_json(&self) -> Value {
        json!({
            "layer_timeout_s": self.layer_timeout_s,
            "node_timeout_s": self.node_timeout_s,
            "oversight": self.oversight,
            "retries": self.retries,
            "run_timeout_s": self.run_timeout_s,
        })
    }
}

/// Where a run is written down.
///
/// ```
/// use leg_core::ledger::MemoryLedger;
/// use leg_core::run::Recording;
///
/// let ledger = MemoryLedger::default();
/// let recording = Recording::Memory(ledger.clone());
/// // After the run, `ledger.bytes()` has its lines.
/// assert!(ledger.bytes().is_empty());
/// ```
#[derive(Debug, Default)]
pub enum Recording {
    /// Nowhere: nothing can be verified afterwards.
    #[default]
    Off,
    /// In memory.
    Memory(MemoryLedger),
    /// In a store of the embedder's.
    Store(Box<dyn LedgerStore>),
    /// In a folder.
    Folder(RunFolder),
}

/// Reads what is kept, and keeps new objects only as long as it lives itself.
#[derive(Debug)]
struct ForTheRun {
    kept: Arc<dyn ObjectStore>,
    own: MemoryObjects,
}

impl ObjectStore for ForTheRun {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        self.own.put(bytes)
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        self.own.get(digest).or_else(|_| self.kept.get(digest))
    }
}
