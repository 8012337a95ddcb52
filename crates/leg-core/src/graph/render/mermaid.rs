//! A Mermaid flowchart.

use std::fmt::{self, Write as _};

use petgraph::visit::EdgeRef as _;

use super::{short, summary, title};
use crate::graph::{Edge, GraphTrack, LayeredGraph, NodeIndex, NodeKind};

pub(super) fn render(graph: &LayeredGraph) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(graph, &mut out);
    out
}

fn write(graph: &LayeredGraph, out: &mut String) -> fmt::Result {
    out.push_str("flowchart TD\n");
    for (t, track) in graph.tracks().iter().enumerate() {
        write_track(graph, track, t, out)?;
    }
    for index in graph.merge().into_iter().chain([graph.reporter()]) {
        write_node(graph, index, "  ", out)?;
    }
    for edge in graph.graph().edge_references() {
        let (from, to) = (edge.source().index(), edge.target().index());
        match edge.weight() {
            Edge::Context => writeln!(out, "  n{from} --> n{to}")?,
            Edge::Artifact(reference) => {
                writeln!(out, "  n{from} -. \"{}\" .-> n{to}", escape(&reference.to_string()))?;
            }
        }
    }
    Ok(())
}

fn write_track(graph: &LayeredGraph, track: &GraphTrack, t: usize, out: &mut String) -> fmt::Result {
    // Its steps stand in the shared track, and an empty box says nothing.
    if track.layers.is_empty() {
        return Ok(());
    }
    writeln!(out, "  subgraph t{t}[\"{}\"]", escape(&title(track)))?;
    for (l, layer) in track.layers.iter().enumerate() {
        writeln!(out, "    subgraph t{t}l{l}[\"layer {}\"]", l + 1)?;
        for index in layer.members().chain([layer.barrier]) {
            write_node(graph, index, "      ", out)?;
        }
        out.push_str("    end\n");
    }
    out.push_str("  end\n");
    Ok(())
}

fn write_node(graph: &LayeredGraph, index: NodeIndex, indent: &str, out: &mut String) -> fmt::Result {
    let Some(node) = graph.node(index) else { return Ok(()) };
    let mut label = escape(node.id.as_str());
    if let Some(text) = summary(node) {
        let _ = write!(label, "<br/>{}", escape(&text));
    }
    if let NodeKind::Agent(agent) = &node.kind {
        let _ = write!(label, "<br/>{}", escape(&short(&agent.task, 60)));
    }
    let (open, close) = match node.kind {
        NodeKind::Agent(_) => ("([", "])"),
        NodeKind::Tool(_) => ("[", "]"),
        NodeKind::Barrier => ("{{", "}}"),
        NodeKind::Image { .. } => ("[/", "/]"),
        NodeKind::Consolidator | NodeKind::CrossTrackMerge => ("[\\", "/]"),
        NodeKind::Reporter => ("[[", "]]"),
    };
    writeln!(out, "{indent}n{}{open}\"{label}\"{close}", index.index())
}

/// Mermaid reads quotes, brackets, angles and its own keywords in labels; entity codes it shows as text.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '_' | '-' | ':' | ',' | '.' | '/' => out.push(c),
            c if c.is_control() => out.push(' '),
            c if c.is_ascii() => {
                let _ = write!(out, "#{};", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out
}
