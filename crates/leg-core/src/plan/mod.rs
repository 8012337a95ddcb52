//! Plans: the document, its text form, its validation.
//!
//! [`read`] makes a [`Plan`] of a model's text ([`repair`], then [`parse`]); [`validate`] checks it against a
//! registry and gives a [`ValidPlan`], the only form that is compiled. Each step returns everything that is wrong.

mod arguments;
mod cycle;
mod diagnostic;
mod document;
mod index;
mod lenient;
mod links;
mod nearest;
mod normalize;
mod numbers;
mod parse;
mod ports;
mod prefix;
mod read;
mod reader;
mod reference;
mod repair;
mod schema;
mod validate;

pub use diagnostic::{Code, Diagnostic};
pub use document::{
    AgentStep, Barriers, Body, Comparison, Condition, ForEach, Items, Join, Layer, Limits, PLAN_VERSION,
    Plan, Policy, Step, Track,
};
pub use links::references_in;
pub use normalize::Normalization;
pub use parse::parse;
pub(crate) use prefix::prefixed;
pub use read::read;
pub use reference::{Part, Reference, ReferenceError};
pub use repair::{MAX_BYTES, MAX_DEPTH, Repair, RepairKind, repair};
pub use schema::plan_schema;
pub use validate::{MAX_NODES, MAX_TRACKS, ValidPlan, validate};
