//! [`Cost`]: what a run of a graph may cost, as far as that is known before.

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::DiGraph;
use serde::Serialize;

use super::{Edge, GraphTrack, Node, NodeKind};
use crate::plan::{ForEach, Items};
use crate::{NodeId, Registry};

/// What a run of a graph may cost, as far as that is known before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Cost {
    /// Agents, tools, images, consolidators, merge and reporter; barriers do nothing.
    pub nodes: usize,
    /// Layers of all tracks.
    pub layers: usize,
    /// The most nodes that must run one after the other, with strict barriers.
    pub critical_path: usize,
    /// Tool calls that the plan makes if every condition holds and every agent makes one; a fan-out over a result
    /// that is not there yet counts as none.
    pub calls_at_least: usize,
    /// Tool calls that it makes at most, if that is known: `None` as soon as an agent works, which decides itself.
    pub calls_at_most: Option<usize>,
    /// The nodes whose number of calls is not known before: agents, and fan-outs over results.
    pub open: Vec<NodeId>,
    /// Tokens that models are expected to use: 0, because no agent declares any yet.
    pub model_tokens: u64,
    /// Hosts that its tools, and the tools of its agents, may contact.
    pub hosts: BTreeSet<String>,
}

impl std::fmt::Display for Cost {
    /// One line for a person who approves: `12 calls, 22 nodes in 6 layers, longest path 8, no hosts`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.calls_at_most {
            Some(most) if most == self.calls_at_least => write!(f, "{most} calls")?,
            Some(most) => write!(f, "{} to {most} calls", self.calls_at_least)?,
            None => write!(f, "at least {} calls", self.calls_at_least)?,
        }
        write!(f, ", {} nodes in {} layers, longest path {}", self.nodes, self.layers, self.critical_path)?;
        if self.model_tokens > 0 {
            write!(f, ", about {} model tokens", self.model_tokens)?;
        }
        if self.hosts.is_empty() {
            return f.write_str(", no hosts");
        }
        let hosts: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
        write!(f, ", may contact {}", hosts.join(", "))
    }
}

impl Cost {
    /// Adds up a graph whose edges all go from a lower to a higher index.
    pub(super) fn of(graph: &DiGraph<Node, Edge>, tracks: &[GraphTrack], registry: &Registry) -> Self {
        let mut cost = Self {
            layers: tracks.iter().map(|track| track.layers.len()).sum(),
            calls_at_most: Some(0),
            ..Self::default()
        };
        let mut longest: Vec<usize> = Vec::with_capacity(graph.node_count());
        for index in graph.node_indices() {
            let Some(node) = graph.node_weight(index) else { continue };
            let own = usize::from(!matches!(node.kind, NodeKind::Barrier));
            let before = graph
                .neighbors_directed(index, Direction::Incoming)
                .filter_map(|source| longest.get(source.index()))
                .max();
            let length = before.copied().unwrap_or(0) + own;
            cost.critical_path = cost.critical_path.max(length);
            longest.push(length);
            cost.nodes += own;
            cost.add(node, registry);
        }
        cost
    }

    fn add(&mut self, node: &Node, registry: &Registry) {
        match &node.kind {
            NodeKind::Agent(agent) => {
                self.calls_at_least += 1;
                self.calls_at_most = None;
                self.open.push(node.id.clone());
                let tools = registry.agent(agent.agent.as_str()).map(|agent| agent.spec.tools.as_slice());
                for tool in tools.unwrap_or_default() {
                    self.add_hosts(tool.as_str(), registry);
                }
            }
            NodeKind::Tool(step) => {
                let (least, most) = step.for_each.as_ref().map_or((1, 1), fan_out);
                self.calls_at_least += least;
                self.calls_at_most = self.calls_at_most.map(|sum| sum.saturating_add(most));
                if least != most {
                    self.open.push(node.id.clone());
                }
                self.add_hosts(step.tool.as_str(), registry);
            }
            _ => {}
        }
    }

    fn add_hosts(&mut self, tool: &str, registry: &Registry) {
        for host in registry.tool(tool).into_iter().flat_map(|tool| &tool.spec.hosts) {
            if !self.hosts.contains(host) {
                self.hosts.insert(host.clone());
            }
        }
    }
}

/// The fewest and the most calls of a fan-out.
fn fan_out(for_each: &ForEach) -> (usize, usize) {
    match &for_each.items {
        Items::List(items) => {
            let count = items.len().min(for_each.max);
            (count, count)
        }
        Items::Reference(_) => (0, for_each.max),
    }
}
