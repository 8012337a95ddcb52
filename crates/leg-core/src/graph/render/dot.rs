//! A Graphviz digraph.

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
    writeln!(out, "digraph leg {{\n  label={};\n  node [shape=box];", quoted(&short(graph.question(), 100)))?;
    for (t, track) in graph.tracks().iter().enumerate() {
        write_track(graph, track, t, out)?;
    }
    for index in graph.merge().into_iter().chain([graph.reporter()]) {
        write_node(graph, index, "  ", out)?;
    }
    for edge in graph.graph().edge_references() {
        let (from, to) = (edge.source().index(), edge.target().index());
        match edge.weight() {
            Edge::Context => writeln!(out, "  n{from} -> n{to};")?,
            Edge::Artifact(reference) => {
                let label = quoted(&reference.to_string());
                writeln!(out, "  n{from} -> n{to} [style=dashed, label={label}];")?;
            }
        }
    }
    out.push_str("}\n");
    Ok(())
}

fn write_track(graph: &LayeredGraph, track: &GraphTrack, t: usize, out: &mut String) -> fmt::Result {
    // Its steps stand in the shared track, and an empty box says nothing.
    if track.layers.is_empty() {
        return Ok(());
    }
    let label = quoted(&title(track));
    writeln!(out, "  subgraph cluster_t{t} {{\n    label={label};")?;
    for (l, layer) in track.layers.iter().enumerate() {
        writeln!(out, "    subgraph cluster_t{t}l{l} {{\n      label=\"layer {}\";", l + 1)?;
        for index in layer.members().chain([layer.barrier]) {
            write_node(graph, index, "      ", out)?;
        }
        out.push_str("    }\n");
    }
    out.push_str("  }\n");
    Ok(())
}

fn write_node(graph: &LayeredGraph, index: NodeIndex, indent: &str, out: &mut String) -> fmt::Result {
    let Some(node) = graph.node(index) else { return Ok(()) };
    let label = match summary(node) {
        Some(text) => format!("{}\n{text}", node.id),
        None => node.id.to_string(),
    };
    let shape = match node.kind {
        NodeKind::Agent(_) => ", shape=ellipse",
        NodeKind::Barrier => ", shape=hexagon",
        NodeKind::Consolidator | NodeKind::CrossTrackMerge => ", shape=invtrapezium",
        NodeKind::Reporter => ", shape=note",
        NodeKind::Tool(_) | NodeKind::Image { .. } => "",
    };
    writeln!(out, "{indent}n{} [label={}{shape}];", index.index(), quoted(&label))
}

/// A DOT string: quotes and backslashes are escaped, a line feed becomes `\n`, other controls a space.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
