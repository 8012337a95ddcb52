//! [`RunShared`]: what all graphs of one run share: the approved one, its revisions, and sub-graphs.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::graph::LayeredGraph;
use crate::routing::Router;
use crate::run::executor::NodeExecutor;
use crate::run::hub::Hub;
use crate::run::recorded::Recorded;
use crate::run::stop::Stop;
use crate::run::{Meter, Overseer, Replanner, RunOptions, RunScope};

/// What all graphs of one run share.
#[derive(Debug)]
pub(crate) struct RunShared {
    pub(crate) scope: Arc<RunScope>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) executor: Arc<dyn NodeExecutor>,
    pub(crate) overseer: Option<Arc<dyn Overseer>>,
    pub(crate) replanner: Option<Arc<dyn Replanner>>,
    pub(crate) router: Arc<Router>,
    pub(crate) options: RunOptions,
    /// The graph that somebody approved; a repaired plan must stay inside it.
    pub(crate) approved: Arc<LayeredGraph>,
    /// Permits to work.
    pub(crate) slots: Semaphore,
    /// What the run may spend.
    pub(crate) meter: Meter,
    /// What an earlier session of the run, or the run that is replayed, has left.
    pub(crate) recorded: Option<Arc<Recorded>>,
    pub(crate) stop: Stop,
}

impl RunShared {
    /// Whether a recorded run is done again: then nothing but its record limits or stops it.
    pub(crate) fn replays(&self) -> bool {
        self.recorded.as_ref().is_some_and(|recorded| recorded.is_replay())
    }
}
