//! The graph that ran, drawn as SVG: a column a layer, a lane a track, the merge and the reporter at the end.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::calls::class;
use super::markup::{anchor, escape};
use crate::export::{NodeRecord, RunRecord};

const WIDTH: usize = 190;
const HEIGHT: usize = 44;
const ACROSS: usize = WIDTH + 50;
const DOWN: usize = HEIGHT + 16;
const LANE: usize = 34;

/// The drawing.
pub(super) fn graph(record: &RunRecord) -> String {
    let drawing = Drawing::of(record);
    let mut out = format!(
        "<div class=\"wide\"><svg viewBox=\"0 0 {w} {h}\" width=\"{w}\" height=\"{h}\" role=\"img\" \
         aria-label=\"The graph that ran\">\n<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
         markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>\n",
        w = drawing.width,
        h = drawing.height
    );
    for (name, top) in &drawing.lanes {
        let _ = writeln!(out, "<text class=\"lane\" x=\"8\" y=\"{}\">{}</text>", top + 20, escape(name));
    }
    for (from, to) in edges(record, &drawing) {
        let (Some(a), Some(b)) = (drawing.places.get(from), drawing.places.get(to)) else { continue };
        let (x1, y1, x2, y2) = (a.0 + WIDTH, a.1 + HEIGHT / 2, b.0, b.1 + HEIGHT / 2);
        let middle = usize::midpoint(x1, x2);
        let _ = writeln!(
            out,
            "<path class=\"edge\" d=\"M{x1} {y1}C{middle} {y1} {middle} {y2} {x2} {y2}\" marker-end=\"url(#arrow)\"/>"
        );
    }
    for node in &record.nodes {
        let Some((x, y)) = drawing.places.get(node.id.as_str()) else { continue };
        let under = node.worker.as_deref().unwrap_or(node.kind.as_str());
        let _ = writeln!(
            out,
            "<a href=\"#{place}\"><g class=\"node {class}\"><title>{id}: {status}</title>\
             <rect x=\"{x}\" y=\"{y}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\"/>\
             <text x=\"{tx}\" y=\"{y1}\">{shown}</text><text class=\"under\" x=\"{tx}\" y=\"{y2}\">{under}</text></g></a>",
            place = anchor("node", &node.id),
            class = class(node.status()),
            id = escape(&node.id),
            status = node.status(),
            tx = x + 10,
            y1 = y + 18,
            y2 = y + 35,
            shown = escape(&short(&node.id)),
            under = escape(&short(under)),
        );
    }
    out.push_str("</svg></div>\n");
    out
}

/// Where everything stands.
struct Drawing<'a> {
    places: BTreeMap<&'a str, (usize, usize)>,
    lanes: Vec<(&'a str, usize)>,
    width: usize,
    height: usize,
}

impl<'a> Drawing<'a> {
    fn of(record: &'a RunRecord) -> Self {
        let mut lanes: Vec<&str> = Vec::new();
        for track in record.nodes.iter().filter_map(|node| node.track.as_deref()) {
            if !lanes.contains(&track) {
                lanes.push(track);
            }
        }
        let mut drawing = Self { places: BTreeMap::new(), lanes: Vec::new(), width: 0, height: 8 };
        let mut last_column = 0;
        for lane in lanes {
            let members = || record.nodes.iter().filter(|node| node.track.as_deref() == Some(lane));
            let columns = columns(members());
            let top = drawing.height;
            drawing.lanes.push((lane, top));
            let mut rows: BTreeMap<usize, usize> = BTreeMap::new();
            for node in members() {
                let column = columns.get(node.id.as_str()).copied().unwrap_or(0);
                let row = rows.entry(column).or_default();
                drawing.places.insert(&node.id, (8 + column * ACROSS, top + LANE + *row * DOWN));
                *row += 1;
                last_column = last_column.max(column);
            }
            drawing.height = top + LANE + rows.values().max().copied().unwrap_or(0) * DOWN + 8;
        }
        let rest: Vec<&NodeRecord> = record.nodes.iter().filter(|node| is_final(node)).collect();
        let start = if drawing.lanes.is_empty() { 0 } else { last_column + 1 };
        let middle = (drawing.height / 2).saturating_sub(HEIGHT / 2).max(8);
        for (at, node) in rest.iter().enumerate() {
            drawing.places.insert(&node.id, (8 + (start + at) * ACROSS, middle));
        }
        drawing.width = 16 + (start + rest.len()) * ACROSS;
        drawing.height = drawing.height.max(middle + DOWN);
        drawing
    }
}

/// The column of each node of a track: its layer; pictures and the consolidator stand after the nodes of theirs.
fn columns<'a>(members: impl Iterator<Item = &'a NodeRecord>) -> BTreeMap<&'a str, usize> {
    let mut keys: Vec<(u64, bool)> = Vec::new();
    let members: Vec<&NodeRecord> = members.collect();
    let key = |node: &NodeRecord| (node.layer.unwrap_or(0), !matches!(node.kind.as_str(), "tool" | "agent"));
    keys.extend(members.iter().map(|node| key(node)));
    keys.sort_unstable();
    keys.dedup();
    let place = |node: &NodeRecord| keys.binary_search(&key(node)).unwrap_or(0);
    members.into_iter().map(|node| (node.id.as_str(), place(node))).collect()
}

/// From what a node used to the node; from a layer of agents to the next; from the ends of tracks to the merge.
fn edges<'a>(record: &'a RunRecord, drawing: &Drawing<'_>) -> Vec<(&'a str, &'a str)> {
    let mut edges = Vec::new();
    for node in &record.nodes {
        edges.extend(node.uses.iter().map(|used| (used.as_str(), node.id.as_str())));
    }
    let column = |node: &NodeRecord| drawing.places.get(node.id.as_str()).map_or(0, |place| place.0);
    for track in &record.tracks {
        let members: Vec<&NodeRecord> =
            record.nodes.iter().filter(|node| node.track.as_deref() == Some(track.id.as_str())).collect();
        let mut places: Vec<usize> = members.iter().map(|node| column(node)).collect();
        places.sort_unstable();
        places.dedup();
        for pair in places.windows(2) {
            let &[near, far] = pair else { continue };
            let at = |place: usize| members.iter().filter(move |node| column(node) == place);
            for to in at(far).filter(|node| node.kind != "tool") {
                edges.extend(at(near).map(|from| (from.id.as_str(), to.id.as_str())));
            }
        }
        let first_of_rest = record.nodes.iter().find(|node| is_final(node));
        if let (Some(last), Some(end)) = (places.last(), first_of_rest) {
            let ends = members.iter().filter(|node| column(node) == *last);
            edges.extend(ends.map(|from| (from.id.as_str(), end.id.as_str())));
        }
    }
    let rest: Vec<&str> =
        record.nodes.iter().filter(|node| is_final(node)).map(|node| node.id.as_str()).collect();
    for pair in rest.windows(2) {
        if let &[from, to] = pair {
            edges.push((from, to));
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The merge and the reporter. Other nodes without a track belong to a plan that was mended: they are told below, and
/// no part of the graph that ran in the end.
fn is_final(node: &NodeRecord) -> bool {
    node.track.is_none() && matches!(node.kind.as_str(), "cross_track_merge" | "reporter")
}

/// A name that fits its box; the whole one is in the tooltip and below.
fn short(name: &str) -> String {
    if name.chars().count() <= 24 {
        return name.to_owned();
    }
    name.chars().take(23).chain(['…']).collect()
}
