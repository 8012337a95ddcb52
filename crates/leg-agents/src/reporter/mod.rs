//! The reporter: answer first, each number with the evidence that it comes from.
//!
//! Sentences stand in `data/sentences.toml`: which evidence a sentence needs, when it fits, and its words. The code knows
//! how a value, a time and a place are printed, and how tracks are set against each other; it knows no tool.

mod cited;
mod compare;
mod number;
mod rules;
mod sentence;
mod words;

pub use rules::RulesReporter;
