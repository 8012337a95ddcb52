//! One node of a graph: waits for its inputs, looks at its condition, does its work, and tells those who wait.

use std::sync::Arc;

use futures::FutureExt as _;

use crate::graph::{Node, NodeIndex};
use crate::role::Part;
use crate::run::budgeting::Reserved;
use crate::run::crew::Turn;
use crate::run::prepare::Prepared;
use crate::run::state::RunState;
use crate::run::stop::Stop;
use crate::run::task::{NodeOutput, Work};
use crate::run::unit::{Done, Inner, Unit};
use crate::{Status, ToolError, ToolErrorKind};

/// What a node is fired with.
pub(crate) struct Firing<'a> {
    pub(crate) index: NodeIndex,
    pub(crate) attempt: u64,
    /// What earlier layers found.
    pub(crate) context: Arc<Vec<Part>>,
    pub(crate) reserved: Reserved,
    pub(crate) stop: &'a Stop,
    /// Where it says that it waits for its turn, if somebody wants to know.
    pub(crate) turn: Option<&'a Turn>,
}

/// Runs a node to its end.
pub(crate) async fn run_node(state: &Arc<RunState>, firing: Firing<'_>) {
    let index = firing.index;
    let attempt = firing.attempt;
    let Some(node) = state.graph.node(index) else { return };
    let work = std::panic::AssertUnwindSafe(end_of(state, node, firing)).catch_unwind();
    let done = work.await.unwrap_or_else(|_| {
        // Whatever happens inside a node, it ends with a status.
        let error = ToolError::new(
            ToolErrorKind::Internal,
            "the engine panicked at this node; please report it with the plan",
        );
        let output = NodeOutput::failed(Status::Failed, error);
        state.close(&Unit::of(node, attempt), output, Inner::default(), 0)
    });
    let output = &done.output;
    if !(output.inner_gaps.is_empty() && output.missing.is_empty()) {
        state.add_gaps(index, output.inner_gaps.iter().chain(&output.missing).cloned());
    }
    state.set(index, done);
}

async fn end_of(state: &Arc<RunState>, node: &Node, firing: Firing<'_>) -> Done {
    let Firing { index, attempt, context, reserved, stop, turn } = firing;
    // In a strict track they have ended; in a dataflow track this is what a node waits for.
    for (input, _) in state.graph.artifact_inputs(index) {
        state.wait(input).await;
    }
    let unit = Unit { turn, ..Unit::of(node, attempt) };
    let nothing = |output: NodeOutput| state.close(&unit, output, Inner::default(), 0);
    let meter = |reserved: Reserved| reserved.transpose();
    match state.prepare(index, context) {
        Prepared::Skip => nothing(NodeOutput::ended(Status::Skipped)),
        Prepared::Fail(status, error) => nothing(NodeOutput::failed(status, error)),
        Prepared::Work(work) => match meter(reserved) {
            Ok(meter) => state.run_unit(&unit, work, meter, stop).await,
            Err(error) => nothing(NodeOutput::failed(Status::BudgetExhausted, error)),
        },
        Prepared::FanOut(items) => match meter(reserved) {
            Ok(meter) => state.run_fan_out(index, node, items, (attempt, meter), stop).await,
            Err(error) => nothing(NodeOutput::failed(Status::BudgetExhausted, error)),
        },
    }
}

impl RunState {
    /// Does the work of a node that no plan asked for: a fold, the reporter. It draws on no budget, so that what was
    /// found can always be told.
    pub(crate) async fn run_role(self: &Arc<Self>, index: NodeIndex, work: Work, stop: &Stop) {
        let Some(node) = self.graph.node(index) else { return };
        let done = self.run_unit(&Unit::of(node, 0), work, None, stop).await;
        self.set(index, done);
    }
}
