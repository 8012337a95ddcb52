//! What nodes reserve before their layer starts, in plan order.

use crate::graph::{Node, NodeIndex, NodeKind};
use crate::run::played::Allowed;
use crate::run::state::{RunState, limits};
use crate::run::{Amounts, Budget, Firing, Meter, Resource};
use crate::{NodeId, ToolError, ToolErrorKind};

/// A node's meter, or why it must not start; `None` when nothing limits it.
pub(crate) type Reserved = Option<Result<Meter, ToolError>>;

impl RunState {
    /// Reserves for the nodes of a layer, in plan order.
    pub(crate) fn reserve(&self, nodes: &[NodeIndex], attempt: u64) -> Vec<Reserved> {
        let reserve = |&index: &NodeIndex| self.reserve_node(self.graph.node(index)?, attempt);
        nodes.iter().map(reserve).collect()
    }

    /// What the record has of the reservation of a unit.
    fn reserved_before(&self, id: &NodeId, attempt: u64) -> Allowed {
        let firing = Firing { node: id.clone(), rev: self.rev, attempt };
        self.shared.recorded.as_ref().map_or(Allowed::Unknown, |recorded| recorded.start(&firing))
    }

    fn reserve_node(&self, node: &Node, attempt: u64) -> Reserved {
        let before = self.reserved_before(&node.id, attempt);
        match before {
            Allowed::Yes => return None,
            Allowed::No(error) => return Some(Err(error)),
            Allowed::Begun | Allowed::Unknown => {}
        }
        let own = limits(node).and_then(|limits| limits.budget.as_ref());
        if own.is_none() && self.shared.options.budget.is_unlimited() {
            return None;
        }
        // The plan was validated: a budget that cannot be read is not there.
        let budget = own.and_then(|own| Budget::from_plan(own).ok()).unwrap_or_default();
        if matches!(before, Allowed::Begun) {
            return Some(Ok(self.shared.meter.child(format!("node `{}`", node.id), &budget)));
        }
        let mut least = Amounts::default().with(Resource::Nodes, 1.0);
        if let NodeKind::Tool(step) = &node.kind {
            // A fan-out reserves for its items when it knows them.
            if step.for_each.is_none() {
                least = least.with(Resource::Calls, 1.0);
            }
        }
        Some(take(&self.shared.meter, &node.id, &budget, &budget.reservation(&least)))
    }

    /// Reserves for one item of a fan-out.
    pub(crate) fn reserve_item(
        &self,
        (id, attempt): (&NodeId, u64),
        least: &Amounts,
        step: Option<&Meter>,
    ) -> Reserved {
        let before = self.reserved_before(id, attempt);
        match before {
            Allowed::Yes => return None,
            Allowed::No(error) => return Some(Err(error)),
            Allowed::Begun | Allowed::Unknown => {}
        }
        if step.is_none() && self.shared.options.budget.is_unlimited() {
            return None;
        }
        if matches!(before, Allowed::Begun) {
            let meter = step.unwrap_or(&self.shared.meter);
            return Some(Ok(meter.child(format!("node `{id}`"), &Budget::default())));
        }
        Some(take(step.unwrap_or(&self.shared.meter), id, &Budget::default(), least))
    }
}

fn take(from: &Meter, id: &NodeId, budget: &Budget, amounts: &Amounts) -> Result<Meter, ToolError> {
    match from.reserve(amounts) {
        Ok(reservation) => Ok(reservation.into_meter(format!("node `{id}`"), budget)),
        Err(error) => Err(ToolError::new(ToolErrorKind::BudgetExhausted, error.to_string())),
    }
}
