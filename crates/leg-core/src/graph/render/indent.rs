//! Every node on a line.

use std::fmt::{self, Write as _};

use super::{short, summary};
use crate::graph::{GraphLayer, GraphTrack, LayeredGraph, NodeIndex, NodeKind};
use crate::plan::{Barriers, Policy};

pub(super) fn render(graph: &LayeredGraph) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(graph, &mut out);
    out
}

fn write(graph: &LayeredGraph, out: &mut String) -> fmt::Result {
    writeln!(out, "question: {}", short(graph.question(), 100))?;
    for track in graph.tracks() {
        write_track(graph, track, out)?;
    }
    if let Some(merge) = graph.merge() {
        write_node(graph, merge, "", out)?;
    }
    write_node(graph, graph.reporter(), "", out)
}

fn write_track(graph: &LayeredGraph, track: &GraphTrack, out: &mut String) -> fmt::Result {
    write!(out, "track {}", track.id)?;
    if track.shared {
        out.push_str(" (shared)");
    }
    if track.barriers == Barriers::Dataflow {
        out.push_str(" (dataflow)");
    }
    if !track.goal.is_empty() {
        write!(out, ": {}", short(&track.goal, 80))?;
    }
    out.push('\n');
    for (at, layer) in track.layers.iter().enumerate() {
        write_layer(graph, layer, at, out)?;
    }
    match &track.result {
        Some(result) => writeln!(out, "  result: {result}"),
        None => Ok(()),
    }
}

fn write_layer(graph: &LayeredGraph, layer: &GraphLayer, at: usize, out: &mut String) -> fmt::Result {
    let policy = if layer.policy == Policy::FailFast { " (fail fast)" } else { "" };
    writeln!(out, "  layer {}{policy}", at + 1)?;
    for index in layer.members() {
        write_node(graph, index, "    ", out)?;
    }
    Ok(())
}

fn write_node(graph: &LayeredGraph, index: NodeIndex, indent: &str, out: &mut String) -> fmt::Result {
    let Some(node) = graph.node(index) else { return Ok(()) };
    write!(out, "{indent}{}: {}", node.id, summary(node).unwrap_or_default())?;
    match &node.kind {
        NodeKind::Agent(agent) => {
            write!(out, " \"{}\"", short(&agent.task, 60))?;
            if let Some(when) = &agent.when {
                write!(out, " when {} {}", when.reference, when.op.as_str())?;
            }
        }
        NodeKind::Tool(step) => {
            let inputs = graph.artifact_inputs(index);
            if !inputs.is_empty() {
                let names: Vec<String> = inputs.iter().map(|(_, reference)| reference.to_string()).collect();
                write!(out, " ← {}", names.join(", "))?;
            }
            if let Some(when) = &step.when {
                write!(out, " when {} {}", when.reference, when.op.as_str())?;
            }
        }
        _ => {}
    }
    out.push('\n');
    Ok(())
}
