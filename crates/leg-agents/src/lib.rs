//! Skills, planners and report writers, in their rules form.
//!
//! - [`skills`] reads skill folders and checks them against a registry.
//! - [`planner`] turns a question into a plan by composing skills, or says what is missing.
//! - [`architect`] turns a question into tracks of agents in layers.
//! - [`specialist`] is the model form of a specialist.
//! - [`consolidator`], [`cross_track_merge`], [`image`] and [`reporter`] are the roles of a run.
//!
//! The crate depends on `leg-core` alone. It knows no ocean crate and no tool: names of tools stand in skill folders and
//! are checked against the registry.

pub mod architect;
pub mod consolidator;
pub mod cross_track_merge;
pub mod image;
pub mod planner;
pub mod reporter;
pub mod skills;
pub mod specialist;
