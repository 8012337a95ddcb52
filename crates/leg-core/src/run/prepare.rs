//! Decides what a node will do, now that its inputs have ended.

use std::sync::Arc;

use serde_json::Value;

use crate::graph::{NodeIndex, NodeKind};
use crate::plan::{Condition, Step};
use crate::role::Part;
use crate::run::resolve::{holds, items_of, resolve, with_item};
use crate::run::state::RunState;
use crate::run::task::{NodeOutput, Work};
use crate::{NodeId, Status, ToolError};

/// What a node will do.
pub(crate) enum Prepared {
    /// This.
    Work(Work),
    /// One call for each item of a list.
    FanOut(Vec<Item>),
    /// Nothing, because its condition is false.
    Skip,
    /// Nothing, because of this.
    Fail(Status, ToolError),
}

/// One item of a fan-out.
pub(crate) struct Item {
    /// The item itself.
    pub(crate) value: Value,
    /// The call that it leads to, or why there is none.
    pub(crate) work: Result<Work, ToolError>,
}

impl RunState {
    /// Decides what a node will do.
    pub(crate) fn prepare(&self, index: NodeIndex, context: Arc<Vec<Part>>) -> Prepared {
        let Some(node) = self.graph.node(index) else { return Prepared::Skip };
        match &node.kind {
            NodeKind::Tool(step) if self.skips(step.when.as_ref()) => Prepared::Skip,
            NodeKind::Agent(step) if self.skips(step.when.as_ref()) => Prepared::Skip,
            NodeKind::Tool(step) if step.for_each.is_some() => self.fan_out(step),
            NodeKind::Tool(step) => match self.call(step, None) {
                Ok(work) => Prepared::Work(work),
                Err(error) => Prepared::Fail(Status::Skipped, error),
            },
            NodeKind::Agent(step) => Prepared::Work(Work::Agent {
                agent: step.agent.clone(),
                task: step.task.clone(),
                question: self.graph.question().to_owned(),
                context,
            }),
            _ => Prepared::Skip,
        }
    }

    fn look_up(&self, id: &NodeId) -> Option<Arc<NodeOutput>> {
        self.graph.find(id).and_then(|index| self.output(index))
    }

    fn skips(&self, when: Option<&Condition>) -> bool {
        when.is_some_and(|when| !holds(when, &|id| self.look_up(id), &|id| self.primary(id)))
    }

    /// The call of a step, or of one of its items.
    fn call(&self, step: &Step, item: Option<&Value>) -> Result<Work, ToolError> {
        let tool = self.shared.scope.registry.tool(step.tool.as_str());
        let required = tool.and_then(|tool| tool.spec.arguments.get("required")?.as_array());
        let required: Vec<&str> = required.into_iter().flatten().filter_map(|name| name.as_str()).collect();
        let own;
        let args = match item {
            Some(item) => {
                own = with_item(&step.args, item)?;
                &own
            }
            None => &step.args,
        };
        let args = resolve(args, &required, &|id| self.look_up(id), &|id| self.primary(id))?;
        Ok(Work::Tool { tool: step.tool.clone(), args })
    }

    fn fan_out(&self, step: &Step) -> Prepared {
        let Some(for_each) = &step.for_each else { return Prepared::Skip };
        let store = &*self.shared.scope.objects;
        let items = items_of(&for_each.items, store, &|id| self.look_up(id), &|id| self.primary(id));
        let items = match items {
            Ok(items) => items,
            Err(error) => return Prepared::Fail(Status::Skipped, error),
        };
        if items.len() > for_each.max {
            let message = format!(
                "`for_each` of `{}` has {} items, and `max` is {}; raise `max` or narrow the list",
                step.id,
                items.len(),
                for_each.max
            );
            return Prepared::Fail(Status::Failed, ToolError::invalid(message));
        }
        let item = |value: Value| Item { work: self.call(step, Some(&value)), value };
        Prepared::FanOut(items.into_iter().map(item).collect())
    }
}
