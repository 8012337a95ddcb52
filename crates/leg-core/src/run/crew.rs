//! [`Crew`]: the workers that run the nodes of a layer. A task for each node would cost more than many a node does.
//!
//! A worker takes the next node until none is left. When a node has to wait, for a tool or for a model, its worker stays
//! with it and sends for another one to take its place: as many nodes wait side by side as may. Nodes that only wait for
//! their turn need no task of their own.
//!
//! A node that computes without a pause holds its worker and its thread. When a layer is not over after a moment, there
//! is a worker for each thread of the runtime. Before that, two threads that share a ledger and a list of events would
//! only stand in each other's way.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;
use std::vec::IntoIter;

use futures::future::poll_fn;
use tokio::runtime::Handle;
use tokio::task::JoinSet;
use tokio::task::coop::consume_budget;
use tokio::time::sleep;

use crate::Status;
use crate::graph::NodeIndex;
use crate::role::Part;
use crate::run::budgeting::Reserved;
use crate::run::run_node::{Firing, run_node};
use crate::run::state::RunState;
use crate::run::stop::Stop;

/// The nodes of a layer and who works on them.
pub(crate) struct Crew {
    state: Arc<RunState>,
    context: Arc<Vec<Part>>,
    stop: Stop,
    /// Whether a node that fails stops the others.
    fail_fast: bool,
    rest: Mutex<IntoIter<(NodeIndex, Reserved)>>,
    workers: Mutex<JoinSet<()>>,
}

/// How long one worker is enough.
const MOMENT: Duration = Duration::from_millis(1);

/// Whether a node waits for nothing but its turn.
#[derive(Debug, Default)]
pub(crate) struct Turn(AtomicBool);

impl Turn {
    /// The node waits for its turn from now on, or has got it.
    pub(crate) fn waits(&self, waits: bool) {
        self.0.store(waits, Ordering::Relaxed);
    }
}

/// Ends the work when the layer is given up: the workers hold the crew, and the crew holds them.
struct Working<'a>(&'a Arc<Crew>);

impl Drop for Working<'_> {
    fn drop(&mut self) {
        self.0.workers().abort_all();
    }
}

impl Crew {
    /// A crew for nodes in plan order, each with what it has reserved.
    pub(crate) fn new(
        state: &Arc<RunState>,
        context: &Arc<Vec<Part>>,
        stop: Stop,
        fail_fast: bool,
        nodes: Vec<(NodeIndex, Reserved)>,
    ) -> Arc<Self> {
        Arc::new(Self {
            state: Arc::clone(state),
            context: Arc::clone(context),
            stop,
            fail_fast,
            rest: Mutex::new(nodes.into_iter()),
            workers: Mutex::default(),
        })
    }

    /// Runs all nodes to their ends.
    pub(crate) async fn work(self: &Arc<Self>) {
        let _working = Working(self);
        self.hire();
        let threads = Handle::current().metrics().num_workers();
        if threads > 1 && self.rest().len() > 0 {
            tokio::select! {
                biased;
                () = self.ended() => return,
                () = sleep(MOMENT) => {
                    for _ in 1..threads.min(self.rest().len() + 1) {
                        self.hire();
                    }
                }
            }
        }
        self.ended().await;
    }

    /// Waits until no worker is left. One that sends for another does so before it ends: all nodes have ended then.
    async fn ended(&self) {
        poll_fn(|context| {
            let mut workers = self.workers();
            while let Poll::Ready(ended) = workers.poll_join_next(context) {
                if ended.is_none() {
                    return Poll::Ready(());
                }
            }
            Poll::Pending
        })
        .await;
    }

    fn hire(self: &Arc<Self>) {
        let crew = Arc::clone(self);
        self.workers().spawn(async move { crew.take_nodes().await });
    }

    /// Takes nodes until none is left, or until one had to wait.
    async fn take_nodes(self: &Arc<Self>) {
        let turn = Turn::default();
        loop {
            let Some((index, reserved)) = self.rest().next() else { return };
            let (context, stop) = (Arc::clone(&self.context), &self.stop);
            let firing = Firing { index, attempt: 0, context, reserved, stop, turn: Some(&turn) };
            let mut node = pin!(run_node(&self.state, firing));
            let mut replaced = false;
            poll_fn(|context| {
                let polled = node.as_mut().poll(context);
                if polled.is_pending() && !replaced && !turn.0.load(Ordering::Relaxed) {
                    replaced = true;
                    if self.rest().len() > 0 {
                        self.hire();
                    }
                }
                polled
            })
            .await;
            if self.fail_fast && !matches!(self.state.status(index), Status::Ok | Status::Skipped) {
                self.stop.stop(Status::Cancelled);
            }
            if replaced {
                return;
            }
            // Nodes that never wait must not keep everybody else from this thread.
            consume_budget().await;
        }
    }

    fn rest(&self) -> MutexGuard<'_, IntoIter<(NodeIndex, Reserved)>> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn workers(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use async_trait::async_trait;
    use serde_json::{Value, json};

    use crate::plan::{parse, validate};
    use crate::run::{Engine, Recording, Run, RunOptions, RunOutcome};
    use crate::{
        Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Approval, Desk, Registry, RunId, ToolError,
        compile,
    };

    use super::*;

    /// Ends when as many as it is for are there.
    #[derive(Debug)]
    enum Meeting {
        /// Waits as a task does.
        Waiting(tokio::sync::Barrier),
        /// Holds its thread.
        Blocking(std::sync::Barrier),
        /// Notes its task and goes on.
        Passing(Mutex<Vec<tokio::task::Id>>),
    }

    #[async_trait]
    impl Agent for Meeting {
        fn spec(&self) -> AgentSpec {
            AgentSpec::specialist(AgentId::new("meets").unwrap(), "meets the others")
        }

        async fn work(&self, _: AgentTask, _: &dyn Desk) -> Result<AgentAnswer, ToolError> {
            match self {
                Self::Waiting(barrier) => {
                    barrier.wait().await;
                }
                Self::Blocking(barrier) => {
                    barrier.wait();
                }
                Self::Passing(tasks) => tasks.lock().unwrap().push(tokio::task::id()),
            }
            Ok(AgentAnswer::default())
        }
    }

    /// A layer of so many agents.
    async fn layer(agent: Arc<Meeting>, nodes: usize, concurrency: usize) -> RunOutcome {
        let mut registry = Registry::default();
        registry.add_agent(agent).unwrap();
        let node = |n: usize| json!({"id": format!("n{n}"), "agent": "meets", "task": "meet"});
        let nodes: Vec<Value> = (0..nodes).map(node).collect();
        let plan =
            json!({"version": 1, "question": "?", "tracks": [{"id": "t", "layers": [{"nodes": nodes}]}]});
        let valid = validate(parse(&plan).unwrap(), &registry).unwrap();
        let graph = Arc::new(compile(&valid, &registry).unwrap());
        let approval = Approval::new(&graph, "test", "2026-01-01T00:00:00Z");
        let mut options = RunOptions::new(RunId::new("crew").unwrap());
        options.concurrency = concurrency;
        let engine = Engine::new(Arc::new(registry));
        Run::start(graph, &approval, &engine, Recording::Off, options).unwrap().finish().await
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn nodes_that_hold_their_threads_do_not_hold_up_each_other() {
        let agent = Arc::new(Meeting::Blocking(std::sync::Barrier::new(2)));
        assert!(layer(agent, 6, 16).await.status.is_ok());
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn as_many_nodes_wait_side_by_side_as_may() {
        for concurrency in [3, 12, 1000] {
            let agent = Arc::new(Meeting::Waiting(tokio::sync::Barrier::new(concurrency.min(12))));
            assert!(layer(agent, 12, concurrency).await.status.is_ok(), "{concurrency}");
        }
    }

    #[tokio::test]
    async fn nodes_that_need_not_wait_need_no_task_of_their_own() {
        let agent = Arc::new(Meeting::Passing(Mutex::default()));
        assert!(layer(Arc::clone(&agent), 50, 16).await.status.is_ok());
        let Meeting::Passing(tasks) = &*agent else { panic!() };
        let tasks = tasks.lock().unwrap();
        assert_eq!((tasks.len(), tasks.iter().collect::<HashSet<_>>().len()), (50, 1));
    }
}
