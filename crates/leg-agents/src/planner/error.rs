//! [`PlannerError`]: a planner cannot be made.

/// A planner cannot be made: one of its tables or patterns is broken, which is a bug of this crate.
#[derive(Debug, thiserror::Error)]
pub enum PlannerError {
    /// A table of the crate cannot be read.
    #[error("the planner's table `{table}` cannot be read: {reason}; please report it")]
    Table {
        /// The table.
        table: &'static str,
        /// What is wrong.
        reason: String,
    },
    /// A pattern of the crate cannot be compiled.
    #[error("a pattern of the planner cannot be compiled; please report it")]
    Pattern(#[from] regex::Error),
}

impl PlannerError {
    pub(super) fn data(table: &'static str, error: &toml::de::Error) -> Self {
        Self::Table { table, reason: error.message().to_owned() }
    }
}
