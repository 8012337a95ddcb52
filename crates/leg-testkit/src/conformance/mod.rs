//! Suites for the implementations of a port. Each is a function that panics and says what does not hold.

mod fetch;
mod object_store;
mod tool;

pub use fetch::fetch;
pub use object_store::{damaged_objects, object_store};
pub use tool::{ToolCase, tool};
