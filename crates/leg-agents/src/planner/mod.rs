//! The planner: from a question to a plan that is composed of skills, without a model.
//!
//! A question is [normalised](normalize), its slots are read and used up (regions, times, depths, variables), the skill
//! with the best score is filled with them, and its template becomes steps. What is missing becomes a
//! [clarification](PlannerAnswer::Clarification) that names it; what is assumed is listed.
//!
//! Nothing here names a skill or a tool: phrases, templates and defaults stand in skill folders, words for variables, seas
//! and indices in tables under `data/`.

mod answer;
mod case;
mod check;
mod compose;
mod context;
mod error;
mod fill;
mod normalize;
mod phrase;
#[expect(clippy::module_inception, reason = "the module is named for its one type")]
mod planner;
mod reading;
mod route;
mod slots;
mod span;
mod subject;
mod text;
mod whereabouts;

pub use answer::{Missing, PlannerAnswer};
pub use context::{DatasetContext, Overrides, PlannerContext, VariableContext};
pub use error::PlannerError;
pub use normalize::normalize;
pub(crate) use phrase::phrases_regex;
pub use planner::{Planner, plan_question};
