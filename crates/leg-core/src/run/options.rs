//! [`RunOptions`] and [`Recording`]: how a run is to be done and where it is written down.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::ledger::{MemoryLedger, RunFolder};
use crate::{Plan, RunId};

/// How a run is to be done.
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
    /// The plan as it was proposed: after repair, before routing. A replay compiles it again.
    pub proposal: Option<Proposal>,
    /// Facts for the log: datasets by name, versions, flags. No part of any comparison.
    pub facts: BTreeMap<String, Value>,
}

/// A plan with where it came from and what was mended in it.
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
    pub const fn new(id: RunId) -> Self {
        Self {
            id,
            concurrency: 16,
            node_timeout_s: 600.0,
            retries: 2,
            proposal: None,
            facts: BTreeMap::new(),
        }
    }
}

/// Where a run is written down.
#[derive(Debug, Default)]
pub enum Recording {
    /// Nowhere: nothing can be verified afterwards.
    #[default]
    Off,
    /// In memory.
    Memory(MemoryLedger),
    /// In a folder.
    Folder(RunFolder),
}
