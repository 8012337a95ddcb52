//! Skills, plans and reports together, with the skills of the repository and fake tools.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod hostile;
mod plans;
mod reports;
mod skills;
mod support;
