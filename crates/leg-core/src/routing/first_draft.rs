//! From a plan to the draft that the rules start with.

use std::collections::BTreeMap;

use super::draft::layer_steps;
use super::{Draft, DraftLayer, DraftNode, DraftTrack, Form, Work};
use crate::plan::{AgentStep, Body, Code, Diagnostic, Layer, Plan, Step, Track};
use crate::{Registry, TrackId};

impl Draft {
    /// The draft of a plan: steps in the layers that follow from their references, agents in the plan's.
    ///
    /// A plan that was validated has one; this looks again at what the graph relies on (unique ids, known names,
    /// references that go back inside their track) and at nothing else.
    ///
    /// # Errors
    /// All [`Diagnostic`]s, with pointers into the plan.
    pub fn of_plan(plan: &Plan, registry: &Registry) -> Result<Self, Vec<Diagnostic>> {
        let mut check = Check { registry, tracks: BTreeMap::new(), faults: Vec::new() };
        check.collect_ids(plan);
        let tracks =
            plan.tracks.iter().enumerate().filter_map(|(at, track)| check.track(track, at)).collect();
        if plan.tracks.is_empty() {
            check.faults.push(
                Diagnostic::new("/tracks", Code::Empty, "the plan has no tracks")
                    .hint("add a track with a step"),
            );
        }
        if check.faults.is_empty() {
            Ok(Self {
                question: plan.question.clone(),
                tracks,
                merge: None,
                reporter: None,
                lifted: BTreeMap::new(),
            })
        } else {
            Err(check.faults)
        }
    }
}

struct Check<'a> {
    registry: &'a Registry,
    /// The track and the layer (0 for steps) of each node.
    tracks: BTreeMap<&'a str, (&'a TrackId, usize)>,
    faults: Vec<Diagnostic>,
}

impl<'a> Check<'a> {
    fn collect_ids(&mut self, plan: &'a Plan) {
        let mut track_ids = std::collections::BTreeSet::new();
        for (t, track) in plan.tracks.iter().enumerate() {
            if !track_ids.insert(&track.id) {
                self.fault(format!("/tracks/{t}/id"), Code::DuplicateId, "track", track.id.as_str());
            }
            match &track.body {
                Body::Steps(steps) => {
                    for (s, step) in steps.iter().enumerate() {
                        if self.tracks.insert(step.id.as_str(), (&track.id, 0)).is_some() {
                            let pointer = format!("/tracks/{t}/steps/{s}/id");
                            self.fault(pointer, Code::DuplicateId, "node", step.id.as_str());
                        }
                    }
                }
                Body::Layers(layers) => {
                    for (l, layer) in layers.iter().enumerate() {
                        for (n, node) in layer.nodes.iter().enumerate() {
                            if self.tracks.insert(node.id.as_str(), (&track.id, l)).is_some() {
                                let pointer = format!("/tracks/{t}/layers/{l}/nodes/{n}/id");
                                self.fault(pointer, Code::DuplicateId, "node", node.id.as_str());
                            }
                        }
                    }
                }
            }
        }
    }

    fn track(&mut self, track: &'a Track, at: usize) -> Option<DraftTrack> {
        let pointer = format!("/tracks/{at}");
        let (form, layers) = match &track.body {
            Body::Steps(steps) => (Form::Steps, self.steps(steps, track, &format!("{pointer}/steps"))?),
            Body::Layers(layers) => (Form::Layers, self.layers(layers, track, &format!("{pointer}/layers"))),
        };
        if layers.iter().all(|layer| layer.nodes.is_empty()) {
            let message = format!("track `{}` has nothing to do", track.id);
            self.faults.push(Diagnostic::new(pointer.as_str(), Code::Empty, message).hint("give it a step"));
        }
        if let Some(result) = &track.result {
            self.reference(result.node.as_str(), &track.id, None, &format!("{pointer}/result"));
        }
        Some(DraftTrack {
            id: track.id.clone(),
            goal: track.goal.clone(),
            barriers: track.barriers,
            form,
            shared: false,
            layers,
            result: track.result.clone(),
        })
    }

    fn steps(&mut self, steps: &'a [Step], track: &'a Track, pointer: &str) -> Option<Vec<DraftLayer>> {
        let mut nodes = Vec::with_capacity(steps.len());
        for (order, step) in steps.iter().enumerate() {
            if self.registry.tool(step.tool.as_str()).is_none() {
                self.fault(format!("{pointer}/{order}/tool"), Code::UnknownTool, "tool", step.tool.as_str());
            }
            let node = DraftNode { order, work: Work::Tool(step.clone()) };
            for target in node.references() {
                self.reference(target, &track.id, None, &format!("{pointer}/{order}"));
            }
            nodes.push(node);
        }
        match layer_steps(nodes) {
            Ok(layers) => Some(layers),
            Err(cycle) => {
                self.faults.push(Diagnostic::new(pointer, Code::Cycle, cycle.to_string()));
                None
            }
        }
    }

    fn layers(&mut self, layers: &'a [Layer], track: &'a Track, pointer: &str) -> Vec<DraftLayer> {
        let mut order = 0;
        let mut drafts = Vec::with_capacity(layers.len());
        for (l, layer) in layers.iter().enumerate() {
            let mut nodes = Vec::with_capacity(layer.nodes.len());
            for (n, node) in layer.nodes.iter().enumerate() {
                self.agent(node, &track.id, l, &format!("{pointer}/{l}/nodes/{n}"));
                nodes.push(DraftNode { order, work: Work::Agent(node.clone()) });
                order += 1;
            }
            // A layer without nodes asks for nothing.
            if !nodes.is_empty() {
                drafts.push(DraftLayer::of(layer.policy, nodes));
            }
        }
        drafts
    }

    fn agent(&mut self, node: &AgentStep, track: &TrackId, layer: usize, pointer: &str) {
        if self.registry.agent(node.agent.as_str()).is_none() {
            self.fault(format!("{pointer}/agent"), Code::UnknownAgent, "agent", node.agent.as_str());
        }
        if let Some(when) = &node.when {
            self.reference(when.reference.node.as_str(), track, Some(layer), &format!("{pointer}/when/ref"));
        }
    }

    /// A reference goes to a node of the same track and, among agents, of an earlier layer.
    fn reference(&mut self, target: &str, track: &TrackId, layer: Option<usize>, pointer: &str) {
        match self.tracks.get(target) {
            None => {
                let message = format!("`{target}` is referred to and is not in the plan");
                let hint = format!("refer to a node of track `{track}`");
                self.faults.push(Diagnostic::new(pointer, Code::DanglingReference, message).hint(hint));
            }
            Some((other, _)) if *other != track => {
                let message = format!("`{target}` is in track `{other}`, not in `{track}`");
                let hint = "put both nodes into one track; steps that are alike are computed once anyway";
                self.faults.push(Diagnostic::new(pointer, Code::CrossTrackReference, message).hint(hint));
            }
            Some((_, at)) if layer.is_some_and(|own| *at >= own) => {
                let message = format!("`{target}` does not work in an earlier layer");
                let hint = "put the node that looks at it into a later layer";
                self.faults.push(Diagnostic::new(pointer, Code::BadReference, message).hint(hint));
            }
            Some(_) => {}
        }
    }

    fn fault(&mut self, pointer: String, code: Code, what: &str, name: &str) {
        let (message, hint) = match code {
            Code::DuplicateId => (format!("{what} id `{name}` stands twice"), "rename one of them"),
            _ => (format!("no {what} has the name `{name}`"), "use a name that is registered"),
        };
        self.faults.push(Diagnostic::new(pointer, code, message).hint(hint));
    }
}
