//! From a plan to its layered graph.

use crate::Registry;
use crate::graph::{BuildError, LayeredGraph, build};
use crate::plan::{Code, Diagnostic, ValidPlan};
use crate::routing::{Draft, Pass, Router, RoutingError, RoutingObserver, RuleContext};

/// A plan has no graph.
///
/// ```
/// use leg_core::CompileError;
/// use leg_core::plan::{Code, Diagnostic};
///
/// let error = CompileError::Invalid(vec![Diagnostic::new("/tracks", Code::Empty, "a plan has no track")]);
/// assert_eq!(error.diagnostics()[0].code, Code::Empty);
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CompileError {
    /// The plan is not valid with this registry; it was validated with another one.
    #[error("the plan cannot be compiled: {}", lines(.0))]
    Invalid(Vec<Diagnostic>),
    /// A routing rule refuses the plan or is broken.
    #[error(transparent)]
    Routing(#[from] RoutingError),
    /// The routed draft has no graph.
    #[error(transparent)]
    Build(#[from] BuildError),
}

fn lines(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

impl CompileError {
    /// What is wrong, for a planner that repairs the plan.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Invalid(diagnostics) => diagnostics.clone(),
            Self::Routing(RoutingError::Refused { diagnostic, .. }) => vec![diagnostic.clone()],
            Self::Routing(RoutingError::NotCanonical(_)) | Self::Build(BuildError::NotCanonical(_)) => {
                vec![Diagnostic::new("", Code::BadValue, self.to_string())]
            }
            Self::Routing(_) | Self::Build(_) => {
                vec![Diagnostic::new("", Code::BrokenRule, self.to_string())]
            }
        }
    }
}

/// Compiles a plan with the generic routing rules.
///
/// Give it the registry that the plan was validated with. Another one never panics: what the graph relies on is
/// looked at again.
///
/// ```
/// use leg_core::{compile, plan};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let valid = plan::validate(small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let graph = compile(&valid, &registry)?;
/// assert_eq!(graph.tracks()[0].layers.len(), 2, "`mean` waits for `sst`");
/// assert_eq!(compile(&valid, &registry)?.digest(), graph.digest());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CompileError`], whose [`diagnostics`](CompileError::diagnostics) a planner can act on.
pub fn compile(plan: &ValidPlan, registry: &Registry) -> Result<LayeredGraph, CompileError> {
    compile_with(plan, registry, &Router::default())
}

/// Compiles a plan with a router's rules, which may be more than the generic ones.
///
/// ```
/// use leg_core::routing::Router;
/// use leg_core::{compile_with, plan};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let valid = plan::validate(small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// // A router of your own rules; the generic ones follow them.
/// let graph = compile_with(&valid, &registry, &Router::new(Vec::new()))?;
/// assert!(graph.applications().iter().any(|application| application.rule == "reporter_last"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`compile`].
pub fn compile_with(
    plan: &ValidPlan,
    registry: &Registry,
    router: &Router,
) -> Result<LayeredGraph, CompileError> {
    compile_observed(plan, registry, router, &mut |_: &Pass<'_>| {})
}

/// Compiles a plan and shows the draft of its graph after each rule.
///
/// ```
/// use leg_core::routing::{Pass, Router};
/// use leg_core::{compile_observed, plan};
///
/// # let (small, registry) = (leg_testkit::small_plan(), leg_testkit::fake_registry()?);
/// let valid = plan::validate(small, &registry).map_err(|faults| format!("{faults:?}"))?;
/// let mut passes = Vec::new();
/// let mut observer = |pass: &Pass<'_>| passes.push((pass.rule.to_owned(), pass.changed()));
/// compile_observed(&valid, &registry, &Router::default(), &mut observer)?;
/// assert_eq!(passes.last().unwrap(), &("sanity_check".to_owned(), false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`compile`].
pub fn compile_observed(
    plan: &ValidPlan,
    registry: &Registry,
    router: &Router,
    observer: &mut dyn RoutingObserver,
) -> Result<LayeredGraph, CompileError> {
    let draft = Draft::of_plan(plan.plan(), registry).map_err(CompileError::Invalid)?;
    let routed = router.route_observed(draft, &RuleContext::new(registry), observer)?;
    Ok(build(routed, registry)?)
}
