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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Before all generic rules: for rules that add, drop or move work. Layers then get their images and
    /// consolidators as if the plan had been written so.
    Content,
    /// After the generic rules and before the sanity check: for rules that look at the finished shape.
    Final,
}

/// What a rule did.
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
pub trait RoutingObserver {
    /// A rule was applied.
    fn after(&mut self, pass: &Pass<'_>);
}

impl<F: FnMut(&Pass<'_>)> RoutingObserver for F {
    fn after(&mut self, pass: &Pass<'_>) {
        self(pass);
    }
}
