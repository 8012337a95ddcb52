//! [`Router`]: applies the table of rules, checks the draft after each, records what changed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::invariant::Census;
use super::rules;
use super::{Draft, Pass, Position, Rewrite, RoutingObserver, RoutingRule, RuleContext};
use crate::Digest;
use crate::canonical::CanonicalError;
use crate::plan::Diagnostic;

/// Applies routing rules in a fixed order.
///
/// The order: extra rules at [`Position::Content`], the generic rules, extra rules at [`Position::Final`], the sanity
/// check. Extra rules of one position keep the order that they are given in.
///
/// ```
/// use leg_core::routing::{Draft, Router, RuleContext};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let router = Router::default();
/// assert_eq!(router.names().next(), Some("lift_shared_steps"));
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let context = RuleContext::new(&registry);
/// let once = router.route(draft, &context)?;
/// assert!(router.route(once.draft, &context)?.applications.is_empty(), "twice is once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Router {
    rules: Arc<[Box<dyn RoutingRule>]>,
    /// Whether there are rules beside the generic ones, which property tests show to come to rest.
    has_extra: bool,
}

/// A rule changed a draft.
///
/// ```
/// # let (graph, _) = leg_testkit::small_graph();
/// let applications = graph.applications();
/// assert!(applications.iter().all(|application| application.before != application.after));
/// assert!(applications.windows(2).all(|pair| pair[0].after == pair[1].before));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleApplication {
    /// The rule.
    pub rule: String,
    /// The draft before.
    pub before: Digest,
    /// The draft after.
    pub after: Digest,
}

/// A draft that went through all rules.
///
/// ```
/// use leg_core::routing::{Draft, Routed, Router, RuleContext};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let draft = Draft::of_plan(&small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let Routed { draft, applications } = Router::default().route(draft, &RuleContext::new(&registry))?;
/// assert!(draft.reporter.is_some());
/// assert_eq!(applications.last().unwrap().rule, "reporter_last");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Routed {
    /// The draft.
    pub draft: Draft,
    /// The rules that changed something, in order.
    pub applications: Vec<RuleApplication>,
}

/// A draft cannot be routed.
///
/// ```
/// use leg_core::routing::RoutingError;
///
/// let error = RoutingError::Conflict { rules: vec!["ask".to_owned(), "plain".to_owned()] };
/// assert!(error.to_string().contains("`ask` and `plain`"));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RoutingError {
    /// A rule refuses the plan; the planner can mend it.
    #[error("routing rule `{rule}` refuses the plan: {diagnostic}")]
    Refused {
        /// The rule.
        rule: String,
        /// What is wrong with the plan.
        #[source]
        diagnostic: Diagnostic,
    },
    /// A rule does what no rule may do: a fault of the rule, not of the plan.
    #[error("routing rule `{rule}` broke the graph: {reason}; leave the rule out and report it")]
    Broken {
        /// The rule.
        rule: String,
        /// What it did.
        reason: String,
    },
    /// Rules undo each other, or one does not know its own work: a fault of the rules, not of the plan.
    #[error(
        "routing rules do not come to rest: applied again, {} changed the graph again; leave one of them out and \
         report it", names(.rules)
    )]
    Conflict {
        /// The rules that changed a graph that had gone through all rules, in order.
        rules: Vec<String>,
    },
    /// A number of the plan has no canonical form.
    #[error("the plan cannot be hashed: {0}")]
    NotCanonical(#[from] CanonicalError),
}

impl Default for Router {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl Router {
    /// The generic rules and these.
    pub fn new(extra: Vec<Box<dyn RoutingRule>>) -> Self {
        let has_extra = !extra.is_empty();
        let (mut table, last): (Vec<_>, Vec<_>) =
            extra.into_iter().partition(|rule| rule.position() == Position::Content);
        table.extend(rules::generic());
        table.extend(last);
        table.push(rules::last());
        Self { rules: table.into(), has_extra }
    }

    /// The names of the rules, in order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rules.iter().map(|rule| rule.name())
    }

    /// Applies all rules.
    ///
    /// # Errors
    /// [`RoutingError`]: a rule refuses the plan, or a rule is broken.
    pub fn route(&self, draft: Draft, context: &RuleContext<'_>) -> Result<Routed, RoutingError> {
        self.route_observed(draft, context, &mut |_: &Pass<'_>| {})
    }

    /// Applies all rules and shows the draft after each.
    ///
    /// # Errors
    /// As [`Router::route`].
    pub fn route_observed(
        &self,
        mut draft: Draft,
        context: &RuleContext<'_>,
        observer: &mut dyn RoutingObserver,
    ) -> Result<Routed, RoutingError> {
        let mut census = Census::of(&draft).map_err(|reason| broken("none", reason))?;
        let mut digest = draft.digest()?;
        let mut applications = Vec::new();
        for rule in self.rules.iter() {
            let name = rule.name();
            let refused = |diagnostic| RoutingError::Refused { rule: name.to_owned(), diagnostic };
            let before = digest;
            draft = match rule.rewrite(draft, context).map_err(refused)? {
                Rewrite::Unchanged(draft) => draft,
                Rewrite::Changed(draft) => {
                    census.check(&draft).map_err(|reason| broken(name, reason))?;
                    digest = draft.digest()?;
                    draft
                }
            };
            if digest != before {
                applications.push(RuleApplication { rule: name.to_owned(), before, after: digest });
            }
            observer.after(&Pass { rule: name, draft: &draft, before, after: digest });
        }
        if draft.digest()? != digest {
            return Err(broken("unknown", "it changed the draft and said that it did not".to_owned()));
        }
        if self.has_extra {
            self.check_rest(&draft, digest, context)?;
        }
        Ok(Routed { draft, applications })
    }

    /// Applies all rules once more: none may find anything to do.
    fn check_rest(&self, draft: &Draft, end: Digest, context: &RuleContext<'_>) -> Result<(), RoutingError> {
        let (mut draft, mut digest) = (draft.clone(), end);
        let mut rules = Vec::new();
        for rule in self.rules.iter() {
            let name = rule.name().to_owned();
            match rule.rewrite(draft, context) {
                Ok(Rewrite::Unchanged(same)) => draft = same,
                Ok(Rewrite::Changed(other)) => {
                    let before = std::mem::replace(&mut digest, other.digest()?);
                    draft = other;
                    if digest != before {
                        rules.push(name);
                    }
                }
                Err(diagnostic) => return Err(RoutingError::Refused { rule: name, diagnostic }),
            }
        }
        if rules.is_empty() { Ok(()) } else { Err(RoutingError::Conflict { rules }) }
    }
}

fn names(rules: &[String]) -> String {
    rules.iter().map(|rule| format!("`{rule}`")).collect::<Vec<_>>().join(" and ")
}

fn broken(rule: &str, reason: String) -> RoutingError {
    RoutingError::Broken { rule: rule.to_owned(), reason }
}
