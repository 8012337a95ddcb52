//! [`Display`]: a graph as text, Mermaid, DOT or JSON.

mod dot;
mod indent;
mod json;
mod mermaid;
mod tree;

use serde_json::Value;

use super::{GraphTrack, LayeredGraph, Node, NodeKind};

/// Shows a [`LayeredGraph`].
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let display = graph.display();
/// assert!(display.mermaid().starts_with("flowchart TD"));
/// assert!(display.dot().starts_with("digraph"));
/// assert_eq!(display.to_json()["question"], "How warm was the water?");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Display<'a> {
    graph: &'a LayeredGraph,
}

impl<'a> Display<'a> {
    pub(super) const fn new(graph: &'a LayeredGraph) -> Self {
        Self { graph }
    }

    /// Every node on a line, indented by track and layer, with its inputs.
    pub fn indent(&self) -> String {
        indent::render(self.graph)
    }

    /// Every layer on a line, for a page; long layers and long tracks are cut and say so.
    pub fn tree(&self) -> String {
        tree::render(self.graph)
    }

    /// A Mermaid flowchart with a subgraph for each track and layer.
    pub fn mermaid(&self) -> String {
        mermaid::render(self.graph)
    }

    /// A Graphviz digraph with a cluster for each track and layer.
    pub fn dot(&self) -> String {
        dot::render(self.graph)
    }

    /// Tracks, nodes, edges, cost, definitions, rules and digest as one JSON document.
    pub fn to_json(&self) -> Value {
        json::render(self.graph)
    }
}

/// What a node does, in a few words; `None` for a barrier.
fn summary(node: &Node) -> Option<String> {
    match &node.kind {
        NodeKind::Agent(agent) => Some(format!("agent {}", agent.agent)),
        NodeKind::Tool(step) if step.for_each.is_some() => Some(format!("{} for each", step.tool)),
        NodeKind::Tool(step) => Some(step.tool.to_string()),
        NodeKind::Image { of } => Some(format!("image of {of}")),
        NodeKind::Consolidator => Some("consolidator".to_owned()),
        NodeKind::CrossTrackMerge => Some("cross-track merge".to_owned()),
        NodeKind::Reporter => Some("reporter".to_owned()),
        NodeKind::Barrier => None,
    }
}

/// The name of a track and its goal, if it has one.
fn title(track: &GraphTrack) -> String {
    if track.goal.is_empty() {
        track.id.to_string()
    } else {
        format!("{}: {}", track.id, short(&track.goal, 60))
    }
}

/// At most `limit` characters of a text on one line.
fn short(text: &str, limit: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= limit {
        return line;
    }
    let mut cut: String = line.chars().take(limit.saturating_sub(1)).collect();
    cut.push('…');
    cut
}
