//! The cross-track merge: one brief of all tracks.

mod rules;

pub use rules::RulesMerge;
