//! Plans: the document, its text form, its validation.

mod diagnostic;
mod document;
mod reference;

pub use diagnostic::{Code, Diagnostic};
pub use document::{
    AgentStep, Barriers, Body, Comparison, Condition, ForEach, Items, Join, Layer, Limits, PLAN_VERSION,
    Plan, Policy, Step, Track,
};
pub use reference::{Part, Reference, ReferenceError};
