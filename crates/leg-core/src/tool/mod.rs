//! Tools: what an author writes, what the engine calls, what a call gives back.

mod allow_list;
mod artifact_argument;
mod context;
mod error;
mod instruction_like;
mod port;
mod schema_reference;
mod spec;
mod typed;
mod workbench;

pub use allow_list::AllowList;
pub use artifact_argument::ArtifactArgument;
pub(crate) use context::RawResponses;
pub use context::{Permit, Progress, ToolContext};
pub use error::{ToolError, ToolErrorKind};
pub use instruction_like::is_instruction_like;
pub use port::{Estimate, Rendering, Source, Tool, ToolOutput};
pub use schema_reference::{
    MAX_SCHEMA_DEPTH, SchemaFault, SchemaReferenceError, resolve_reference, schema_faults,
};
pub use spec::{DataClass, Effect, Output, Port, Purity, ToolSpec};
pub use typed::{TypedTool, arguments_schema};
pub use workbench::Workbench;
