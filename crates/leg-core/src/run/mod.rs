//! Running a compiled graph.

mod call;

pub use call::{CallResult, StoredRendering};
