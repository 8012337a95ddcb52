//! The consolidator: folds the results of a layer into one brief.

mod rules;

pub use rules::RulesConsolidator;
pub(crate) use rules::{gap_lines, shorten};
