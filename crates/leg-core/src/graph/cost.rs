//! [`Cost`]: what a run of a graph may cost, as far as that is known before.

use std::collections::BTreeSet;
use std::fmt;

use petgraph::Direction;
use petgraph::graph::DiGraph;
use serde::Serialize;

use super::{Edge, GraphTrack, Node, NodeKind};
use crate::plan::{AgentStep, ForEach, Items, Step};
use crate::{NodeId, Purity, RegisteredTool, Registry};

/// What a run of a graph may cost, as far as that is known before: for the person who approves it.
///
/// It counts each call once; a call that is tried again after a transient error costs again. What consolidators,
/// merge, reporter and images ask of a model is not in it: the roles of the engine say nothing of it.
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let cost = graph.cost();
/// assert_eq!((cost.calls_at_least, cost.calls_at_most), (2, Some(2)));
/// assert!(cost.hosts.is_empty());
/// println!("{cost}");
/// ```
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
    /// Tool calls that it makes at most, if that is known: `None` as soon as an agent works that does not say what it
    /// expects.
    pub calls_at_most: Option<usize>,
    /// The nodes whose number of calls is not known before: agents, and fan-outs over results.
    pub open: Vec<NodeId>,
    /// Tokens that the agents expect their models to use at most, added up.
    pub model_tokens: u64,
    /// The agents that do not say how many tokens they expect.
    pub tokens_unknown: Vec<NodeId>,
    /// Bytes that tools expect to read at most from datasets and services, added up.
    pub bytes: u64,
    /// The nodes that may read from a dataset or a service and cannot tell how much.
    pub bytes_unknown: Vec<NodeId>,
    /// Hosts that its tools, and the tools of its agents, may contact.
    pub hosts: BTreeSet<String>,
}

impl fmt::Display for Cost {
    /// One line for a person who approves: `12 calls, 22 nodes in 6 layers, longest path 8, reads at most 4.0 MB, no
    /// hosts`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.calls_at_most {
            Some(most) if most == self.calls_at_least => write!(f, "{most} calls")?,
            Some(most) => write!(f, "{} to {most} calls", self.calls_at_least)?,
            None => write!(f, "at least {} calls", self.calls_at_least)?,
        }
        write!(f, ", {} nodes in {} layers, longest path {}", self.nodes, self.layers, self.critical_path)?;
        if self.model_tokens > 0 {
            write!(f, ", at most {} model tokens", self.model_tokens)?;
        }
        if !self.tokens_unknown.is_empty() {
            write!(f, ", model tokens of {} unknown", Few(&self.tokens_unknown))?;
        }
        if self.bytes > 0 {
            write!(f, ", reads at most {}", Bytes(self.bytes))?;
        }
        if !self.bytes_unknown.is_empty() {
            write!(f, ", bytes read by {} unknown", Few(&self.bytes_unknown))?;
        }
        if self.hosts.is_empty() {
            return f.write_str(", no hosts");
        }
        let hosts: Vec<&str> = self.hosts.iter().map(String::as_str).collect();
        write!(f, ", may contact {}", hosts.join(", "))
    }
}

/// The first few of some nodes, so that a line stays a line.
struct Few<'a>(&'a [NodeId]);

impl fmt::Display for Few<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 3;
        let names: Vec<String> = self.0.iter().take(SHOWN).map(|id| format!("`{id}`")).collect();
        f.write_str(&names.join(", "))?;
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// A number of bytes with one decimal, in powers of 1000.
struct Bytes(u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut amount, mut unit) = (self.0 as f64, "B");
        for larger in ["kB", "MB", "GB", "TB"] {
            if amount < 1000.0 {
                break;
            }
            (amount, unit) = (amount / 1000.0, larger);
        }
        if unit == "B" { write!(f, "{} B", self.0) } else { write!(f, "{amount:.1} {unit}") }
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
            match &node.kind {
                NodeKind::Agent(agent) => cost.add_agent(&node.id, agent, registry),
                NodeKind::Tool(step) => cost.add_step(&node.id, step, registry),
                _ => {}
            }
        }
        cost
    }

    fn add_agent(&mut self, id: &NodeId, agent: &AgentStep, registry: &Registry) {
        let spec = registry.agent(agent.agent.as_str()).map(|agent| &agent.spec);
        self.open.push(id.clone());
        if let Some(expected) = spec.and_then(|spec| spec.expects) {
            let calls = usize::try_from(expected.calls).unwrap_or(usize::MAX);
            self.calls_at_least += calls.min(1);
            self.calls_at_most = self.calls_at_most.map(|sum| sum.saturating_add(calls));
            self.model_tokens = self.model_tokens.saturating_add(expected.tokens);
        } else {
            self.calls_at_least += 1;
            self.calls_at_most = None;
            self.tokens_unknown.push(id.clone());
        }
        let tools = spec.map(|spec| spec.tools.as_slice()).unwrap_or_default();
        let tools: Vec<&RegisteredTool> =
            tools.iter().filter_map(|tool| registry.tool(tool.as_str())).collect();
        // An agent decides itself what it asks for, so that its tools cannot tell before.
        if tools.iter().any(|tool| tool.spec.purity != Purity::Pure) {
            self.bytes_unknown.push(id.clone());
        }
        for tool in tools {
            self.add_hosts(tool);
        }
    }

    fn add_step(&mut self, id: &NodeId, step: &Step, registry: &Registry) {
        let (least, most) = step.for_each.as_ref().map_or((1, 1), fan_out);
        self.calls_at_least += least;
        self.calls_at_most = self.calls_at_most.map(|sum| sum.saturating_add(most));
        if least != most {
            self.open.push(id.clone());
        }
        let Some(tool) = registry.tool(step.tool.as_str()) else { return };
        self.add_hosts(tool);
        match tool.tool.estimate(&step.args) {
            Some(estimate) => {
                self.bytes = self.bytes.saturating_add(estimate.bytes.saturating_mul(most as u64));
            }
            // A pure tool reads nothing from outside.
            None if tool.spec.purity == Purity::Pure => {}
            None => self.bytes_unknown.push(id.clone()),
        }
    }

    fn add_hosts(&mut self, tool: &RegisteredTool) {
        for host in &tool.spec.hosts {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_is_known_and_what_is_not() {
        let ids = |names: &[&str]| names.iter().map(|name| NodeId::new(*name).unwrap()).collect::<Vec<_>>();
        let mut cost = Cost { nodes: 4, layers: 2, critical_path: 3, calls_at_least: 2, ..Cost::default() };
        cost.calls_at_most = Some(2);
        insta::assert_snapshot!(cost, @"2 calls, 4 nodes in 2 layers, longest path 3, no hosts");
        cost.calls_at_most = Some(12);
        cost.model_tokens = 4_000;
        cost.tokens_unknown = ids(&["storm"]);
        cost.bytes = 1_234_567;
        cost.bytes_unknown = ids(&["a", "b", "c", "d", "e"]);
        cost.hosts.insert("tides.example".to_owned());
        insta::assert_snapshot!(cost, @"2 to 12 calls, 4 nodes in 2 layers, longest path 3, at most 4000 model tokens, model tokens of `storm` unknown, reads at most 1.2 MB, bytes read by `a`, `b`, `c` and 2 more unknown, may contact tides.example");
    }

    #[test]
    fn bytes_have_a_unit() {
        for (bytes, text) in [(0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (u64::MAX, "18446744.1 TB")] {
            assert_eq!(Bytes(bytes).to_string(), text);
        }
    }
}
