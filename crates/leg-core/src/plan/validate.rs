//! [`Plan`] → [`ValidPlan`], the only form that is compiled: every fault at once, and each fault once.

use super::arguments::check_arguments;
use super::cycle::{Edge, cycles};
use super::index::{Index, Node};
use super::links::{What, check_argument, check_items, holes_in};
use super::{
    Body, Code, Comparison, Condition, Diagnostic, Items, Layer, Limits, Normalization, Part, Plan,
    Reference, Step, Track,
};
use crate::run::Resource;
use crate::{Registry, Status};

/// The most tracks of a plan.
pub const MAX_TRACKS: usize = 64;
/// The most steps and agent nodes of a plan.
pub const MAX_NODES: usize = 10_000;
/// The most items of a fan-out.
pub(super) const MAX_ITEMS: usize = 10_000;
/// The most retries of a node.
pub(super) const MAX_RETRIES: u32 = 10;

/// A plan whose tools, arguments, references and limits were checked.
///
/// ```
/// use leg_core::plan::validate;
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let valid = validate(small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let (plan, normalizations) = valid.into_parts();
/// assert!(normalizations.is_empty(), "nothing had to be written in another way");
/// assert_eq!(plan.tracks.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ValidPlan {
    plan: Plan,
    normalizations: Vec<Normalization>,
}

impl ValidPlan {
    /// The plan, with its arguments normalised.
    pub const fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What was normalised.
    pub fn normalizations(&self) -> &[Normalization] {
        &self.normalizations
    }

    /// The plan and what was normalised.
    pub fn into_parts(self) -> (Plan, Vec<Normalization>) {
        (self.plan, self.normalizations)
    }
}

/// Checks a plan against the tools and agents that are there, after safe fixes of its arguments.
///
/// ```
/// use leg_core::plan::{Code, parse, validate};
///
/// # let registry = leg_testkit::fake_registry()?;
/// let plan = parse(&serde_json::json!({"version": 1, "question": "?", "tracks": [{"id": "t", "steps": [
///     {"id": "a", "tool": "laod", "args": {}},
///     {"id": "b", "tool": "mean", "args": {"data": {"$ref": "c"}}}]}]})).unwrap();
/// // All faults at once.
/// let codes: Vec<Code> = validate(plan, &registry).unwrap_err().iter().map(|fault| fault.code).collect();
/// assert_eq!(codes, [Code::UnknownTool, Code::DanglingReference]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Everything that is wrong, in the order of the document; a fault has no follow-ups.
pub fn validate(mut plan: Plan, registry: &Registry) -> Result<ValidPlan, Vec<Diagnostic>> {
    if let Some(diagnostic) = too_large(&plan) {
        return Err(vec![diagnostic]);
    }
    let normalizations = super::normalize::normalize(&mut plan, registry);
    let mut found = Vec::new();
    let index = Index::new(&plan, registry, &mut found);
    let mut check = Check { registry, index, found };
    check.plan(&plan);
    if check.found.is_empty() { Ok(ValidPlan { plan, normalizations }) } else { Err(check.found) }
}

fn too_large(plan: &Plan) -> Option<Diagnostic> {
    let tracks = plan.tracks.len();
    if tracks > MAX_TRACKS {
        let message = format!("the plan has {tracks} tracks; at most {MAX_TRACKS} are allowed");
        return Some(
            Diagnostic::new("/tracks", Code::TooLarge, message).hint("use `for_each` for like work"),
        );
    }
    let nodes = |track: &Track| match &track.body {
        Body::Steps(steps) => steps.len(),
        Body::Layers(layers) => layers.iter().map(|layer| layer.nodes.len().max(1)).sum(),
    };
    let nodes: usize = plan.tracks.iter().map(nodes).sum();
    (nodes > MAX_NODES).then(|| {
        let message = format!("the plan has {nodes} nodes; at most {MAX_NODES} are allowed");
        Diagnostic::new("/tracks", Code::TooLarge, message).hint("use `for_each` for like work")
    })
}

struct Check<'a> {
    registry: &'a Registry,
    index: Index<'a>,
    found: Vec<Diagnostic>,
}

impl Check<'_> {
    fn plan(&mut self, plan: &Plan) {
        if plan.version != super::PLAN_VERSION {
            let message = format!("version {} of the plan format is not known", plan.version);
            self.add(Diagnostic::new("/version", Code::UnknownVersion, message).hint("write 1"));
        }
        if plan.tracks.is_empty() {
            self.add(
                Diagnostic::new("/tracks", Code::Empty, "the plan has no track").hint("give at least one"),
            );
        }
        for (t, track) in plan.tracks.iter().enumerate() {
            let at = format!("/tracks/{t}");
            match &track.body {
                Body::Steps(steps) => self.steps(t, steps, &format!("{at}/steps")),
                Body::Layers(layers) => self.layers(t, layers, &format!("{at}/layers")),
            }
            if let Some(result) = &track.result {
                self.result(t, result, &format!("{at}/result"));
            }
        }
    }

    fn steps(&mut self, t: usize, steps: &[Step], at: &str) {
        if steps.is_empty() {
            self.add(Diagnostic::new(at, Code::Empty, "the track has no step").hint("give at least one"));
        }
        let mut edges = Vec::new();
        for (position, step) in steps.iter().enumerate() {
            let at = format!("{at}/{position}");
            self.limits(&step.limits, &at);
            self.fan_out(step, &at);
            let mut needs = self.arguments(t, step, &at);
            if let Some(Items::Reference(reference)) = step.for_each.as_ref().map(|for_each| &for_each.items)
            {
                let at = format!("{at}/for_each/items");
                if self.resolves(t, reference, &at) {
                    needs.push((reference.clone(), at));
                }
            }
            if let Some(when) = &step.when {
                let at = format!("{at}/when");
                if self.condition(t, when, &at).is_some() {
                    needs.push((when.reference.clone(), format!("{at}/ref")));
                }
            }
            edges.extend(needs.into_iter().filter_map(|(reference, at)| {
                match self.index.node(t, &reference.node) {
                    Some(Node::Step { position: needs, .. }) => Some(Edge { step: position, needs, at }),
                    _ => None,
                }
            }));
        }
        self.found.extend(cycles(steps, &edges));
    }

    /// Checks the tool and its arguments; gives the references that are well-formed and name a step.
    fn arguments(&mut self, t: usize, step: &Step, at: &str) -> Vec<(Reference, String)> {
        let tool = self.registry.tool(step.tool.as_str());
        if tool.is_none() {
            let names = self.registry.tools().map(|tool| tool.spec.name.as_str());
            let hint = self.name_hint(step.tool.as_str(), names, "tools");
            let message = format!("no tool is named `{}`", step.tool);
            self.add(Diagnostic::new(format!("{at}/tool"), Code::UnknownTool, message).hint(hint));
        }
        let at = format!("{at}/args");
        let holes = holes_in(&step.args);
        if let Some(tool) = tool {
            self.found.extend(check_arguments(&tool.spec, tool.validator(), &step.args, &holes, &at));
        }
        let mut needs = Vec::new();
        for hole in holes {
            let at = format!("{at}{}", hole.pointer);
            match hole.what {
                What::Fault(fault) => self.add(Diagnostic { pointer: at, ..fault }),
                What::Item(item) => {
                    self.found.extend(check_items(step.for_each.as_ref(), &item, &at).err());
                }
                What::Reference(reference) => {
                    let spec = tool.map(|tool| &tool.spec).filter(|_| reference.node != step.id);
                    let fault =
                        check_argument(&self.index, t, (&reference, hole.path.as_slice(), &at), spec).err();
                    self.found.extend(fault);
                    needs.push((reference, at));
                }
            }
        }
        needs
    }

    fn fan_out(&mut self, step: &Step, at: &str) {
        let Some(for_each) = &step.for_each else { return };
        let at = format!("{at}/for_each");
        if !(1..=MAX_ITEMS).contains(&for_each.max) {
            let message = format!("`max` is {}; it must be from 1 to {MAX_ITEMS}", for_each.max);
            self.add(Diagnostic::new(format!("{at}/max"), Code::BadValue, message));
        }
        let Items::List(items) = &for_each.items else { return };
        let at = format!("{at}/items");
        if items.is_empty() {
            self.add(Diagnostic::new(&at, Code::Empty, "the list has no item").hint("leave the step out"));
        }
        if items.len() > for_each.max && for_each.max > 0 {
            let message = format!("the list has {} items, and `max` is {}", items.len(), for_each.max);
            self.add(Diagnostic::new(&at, Code::TooLarge, message).hint("raise `max`, or shorten the list"));
        }
        for (i, item) in items.iter().enumerate() {
            for hole in holes_in(item) {
                let message = "an item is a plain value; it holds no reference";
                self.add(
                    Diagnostic::new(format!("{at}/{i}{}", hole.pointer), Code::BadReference, message)
                        .hint("write the reference in `args`, or as the whole of `items`"),
                );
            }
        }
    }

    fn layers(&mut self, t: usize, layers: &[Layer], at: &str) {
        if layers.is_empty() {
            self.add(Diagnostic::new(at, Code::Empty, "the track has no layer").hint("give at least one"));
        }
        for (l, layer) in layers.iter().enumerate() {
            let at = format!("{at}/{l}/nodes");
            if layer.nodes.is_empty() {
                self.add(Diagnostic::new(&at, Code::Empty, "the layer has no node").hint("leave it out"));
            }
            for (n, node) in layer.nodes.iter().enumerate() {
                let at = format!("{at}/{n}");
                self.limits(&node.limits, &at);
                if self.registry.agent(node.agent.as_str()).is_none() {
                    let names = self.registry.agents().map(|agent| agent.spec.id.as_str());
                    let hint = self.name_hint(node.agent.as_str(), names, "agents");
                    let message = format!("no agent is named `{}`", node.agent);
                    self.add(Diagnostic::new(format!("{at}/agent"), Code::UnknownAgent, message).hint(hint));
                }
                let Some(when) = &node.when else { continue };
                let at = format!("{at}/when");
                if let Some(Node::Agent { layer, .. }) = self.condition(t, when, &at)
                    && layer >= l
                {
                    let message = format!("`{}` does not end before this layer starts", when.reference.node);
                    self.add(
                        Diagnostic::new(format!("{at}/ref"), Code::BadReference, message)
                            .hint("refer to a node of an earlier layer"),
                    );
                }
            }
        }
    }

    /// The node that a condition looks at, if the condition is sound.
    fn condition(&mut self, t: usize, when: &Condition, at: &str) -> Option<Node<'_>> {
        let at_reference = format!("{at}/ref");
        if !self.resolves(t, &when.reference, &at_reference) {
            return None;
        }
        if when.op != Comparison::Exists && matches!(when.reference.part, Part::Primary | Part::Output(_)) {
            let message = format!("`{}` is no single value that can be compared", when.reference);
            self.add(
                Diagnostic::new(&at_reference, Code::BadReference, message)
                    .hint(format!("write `{}#/evidence/NAME/value`", when.reference.node)),
            );
        }
        if when.reference.part == Part::Status
            && when.op != Comparison::Exists
            && serde_json::from_value::<Status>(when.value.clone()).is_err()
        {
            self.add(
                Diagnostic::new(format!("{at}/value"), Code::BadValue, "the value is not a status")
                    .hint("write `ok`, `failed`, `skipped` or another status"),
            );
        }
        self.index.find(t, &when.reference.node, at).ok()
    }

    fn result(&mut self, t: usize, reference: &Reference, at: &str) {
        self.resolves(t, reference, at);
    }

    /// Whether a reference names a step of the track and a part that it has.
    fn resolves(&mut self, t: usize, reference: &Reference, at: &str) -> bool {
        let checked = self.index.find(t, &reference.node, at).and_then(|node| node.produced(reference, at));
        checked.map_err(|diagnostic| self.found.push(diagnostic)).is_ok()
    }

    fn limits(&mut self, limits: &Limits, at: &str) {
        if let Some(seconds) = limits.timeout_s
            && !(seconds.is_finite() && seconds > 0.0)
        {
            let message = format!("`timeout_s` is {seconds}; it must be more than 0 and finite");
            self.add(Diagnostic::new(format!("{at}/timeout_s"), Code::BadValue, message));
        }
        if let Some(retries) = limits.retries
            && retries > MAX_RETRIES
        {
            let message = format!("`retries` is {retries}; at most {MAX_RETRIES} are allowed");
            self.add(Diagnostic::new(format!("{at}/retries"), Code::BadValue, message));
        }
        for (meter, amount) in limits.budget.iter().flatten() {
            if Resource::from_name(meter).is_none() {
                // A plan that was not read from JSON can hold any name; one that is not known would limit nothing.
                let message = format!("nothing called `{meter}` has a budget");
                let place = format!("{at}/budget/{}", super::reader::escape(meter));
                let hint = format!("use one of: {}", Resource::NAMES.join(", "));
                self.add(Diagnostic::new(place, Code::UnknownKey, message).hint(hint));
            }
            if !(amount.is_finite() && *amount >= 0.0) {
                let message = format!("the budget of {meter} is {amount}; it must be 0 or more and finite");
                let place = format!("{at}/budget/{}", super::reader::escape(meter));
                self.add(Diagnostic::new(place, Code::BadValue, message).hint("leave it out for no limit"));
            }
        }
    }

    fn name_hint<'n>(
        &self,
        name: &str,
        names: impl Iterator<Item = &'n str> + Clone,
        what: &'static str,
    ) -> String {
        match self.index.nearest(name, names.clone()) {
            Some(name) => format!("did you mean `{name}`?"),
            None => self.index.list(names, what, 0),
        }
    }

    fn add(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }
}
