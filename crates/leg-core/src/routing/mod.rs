//! Routing rules: deterministic rewrites of a graph in the making, in the manner of an optimiser.
//!
//! A [`Router`] applies a fixed table of [`RoutingRule`]s to a [`Draft`], checks after each that nothing was lost or
//! torn, and records what changed. Running it twice changes nothing the second time.

mod draft;
mod first_draft;
mod invariant;
mod router;
mod rule;
mod rules;

pub use draft::{Draft, DraftImage, DraftLayer, DraftNode, DraftTrack, Form, Work};
pub use router::{Routed, Router, RoutingError, RuleApplication};
pub use rule::{Pass, Position, Rewrite, RoutingObserver, RoutingRule, RuleContext};
