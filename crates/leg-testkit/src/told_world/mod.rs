//! Random plans over [`ToldTool`](crate::ToldTool) and [`ToldAgent`](crate::ToldAgent), and an oracle that says how
//! each of their nodes must end.

mod oracle;
mod plan;
mod registry;
mod tape;

pub use oracle::oracle;
pub use plan::{Allowed, any_plan};
pub use registry::{hush_told_panics, told_registry, told_tool};
pub use tape::{Tape, any_tape};
