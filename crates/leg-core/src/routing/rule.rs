//! [`RoutingRule`]: one deterministic rewrite, and who may watch it.

use std::fmt::Debug;

use super::{Draft, DraftNode, Work};
use crate::plan::Diagnostic;
use crate::{AgentId, AgentSpec, DataClass, Digest, Registry, ToolName, ToolSpec};

/// A deterministic rewrite of a draft.
///
/// A rule asks for properties of a node (its data class, what it needs and provides, whether it makes pictures),
/// never for a name. Applying it twice is the same as applying it once. It may move work, rewrite references and add
/// work, images, consolidators; it must not lose work, except a step that it declares in [`Draft::lifted`].
///
/// ```
/// use leg_core::plan::Diagnostic;
/// use leg_core::routing::{Draft, Rewrite, Router, RoutingRule, RuleContext};
/// use leg_core::{compile_with, plan};
///
/// /// Every track says what it is for.
/// #[derive(Debug)]
/// struct NameGoals;
///
/// impl RoutingRule for NameGoals {
///     fn name(&self) -> &'static str {
///         "name_goals"
///     }
///
///     fn rewrite(&self, mut draft: Draft, _: &RuleContext<'_>) -> Result<Rewrite, Diagnostic> {
///         let mut changed = false;
///         for track in draft.tracks.iter_mut().filter(|track| track.goal.is_empty()) {
///             track.goal = format!("what `{}` can tell", track.id);
///             changed = true;
///         }
///         Ok(Rewrite::new(draft, changed))
///     }
/// }
/// # let (mut small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// # small.tracks[0].goal.clear();
/// let valid = plan::validate(small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let graph = compile_with(&valid, &registry, &Router::new(vec![Box::new(NameGoals)]))?;
/// assert_eq!(graph.tracks()[0].goal, "what `coast` can tell");
/// assert_eq!(graph.applications()[0].rule, "name_goals");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RoutingRule: Send + Sync + Debug {
    /// Its name, in the ledger and in error messages.
    fn name(&self) -> &'static str;

    /// Rewrites the draft, or gives it back as it was.
    ///
    /// # Errors
    /// [`Diagnostic`]: what no rewrite can mend, for the planner.
    fn rewrite(&self, draft: Draft, context: &RuleContext<'_>) -> Result<Rewrite, Diagnostic>;

    /// Where the router applies it.
    fn position(&self) -> Position {
        Position::Content
    }
}

/// Where a [`Router`](super::Router) applies a rule that is not its own.
///
/// ```
/// use leg_core::routing::Position;
///
/// assert_ne!(Position::Content, Position::Final);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Before all generic rules: for rules that add, drop or move work. Layers then get their images and
    /// consolidators as if the plan had been written so.
    Content,
    /// After the generic rules and before the sanity check: for rules that look at the finished shape.
    Final,
}

/// What a rule did.
///
/// ```
/// use leg_core::routing::{Draft, Rewrite};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let rewrite = Rewrite::new(draft.clone(), false);
/// assert!(!rewrite.is_changed());
/// assert_eq!(rewrite.into_draft(), draft);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Rewrite {
    /// Nothing: the draft as it was.
    Unchanged(Draft),
    /// Something.
    Changed(Draft),
}

impl Rewrite {
    /// [`Rewrite::Changed`] if `changed`.
    pub fn new(draft: Draft, changed: bool) -> Self {
        if changed { Self::Changed(draft) } else { Self::Unchanged(draft) }
    }

    /// The draft, changed or not.
    pub fn into_draft(self) -> Draft {
        match self {
            Self::Unchanged(draft) | Self::Changed(draft) => draft,
        }
    }

    /// Whether something changed.
    pub const fn is_changed(&self) -> bool {
        matches!(self, Self::Changed(_))
    }
}

/// What a rule may ask.
///
/// ```
/// use leg_core::DataClass;
/// use leg_core::routing::RuleContext;
///
/// # let registry = leg_testkit::fake_registry()?;
/// let context = RuleContext::new(&registry);
/// let zones = context.agent(&"zones".parse()?).unwrap();
/// assert_eq!(zones.data_class, Some(DataClass::Hypothetical));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RuleContext<'a> {
    registry: &'a Registry,
}

impl<'a> RuleContext<'a> {
    /// Answers from this registry.
    pub const fn new(registry: &'a Registry) -> Self {
        Self { registry }
    }

    /// The specification of a tool.
    pub fn tool(&self, name: &ToolName) -> Option<&'a ToolSpec> {
        self.registry.tool(name.as_str()).map(|tool| &tool.spec)
    }

    /// The specification of an agent.
    pub fn agent(&self, id: &AgentId) -> Option<&'a AgentSpec> {
        self.registry.agent(id.as_str()).map(|agent| &agent.spec)
    }

    /// All agents by id: for a rule that adds one by its properties.
    pub fn agents(&self) -> impl Iterator<Item = &'a AgentSpec> + use<'a> {
        self.registry.agents().map(|agent| &agent.spec)
    }

    /// The class of a node's results: that of its agent or its tool.
    pub fn data_class(&self, node: &DraftNode) -> Option<DataClass> {
        match &node.work {
            Work::Agent(agent) => self.agent(&agent.agent)?.data_class,
            Work::Tool(step) => self.tool(&step.tool)?.data_class,
        }
    }

    /// Whether a node makes pictures.
    pub fn makes_images(&self, node: &DraftNode) -> bool {
        match &node.work {
            Work::Agent(agent) => self.agent(&agent.agent).is_some_and(|spec| spec.produces_images),
            Work::Tool(step) => self.tool(&step.tool).is_some_and(|spec| spec.produces_images),
        }
    }
}

/// One rule was applied: what it left.
///
/// ```
/// use leg_core::routing::{Draft, Pass, Router, RuleContext};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let mut changed = Vec::new();
/// let mut observer = |pass: &Pass<'_>| changed.extend(pass.changed().then(|| pass.rule.to_owned()));
/// Router::default().route_observed(draft, &RuleContext::new(&registry), &mut observer)?;
/// assert_eq!(changed, ["reporter_last"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Pass<'a> {
    /// The rule.
    pub rule: &'a str,
    /// The draft after it.
    pub draft: &'a Draft,
    /// Digest of the draft before.
    pub before: Digest,
    /// Digest of the draft after; the same when the rule changed nothing.
    pub after: Digest,
}

impl Pass<'_> {
    /// Whether the rule changed something.
    pub fn changed(&self) -> bool {
        self.before != self.after
    }
}

/// Sees the draft after each rule: for snapshots, the ledger, `leg graph --explain`.
///
/// A closure does; a type can keep more.
///
/// ```
/// use leg_core::routing::{Draft, Pass, Router, RoutingObserver, RuleContext};
///
/// #[derive(Default)]
/// struct Count(usize);
///
/// impl RoutingObserver for Count {
///     fn after(&mut self, _: &Pass<'_>) {
///         self.0 += 1;
///     }
/// }
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let mut count = Count::default();
/// Router::default().route_observed(draft, &RuleContext::new(&registry), &mut count)?;
/// assert_eq!(count.0, Router::default().names().count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait RoutingObserver {
    /// A rule was applied.
    fn after(&mut self, pass: &Pass<'_>);
}

impl<F: FnMut(&Pass<'_>)> RoutingObserver for F {
    fn after(&mut self, pass: &Pass<'_>) {
        self(pass);
    }
}
