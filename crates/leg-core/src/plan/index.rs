//! Where each id of a plan stands, and what a reference to it finds.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use super::nearest::{list, nearest};
use super::ports::concrete_unit;
use super::{AgentStep, Body, Code, Diagnostic, Join, Part, Plan, Reference, Step};
use crate::{Kind, NodeId, Port, Registry, ToolSpec};

/// A node of a plan.
#[derive(Clone, Copy)]
pub(super) enum Node<'a> {
    /// A tool call; the specification is absent when the tool is not known.
    Step { position: usize, step: &'a Step, spec: Option<&'a ToolSpec> },
    /// An agent of a layer.
    Agent { layer: usize, node: &'a AgentStep },
}

/// Where each id stands.
pub(super) struct Index<'a> {
    tracks: Vec<BTreeMap<&'a str, Node<'a>>>,
    searches: Cell<usize>,
    /// The hints that list names, each written once: a plan that is wrong everywhere needs the same one everywhere.
    lists: RefCell<BTreeMap<(&'static str, usize), String>>,
}

/// For so many wrong names the nearest right one is looked for: a plan that is wrong everywhere stays cheap.
const SEARCHES: usize = 200;

/// What a reference gives.
pub(super) struct Produced {
    /// The kinds that it can have; empty when nothing is known.
    pub(super) kinds: Vec<Kind>,
    /// Its unit, if its tool states one.
    pub(super) unit: Option<String>,
}

impl<'a> Index<'a> {
    /// Reads the ids; one that stands twice is a fault at its later place, and the first one counts.
    pub(super) fn new(plan: &'a Plan, registry: &'a Registry, found: &mut Vec<Diagnostic>) -> Self {
        let mut seen = BTreeSet::new();
        let mut once = |id: &'a str, at: String| {
            let new = seen.insert(id);
            if !new {
                let message = format!("the id `{id}` stands twice in the plan");
                found.push(
                    Diagnostic::new(at, Code::DuplicateId, message)
                        .hint("ids of tracks, steps and nodes are unique in the plan"),
                );
            }
        };
        let mut tracks = Vec::with_capacity(plan.tracks.len());
        for (t, track) in plan.tracks.iter().enumerate() {
            once(track.id.as_str(), format!("/tracks/{t}/id"));
            let mut nodes: BTreeMap<&str, Node<'_>> = BTreeMap::new();
            match &track.body {
                Body::Steps(steps) => {
                    for (position, step) in steps.iter().enumerate() {
                        once(step.id.as_str(), format!("/tracks/{t}/steps/{position}/id"));
                        let spec = registry.tool(step.tool.as_str()).map(|tool| &tool.spec);
                        nodes.entry(step.id.as_str()).or_insert(Node::Step { position, step, spec });
                    }
                }
                Body::Layers(layers) => {
                    for (l, layer) in layers.iter().enumerate() {
                        for (n, node) in layer.nodes.iter().enumerate() {
                            once(node.id.as_str(), format!("/tracks/{t}/layers/{l}/nodes/{n}/id"));
                            nodes.entry(node.id.as_str()).or_insert(Node::Agent { layer: l, node });
                        }
                    }
                }
            }
            tracks.push(nodes);
        }
        Self { tracks, searches: Cell::new(0), lists: RefCell::default() }
    }

    /// The nearest name, as long as the plan is not wrong everywhere.
    pub(super) fn nearest<'n>(
        &self,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Option<&'n str> {
        let made = self.searches.get();
        self.searches.set(made + 1);
        if made < SEARCHES { nearest(name, names) } else { None }
    }

    /// The hint that lists the names of a track, or of something that all tracks have (track 0).
    pub(super) fn list<'n>(
        &self,
        names: impl IntoIterator<Item = &'n str>,
        what: &'static str,
        track: usize,
    ) -> String {
        self.lists.borrow_mut().entry((what, track)).or_insert_with(|| list(names, what)).clone()
    }

    /// Whether the track has a node of this id.
    pub(super) fn has(&self, track: usize, id: &str) -> bool {
        self.tracks.get(track).is_some_and(|nodes| nodes.contains_key(id))
    }

    /// The node of a track with this id, if there is one.
    pub(super) fn node(&self, track: usize, id: &NodeId) -> Option<Node<'a>> {
        self.tracks.get(track)?.get(id.as_str()).copied()
    }

    /// The node that a reference of a track names, or what is wrong with the reference.
    pub(super) fn find(&self, track: usize, id: &NodeId, at: &str) -> Result<Node<'a>, Diagnostic> {
        if let Some(node) = self.node(track, id) {
            return Ok(node);
        }
        let own = self.tracks.get(track);
        if self.tracks.iter().any(|nodes| nodes.contains_key(id.as_str())) {
            let message = format!("step `{id}` is in another track; a reference stays inside its track");
            return Err(Diagnostic::new(at, Code::CrossTrackReference, message)
                .hint("repeat the step in this track under another id; identical steps run once"));
        }
        let names = || own.into_iter().flat_map(|nodes| nodes.keys().copied());
        let base = id.as_str().split('[').next().unwrap_or_default();
        let hint = if base != id.as_str() && self.has(track, base) {
            format!("refer to `{base}`; it has the joined results of its items")
        } else if let Some(name) = self.nearest(id.as_str(), names()) {
            format!("did you mean `{name}`?")
        } else {
            self.list(names(), "ids in this track", track)
        };
        let message = format!("no step of this track is named `{id}`");
        Err(Diagnostic::new(at, Code::DanglingReference, message).hint(hint))
    }
}

impl Node<'_> {
    /// What a part of the node's result is.
    pub(super) fn produced(&self, reference: &Reference, at: &str) -> Result<Produced, Diagnostic> {
        let unknown = Produced { kinds: Vec::new(), unit: None };
        let spec = match (self, &reference.part) {
            (_, Part::Status) => return Ok(Produced { kinds: vec![Kind::Text], unit: None }),
            (Self::Step { spec: Some(spec), .. }, _) => spec,
            (Self::Step { spec: None, .. }, _)
            | (Self::Agent { .. }, Part::Primary | Part::Evidence { .. }) => {
                return Ok(unknown);
            }
            (Self::Agent { node, .. }, Part::Output(name)) => {
                let message = format!("agent `{}` has no output `{name}`", node.agent);
                return Err(Diagnostic::new(at, Code::UnknownOutput, message)
                    .hint(format!("write `{}` for what it says", reference.node)));
            }
        };
        let port = match &reference.part {
            Part::Primary => spec.outputs.first().map(|output| &output.port),
            Part::Output(name) => {
                Some(&spec.find_output(name).ok_or_else(|| no_output(spec, name, at))?.port)
            }
            Part::Evidence { name, field } => {
                if !spec.evidence.contains(name) {
                    return Err(no_evidence(spec, name, at));
                }
                let kind = if matches!(field.as_str(), "value" | "n") { Kind::Scalar } else { Kind::Text };
                return Ok(Produced { kinds: vec![kind], unit: None });
            }
            Part::Status => None,
        };
        if let Self::Step { step, .. } = self
            && step.for_each.as_ref().is_some_and(|for_each| for_each.join == Join::Table)
        {
            return Ok(Produced { kinds: vec![Kind::Table], unit: None });
        }
        Ok(port.map_or(unknown, |port: &Port| Produced {
            kinds: port.kinds(),
            unit: concrete_unit(spec, port).map(str::to_owned),
        }))
    }
}

fn no_output(spec: &ToolSpec, name: &str, at: &str) -> Diagnostic {
    let message = format!("tool `{}` has no output `{}`", spec.name, super::nearest::clip(name));
    let names = spec.outputs.iter().map(|output| output.name.as_str());
    Diagnostic::new(at, Code::UnknownOutput, message).hint(list(names, "outputs"))
}

fn no_evidence(spec: &ToolSpec, name: &str, at: &str) -> Diagnostic {
    let message = format!("tool `{}` gives no evidence `{}`", spec.name, super::nearest::clip(name));
    Diagnostic::new(at, Code::UnknownOutput, message)
        .hint(list(spec.evidence.iter().map(String::as_str), "evidence"))
}
