//! Suites for the implementations of a port. Each is a function that panics and says what does not hold.

mod fetch;
mod node_executor;
mod object_store;
mod tool;

pub use fetch::fetch;
pub use node_executor::{ExecutorCase, executor_registry, node_executor};
pub use object_store::{damaged_objects, object_store};
pub use tool::{ToolCase, tool};
