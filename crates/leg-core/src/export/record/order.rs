//! The order of a run's nodes: track by track, layer by layer, then the merge and the reporter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::fields::{count, member, text};
use super::{NodeRecord, NodeRun, TrackRecord};
use crate::ObjectStore;
use crate::ledger::{Entry, EntryKind};
use crate::plan::{Plan, parse};

/// Tracks in plan order and nodes in graph order, as the ledger has them.
pub(super) fn arrange(
    entries: &[Entry],
    plan: &Plan,
    objects: &dyn ObjectStore,
    mut runs: BTreeMap<String, Vec<NodeRun>>,
) -> (Vec<TrackRecord>, Vec<NodeRecord>) {
    let finals: Vec<String> =
        last(entries, EntryKind::RunFinished).map(|entry| member(&entry.core, "finals")).unwrap_or_default();
    let shape = Shape::of(entries);
    let mut planned = BTreeMap::new();
    for known in plans(entries, objects).iter().chain([plan]) {
        planned.extend(NodeRecord::of_plan(known));
    }
    let mut tracks = Vec::new();
    let mut nodes: Vec<NodeRecord> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |id: &str, track: Option<&str>, layer: Option<u64>, nodes: &mut Vec<NodeRecord>| {
        let mut open = vec![(id.to_owned(), track.map(str::to_owned), layer)];
        while let Some((id, track, layer)) = open.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            let kind = || shape.roles.get(&id).map_or("node", String::as_str);
            let mut node = match (planned.get(&id), shape.parents.get(&id).and_then(|up| planned.get(up))) {
                (Some(known), _) => known.clone(),
                (None, Some(parent)) => parent.child(&id),
                (None, None) => NodeRecord::new(&id, kind()),
            };
            // What a fan-out was expanded to stands in its layer; a sub-graph has layers of its own.
            let children = shape.children.get(&id).into_iter().flatten();
            let children = children.map(|child| (child.clone(), track.clone(), layer));
            let inner = shape.inner.get(&id).into_iter().flatten().flat_map(|track| shape.members(track));
            let mut below: Vec<_> = children.chain(inner).collect();
            below.reverse();
            node.track = track;
            node.layer = layer;
            node.runs = runs.remove(&id).unwrap_or_default();
            nodes.push(node);
            open.append(&mut below);
        }
    };
    for id in shape.tracks.clone() {
        let planned = plan.tracks.iter().find(|track| track.id.as_str() == id);
        let layers: Vec<Vec<String>> = shape.layers_of(&id).map(|(_, ids)| ids.clone()).collect();
        for (at, ids) in layers.iter().enumerate() {
            for node in ids {
                add(node, Some(&id), Some(at as u64), &mut nodes);
            }
        }
        tracks.push(TrackRecord {
            goal: planned.map(|track| track.goal.clone()).unwrap_or_default(),
            result: planned.and_then(|track| track.result.as_ref()).map(ToString::to_string),
            id,
            layers,
        });
    }
    for id in &finals {
        add(id, None, None, &mut nodes);
    }
    for node in nodes.iter_mut().filter(|node| finals.contains(&node.id)) {
        let kind = if finals.last() == Some(&node.id) { "reporter" } else { "cross_track_merge" };
        kind.clone_into(&mut node.kind);
    }
    // What belongs to no layer that ended ran all the same, in an earlier revision of the plan.
    let rest: Vec<String> = entries
        .iter()
        .filter(|entry| entry.kind == EntryKind::NodeFinished)
        .map(|entry| text(entry, "node"))
        .collect();
    for id in &rest {
        add(id, None, None, &mut nodes);
    }
    (tracks, nodes)
}

/// What the ledger says of layers, roles and children; of several records the last one counts.
#[derive(Default)]
struct Shape {
    tracks: Vec<String>,
    layers: BTreeMap<(String, u64), Vec<String>>,
    roles: BTreeMap<String, String>,
    children: BTreeMap<String, Vec<String>>,
    /// The tracks of nodes that answered with a plan.
    inner: BTreeMap<String, Vec<String>>,
    parents: BTreeMap<String, String>,
}

impl Shape {
    fn of(entries: &[Entry]) -> Self {
        let mut shape = Self::default();
        for entry in entries {
            match entry.kind {
                EntryKind::LayerFinished => {
                    let place = (text(entry, "track"), count(entry, "layer"));
                    shape.layers.insert(place, member(&entry.core, "nodes"));
                }
                EntryKind::Merge => {
                    let role = match text(entry, "role").as_str() {
                        "merge" => "cross_track_merge".to_owned(),
                        other => other.to_owned(),
                    };
                    shape.roles.insert(text(entry, "node"), role);
                }
                EntryKind::NodeFinished | EntryKind::PlanRevision => {
                    let children: Vec<String> = member(&entry.core, "children");
                    for child in &children {
                        shape.parents.insert(child.clone(), text(entry, "node"));
                    }
                    if !children.is_empty() {
                        shape.children.insert(text(entry, "node"), children);
                    }
                    let inner: Vec<String> = member(&entry.core, "tracks");
                    if !inner.is_empty() {
                        shape.inner.insert(text(entry, "node"), inner);
                    }
                }
                EntryKind::RunFinished => shape.tracks = member(&entry.core, "tracks"),
                _ => {}
            }
        }
        shape
    }

    /// The layers of a track, in order.
    fn layers_of<'a>(&'a self, track: &'a str) -> impl Iterator<Item = (u64, &'a Vec<String>)> {
        let own = move |((of, _), _): &(&(String, u64), &Vec<String>)| of == track;
        self.layers.iter().filter(own).map(|((_, layer), ids)| (*layer, ids))
    }

    /// The nodes of a track with their places.
    fn members<'a>(
        &'a self,
        track: &'a str,
    ) -> impl Iterator<Item = (String, Option<String>, Option<u64>)> + 'a {
        let place = move |layer: u64, id: &String| (id.clone(), Some(track.to_owned()), Some(layer));
        self.layers_of(track).flat_map(move |(layer, ids)| ids.iter().map(move |id| place(layer, id)))
    }
}

/// All plans that nodes of the run stand in: what was approved, what agents answered with, what was mended.
fn plans(entries: &[Entry], objects: &dyn ObjectStore) -> Vec<Plan> {
    let of = |entry: &Entry| {
        let digest = match (entry.kind, entry.text("cause")) {
            (EntryKind::PlanApproved, _) => entry.digest("graph")?,
            (EntryKind::PlanRevision, Some("sub_graph" | "replan")) => entry.digest("plan")?,
            _ => return None,
        };
        let json: Value = serde_json::from_slice(&objects.get(&digest).ok()?).ok()?;
        parse(&json).ok()
    };
    entries.iter().filter_map(of).collect()
}

/// The last entry of a kind.
pub(super) fn last(entries: &[Entry], kind: EntryKind) -> Option<&Entry> {
    entries.iter().rev().find(|entry| entry.kind == kind)
}
