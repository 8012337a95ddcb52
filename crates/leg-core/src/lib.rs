#![doc = include_str!("../GUIDE.md")]
#![warn(clippy::indexing_slicing)]

pub mod agent;
mod approval;
pub mod artifact;
pub mod canonical;
pub mod clock;
mod compile;
pub mod digest;
pub mod evidence;
pub mod export;
pub mod graph;
mod id;
pub mod ledger;
pub mod model;
pub mod plan;
mod registry;
pub mod replay;
pub mod role;
pub mod routing;
pub mod run;
mod status;
pub mod tool;

pub use agent::{Agent, AgentAnswer, AgentKind, AgentSpec, AgentTask, Desk, Expectation};
pub use approval::{Approval, ApprovalError, ChangedPart};
pub use artifact::{
    Artifact, Coord, DecodeError, FolderObjects, Kind, MemoryObjects, ObjectStore, ObjectStoreExt,
    StoreError, Summary, Variable,
};
pub use canonical::{Canonical, CanonicalError};
pub use clock::{Clock, FixedClock, SystemClock};
pub use compile::{CompileError, compile, compile_observed, compile_with};
pub use digest::{Digest, Domain};
pub use evidence::{Claim, Evidence, EvidenceDraft, Operation, Verdict};
pub use graph::LayeredGraph;
pub use id::{AgentId, ApprovalId, EvidenceId, IdError, NodeId, RunId, ToolName, TrackId};
pub use plan::{Diagnostic, Plan};
pub use registry::{RegisteredAgent, RegisteredTool, Registry, RegistryError};
pub use role::{Brief, Dropped, Fold, FoldInput, Gap, ReportInput, Reporter, Section, TrackResult};
pub use status::Status;
pub use tool::{
    AllowList, ArtifactArgument, DataClass, Effect, Estimate, Output, Port, Progress, Purity, Rendering,
    Source, Tool, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec, TypedTool,
};
