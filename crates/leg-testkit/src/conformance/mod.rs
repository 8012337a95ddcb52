//! Suites for the implementations of a port. Each is a function that panics and says what does not hold.

mod fetch;
mod ledger_store;
mod node_executor;
mod object_store;
mod tool;

pub use fetch::fetch;
pub use ledger_store::ledger_store;
pub use node_executor::{ExecutorCase, executor_registry, node_executor};
pub use object_store::{damaged_objects, object_store};
pub use tool::{ToolCase, tool};
