//! [`Explained`]: what each routing rule made of a plan, for people and for `leg graph --explain --json`.

use std::fmt;

use leg_core::Digest;
use serde::Serialize;

/// What each routing rule made of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Explained {
    /// The graph as the plan says it, as text.
    pub start: String,
    /// The rules in order, those that changed nothing included.
    pub passes: Vec<ExplainedPass>,
}

/// What one routing rule left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ExplainedPass {
    /// The rule.
    pub rule: String,
    /// Digest of the graph before.
    pub before: Digest,
    /// Digest of the graph after.
    pub after: Digest,
    /// Whether the rule changed something.
    pub changed: bool,
    /// The graph after, as text.
    pub graph: String,
}

impl fmt::Display for Explained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "the plan:\n{}", self.start)?;
        for pass in &self.passes {
            if pass.changed {
                writeln!(f, "after {}, {} -> {}:\n{}", pass.rule, pass.before, pass.after, pass.graph)?;
            } else {
                writeln!(f, "after {}, {}: unchanged\n", pass.rule, pass.after)?;
            }
        }
        Ok(())
    }
}
