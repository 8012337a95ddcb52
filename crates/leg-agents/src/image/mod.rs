//! The image agent: looks at the pictures that a node made.

mod rules;

pub use rules::RulesImage;
