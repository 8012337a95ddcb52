//! [`within_approval`]: whether a repaired plan may run under the approval of the plan that it mends.

use std::collections::BTreeSet;

use super::{Budget, Resource};
use crate::graph::{LayeredGraph, Node, NodeKind};
use crate::{Effect, Registry, canonical};

/// Whether a repaired plan may run without asking again: it does nothing that was not agreed to.
///
/// - Every tool and agent that it can reach is one of the approved ones, with the same definition.
/// - It contacts no other host.
/// - What can write is written in the approved plan to the letter: same tool and arguments, same agent and task.
/// - It makes no more calls, and uses no more tokens, than the approved plan or the run's budget allows; where that
///   is not known before, it has no more such nodes than the approved plan, or the budget limits calls.
///
/// ```
/// use leg_core::run::{Budget, within_approval};
///
/// # let (graph, registry) = leg_testkit::small_graph();
/// // The same plan does nothing new.
/// assert!(within_approval(&graph, &graph, &Budget::default(), &registry).is_ok());
/// ```
///
/// # Errors
/// Every reason why it must be approved by a person.
pub fn within_approval(
    approved: &LayeredGraph,
    repaired: &LayeredGraph,
    budget: &Budget,
    registry: &Registry,
) -> Result<(), Vec<String>> {
    let mut reasons = Vec::new();
    definitions(approved, repaired, &mut reasons);
    for host in repaired.cost().hosts.difference(&approved.cost().hosts) {
        reasons.push(format!("it may contact `{host}`, which the approved plan does not"));
    }
    writes(approved, repaired, registry, &mut reasons);
    cost(approved, repaired, budget, &mut reasons);
    if reasons.is_empty() { Ok(()) } else { Err(reasons) }
}

fn definitions(approved: &LayeredGraph, repaired: &LayeredGraph, reasons: &mut Vec<String>) {
    let (before, after) = (approved.definitions(), repaired.definitions());
    let mut check =
        |what: &str, name: &str, before: Option<&crate::Digest>, after: &crate::Digest| match before {
            None => reasons.push(format!("{what} `{name}` is not one of the approved plan's")),
            Some(before) if before != after => {
                reasons.push(format!("the definition of {what} `{name}` is not the one that was approved"));
            }
            Some(_) => {}
        };
    for (name, digest) in &after.tools {
        check("tool", name.as_str(), before.tools.get(name), digest);
    }
    for (id, digest) in &after.agents {
        check("agent", id.as_str(), before.agents.get(id), digest);
    }
}

/// A policy may repeat a look, never a deed: what writes must stand in the approved plan as it is.
fn writes(approved: &LayeredGraph, repaired: &LayeredGraph, registry: &Registry, reasons: &mut Vec<String>) {
    let known: BTreeSet<Vec<u8>> =
        approved.graph().node_weights().filter_map(|node| deed(node, registry)).collect();
    for node in repaired.graph().node_weights() {
        if deed(node, registry).is_some_and(|deed| !known.contains(&deed)) {
            reasons.push(format!("node `{}` can write, and is not in the approved plan like this", node.id));
        }
    }
}

/// What a node would do, if it can write.
fn deed(node: &Node, registry: &Registry) -> Option<Vec<u8>> {
    let writes = |tool: &str| registry.tool(tool).is_none_or(|tool| tool.spec.effect == Effect::Write);
    let (name, what) = match &node.kind {
        NodeKind::Tool(step) if writes(step.tool.as_str()) => {
            let fan_out = step.for_each.as_ref().and_then(|for_each| canonical::to_vec(for_each).ok());
            let args = canonical::to_vec(&step.args).ok()?;
            (step.tool.as_str(), [args, fan_out.unwrap_or_default()].join(&0))
        }
        NodeKind::Agent(step) => {
            let tools = registry.agent(step.agent.as_str()).map(|agent| agent.spec.tools.as_slice());
            let can_write = tools.is_none_or(|tools| tools.iter().any(|tool| writes(tool.as_str())));
            (step.agent.as_str(), can_write.then(|| step.task.clone().into_bytes())?)
        }
        _ => return None,
    };
    Some([node.kind.name().as_bytes(), name.as_bytes(), &what].join(&0))
}

fn cost(approved: &LayeredGraph, repaired: &LayeredGraph, budget: &Budget, reasons: &mut Vec<String>) {
    let (before, after) = (approved.cost(), repaired.cost());
    let within = |amount: f64, resource| budget.limit(resource).is_some_and(|limit| amount <= limit);
    match (before.calls_at_most, after.calls_at_most) {
        (Some(most), Some(calls)) if calls > most && !within(calls as f64, Resource::Calls) => {
            reasons.push(format!("it makes up to {calls} calls, and the approved plan up to {most}"));
        }
        (Some(most), None) if budget.limit(Resource::Calls).is_none() => {
            reasons.push(format!(
                "nobody knows how many calls it makes, and the approved plan makes up to {most}"
            ));
        }
        // Each such node may make any number of calls: their number was agreed to.
        (None, None) if after.open.len() > before.open.len() && budget.limit(Resource::Calls).is_none() => {
            reasons.push(format!(
                "the calls of {} nodes are not known before, and the approved plan has {} of these",
                after.open.len(),
                before.open.len()
            ));
        }
        _ => {}
    }
    let tokens = after.model_tokens;
    if tokens > before.model_tokens && !within(tokens as f64, Resource::Tokens) {
        let most = before.model_tokens;
        reasons.push(format!("it may use {tokens} model tokens, and the approved plan {most}"));
    }
}
