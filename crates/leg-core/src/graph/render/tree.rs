//! Every layer on a line, for a page.

use std::fmt::{self, Write as _};

use super::short;
use crate::graph::{GraphLayer, GraphTrack, LayeredGraph, NodeIndex};

/// Names of one layer that are shown.
const NAMES: usize = 6;
/// Layers of one track that are shown.
const LAYERS: usize = 12;

pub(super) fn render(graph: &LayeredGraph) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = write(graph, &mut out);
    out
}

fn write(graph: &LayeredGraph, out: &mut String) -> fmt::Result {
    writeln!(out, "{}", short(graph.question(), 78))?;
    for track in graph.tracks() {
        write_track(graph, track, out)?;
    }
    if let Some(merge) = graph.merge() {
        writeln!(out, "├─ {}", name(graph, merge))?;
    }
    writeln!(out, "└─ {}", name(graph, graph.reporter()))
}

fn write_track(graph: &LayeredGraph, track: &GraphTrack, out: &mut String) -> fmt::Result {
    let goal = if track.goal.is_empty() { String::new() } else { format!(": {}", short(&track.goal, 50)) };
    writeln!(out, "├─ {}{goal}", track.id)?;
    let shown = track.layers.len().min(LAYERS);
    for (at, layer) in track.layers.iter().take(shown).enumerate() {
        let branch = if at + 1 == track.layers.len() { "└─" } else { "├─" };
        writeln!(out, "│  {branch} {} {}", at + 1, layer_text(graph, layer))?;
    }
    if track.layers.len() > shown {
        writeln!(out, "│  └─ … {} more layers", track.layers.len() - shown)?;
    }
    Ok(())
}

fn layer_text(graph: &LayeredGraph, layer: &GraphLayer) -> String {
    let names: Vec<&str> = layer.nodes.iter().take(NAMES).map(|index| name(graph, *index)).collect();
    let mut text = names.join(" · ");
    if layer.nodes.len() > NAMES {
        let _ = write!(text, " · … {} more", layer.nodes.len() - NAMES);
    }
    match layer.images.len() {
        0 => {}
        1 => text.push_str(" → image"),
        count => {
            let _ = write!(text, " → {count} images");
        }
    }
    if layer.consolidator.is_some() {
        text.push_str(" → consolidator");
    }
    text
}

fn name(graph: &LayeredGraph, index: NodeIndex) -> &str {
    graph.node(index).map_or("", |node| node.id.as_str())
}
