//! [`Draft`]: a graph in the making, which routing rules rewrite.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::canonical::{self, Canonical, CanonicalError, Writer};
use crate::graph::{CycleError, FreeIds, levels, referenced_nodes};
use crate::plan::{AgentStep, Barriers, Body, Layer, PLAN_VERSION, Plan, Policy, Reference, Step, Track};
use crate::{Digest, Domain, IdError, NodeId, TrackId};

/// A graph in the making.
///
/// ```
/// use leg_core::routing::Draft;
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let ids: Vec<&str> = draft.ids().map(|id| id.as_str()).collect();
/// assert_eq!(ids, ["sst", "mean"]);
/// assert_eq!(draft.free_id("mean")?.as_str(), "mean_");
/// assert_eq!(draft.to_plan(), small);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// The question.
    pub question: String,
    /// The tracks; a shared one stands first.
    pub tracks: Vec<DraftTrack>,
    /// The merge of all tracks.
    pub merge: Option<NodeId>,
    /// The reporter.
    pub reporter: Option<NodeId>,
    /// Steps that are gone because a step of the shared track stands for them: gone → standing. A rule that drops a
    /// step must declare it here.
    pub lifted: BTreeMap<NodeId, NodeId>,
}

/// A track of a [`Draft`].
///
/// ```
/// use leg_core::routing::{Draft, Form};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let track = &draft.tracks[0];
/// assert_eq!((track.form, track.layers.len(), track.work().count()), (Form::Steps, 2, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DraftTrack {
    /// Its id.
    pub id: TrackId,
    /// What it is to find.
    pub goal: String,
    /// When its nodes may start.
    pub barriers: Barriers,
    /// Steps or agents.
    pub form: Form,
    /// Whether other tracks may refer to its steps; it runs before them.
    pub shared: bool,
    /// The layers, in order.
    pub layers: Vec<DraftLayer>,
    /// The result, if the plan names it.
    pub result: Option<Reference>,
}

/// The form of a track.
///
/// ```
/// use leg_core::routing::Form;
///
/// assert_ne!(Form::Steps, Form::Layers);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Tool calls; layers follow from references.
    Steps,
    /// Layers of agents.
    Layers,
}

/// A layer of a [`DraftTrack`].
///
/// ```
/// use leg_core::plan::Policy;
/// use leg_core::routing::{Draft, DraftLayer};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let nodes = draft.tracks[0].layers[0].nodes.clone();
/// assert_eq!(DraftLayer::of(Policy::Settle, nodes), draft.tracks[0].layers[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DraftLayer {
    /// What a failed node does to the others.
    pub policy: Policy,
    /// The agents or tools, in plan order.
    pub nodes: Vec<DraftNode>,
    /// The images, after the work.
    pub images: Vec<DraftImage>,
    /// The consolidator, after the images.
    pub consolidator: Option<NodeId>,
}

/// A node that the plan asks for.
///
/// ```
/// use leg_core::routing::Draft;
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let mean = &draft.tracks[0].layers[1].nodes[0];
/// assert_eq!((mean.id().as_str(), mean.references()), ("mean", vec!["sst"]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct DraftNode {
    /// Its place in the plan's track, from 0.
    pub order: usize,
    /// What it does.
    pub work: Work,
}

/// What a [`DraftNode`] does.
///
/// ```
/// use leg_core::routing::{Draft, Work};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let node = &draft.tracks[0].layers[0].nodes[0];
/// assert!(matches!(&node.work, Work::Tool(step) if step.tool.as_str() == "load"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// An agent works on a task.
    Agent(AgentStep),
    /// A tool is called.
    Tool(Step),
}

/// A look at the pictures of a node of the same layer.
///
/// ```
/// use leg_core::routing::DraftImage;
///
/// let image = DraftImage { id: "image_map".parse()?, of: "map".parse()? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DraftImage {
    /// Its id.
    pub id: NodeId,
    /// The node that made the pictures.
    pub of: NodeId,
}

impl DraftNode {
    /// Its id.
    pub const fn id(&self) -> &NodeId {
        match &self.work {
            Work::Agent(agent) => &agent.id,
            Work::Tool(step) => &step.id,
        }
    }

    /// The ids of the nodes that it refers to, with repetitions.
    pub fn references(&self) -> Vec<&str> {
        match &self.work {
            Work::Agent(agent) => agent.when.iter().map(|when| when.reference.node.as_str()).collect(),
            Work::Tool(step) => referenced_nodes(step),
        }
    }

    /// The tool or the agent.
    pub(super) fn worker(&self) -> &str {
        match &self.work {
            Work::Agent(agent) => agent.agent.as_str(),
            Work::Tool(step) => step.tool.as_str(),
        }
    }
}

impl DraftLayer {
    /// A layer of work, without images and consolidator.
    pub const fn of(policy: Policy, nodes: Vec<DraftNode>) -> Self {
        Self { policy, nodes, images: Vec::new(), consolidator: None }
    }
}

impl DraftTrack {
    /// All work of the track, layer by layer.
    pub fn work(&self) -> impl Iterator<Item = &DraftNode> {
        self.layers.iter().flat_map(|layer| &layer.nodes)
    }

    /// What the result is: what the plan names, or else the last step of a steps track. A shared track has none.
    pub fn resolved_result(&self) -> Option<Reference> {
        if self.result.is_some() || self.form == Form::Layers || self.shared {
            return self.result.clone();
        }
        self.work().max_by_key(|node| node.order).map(|node| Reference::primary(node.id().clone()))
    }
}

/// Orders steps into layers by their references; inside a layer they keep the order that they are given in.
pub(super) fn layer_steps(nodes: Vec<DraftNode>) -> Result<Vec<DraftLayer>, CycleError> {
    let steps = nodes.iter().filter_map(|node| match &node.work {
        Work::Tool(step) => Some(step),
        Work::Agent(_) => None,
    });
    let found = levels(steps)?;
    let mut layers = Vec::new();
    layers.resize_with(found.iter().max().map_or(0, |last| last + 1), DraftLayer::default);
    for (node, level) in nodes.into_iter().zip(found) {
        if let Some(layer) = layers.get_mut(level) {
            layer.nodes.push(node);
        }
    }
    Ok(layers)
}

impl Draft {
    /// The ids of all nodes: work, images, consolidators, merge, reporter.
    pub fn ids(&self) -> impl Iterator<Item = &NodeId> {
        let in_layers = self.tracks.iter().flat_map(|track| &track.layers).flat_map(|layer| {
            let work = layer.nodes.iter().map(DraftNode::id);
            work.chain(layer.images.iter().map(|image| &image.id)).chain(&layer.consolidator)
        });
        in_layers.chain(&self.merge).chain(&self.reporter)
    }

    /// A source of readable ids that no node has, and that no step had.
    pub(crate) fn free_ids(&self) -> FreeIds {
        FreeIds::without(self.ids().chain(self.lifted.keys()).map(NodeId::as_str))
    }

    /// `base`, or `base_`, `base__` … when that is taken: the id for a node that a rule adds.
    ///
    /// # Errors
    /// [`IdError`] when `base` does not start with a small letter.
    pub fn free_id(&self, base: &str) -> Result<NodeId, IdError> {
        self.free_ids().take(base)
    }

    /// Digest of the whole draft.
    ///
    /// # Errors
    /// [`CanonicalError`] for a number that has no canonical form.
    pub fn digest(&self) -> Result<Digest, CanonicalError> {
        Ok(Digest::of(Domain::Draft, &canonical::to_vec(self)?))
    }

    /// The draft as a plan: layers of steps become one list again, in the order of the plan.
    pub fn to_plan(&self) -> Plan {
        let tracks = self.tracks.iter().map(|track| Track {
            id: track.id.clone(),
            goal: track.goal.clone(),
            barriers: track.barriers,
            body: match track.form {
                Form::Steps => Body::Steps(track.steps_in_plan_order()),
                Form::Layers => Body::Layers(track.agent_layers()),
            },
            result: track.result.clone(),
        });
        Plan { version: PLAN_VERSION, question: self.question.clone(), tracks: tracks.collect() }
    }

    /// The ids of all tracks.
    pub(super) fn track_ids(&self) -> BTreeSet<&str> {
        self.tracks.iter().map(|track| track.id.as_str()).collect()
    }
}

impl DraftTrack {
    fn steps_in_plan_order(&self) -> Vec<Step> {
        let mut nodes: Vec<&DraftNode> = self.work().collect();
        nodes.sort_by_key(|node| node.order);
        let steps = nodes.into_iter().filter_map(|node| match &node.work {
            Work::Tool(step) => Some(step.clone()),
            Work::Agent(_) => None,
        });
        steps.collect()
    }

    fn agent_layers(&self) -> Vec<Layer> {
        let agents = |layer: &DraftLayer| {
            let agents = layer.nodes.iter().filter_map(|node| match &node.work {
                Work::Agent(agent) => Some(agent.clone()),
                Work::Tool(_) => None,
            });
            agents.collect()
        };
        self.layers.iter().map(|layer| Layer { policy: layer.policy, nodes: agents(layer) }).collect()
    }
}

impl fmt::Display for Draft {
    /// A line for each layer: what `leg graph --explain` shows.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for track in &self.tracks {
            writeln!(f, "{}", track.id)?;
            for (at, layer) in track.layers.iter().enumerate() {
                let nodes: Vec<&str> = layer.nodes.iter().map(|node| node.id().as_str()).collect();
                write!(f, "  {} {}", at + 1, nodes.join(", "))?;
                for image in &layer.images {
                    write!(f, " -> {}", image.id)?;
                }
                if let Some(consolidator) = &layer.consolidator {
                    write!(f, " -> {consolidator}")?;
                }
                writeln!(f)?;
            }
        }
        for last in [&self.merge, &self.reporter].into_iter().flatten() {
            writeln!(f, "{last}")?;
        }
        Ok(())
    }
}

impl Canonical for Draft {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        let mut lifted = object.key("lifted").object();
        for (gone, standing) in &self.lifted {
            lifted.key(gone.as_str()).str(standing.as_str());
        }
        lifted.end();
        write_id(object.key("merge"), self.merge.as_ref());
        object.key("question").str(&self.question);
        write_id(object.key("reporter"), self.reporter.as_ref());
        object.key("tracks").value(self.tracks.as_slice())?;
        object.end();
        Ok(())
    }
}

impl Canonical for DraftTrack {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        object.key("barriers").str(match self.barriers {
            Barriers::Strict => "strict",
            Barriers::Dataflow => "dataflow",
        });
        object.key("form").str(match self.form {
            Form::Steps => "steps",
            Form::Layers => "layers",
        });
        object.key("goal").str(&self.goal);
        object.key("id").str(self.id.as_str());
        object.key("layers").value(self.layers.as_slice())?;
        object.key("result").value(&self.result)?;
        object.key("shared").bool(self.shared);
        object.end();
        Ok(())
    }
}

impl Canonical for DraftLayer {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        write_id(object.key("consolidator"), self.consolidator.as_ref());
        object.key("images").array(&self.images, |out, image| {
            let mut object = out.object();
            object.key("id").str(image.id.as_str());
            object.key("of").str(image.of.as_str());
            object.end();
            Ok(())
        })?;
        object.key("nodes").array(&self.nodes, |out, node| {
            let mut object = out.object();
            object.key("order").count(node.order as u64);
            let out = object.key("work");
            match &node.work {
                Work::Agent(agent) => out.value(agent)?,
                Work::Tool(step) => out.value(step)?,
            }
            object.end();
            Ok(())
        })?;
        object.key("policy").str(match self.policy {
            Policy::Settle => "settle",
            Policy::FailFast => "fail_fast",
        });
        object.end();
        Ok(())
    }
}

fn write_id(out: &mut Writer, id: Option<&NodeId>) {
    match id {
        Some(id) => out.str(id.as_str()),
        None => out.null(),
    }
}
