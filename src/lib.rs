//! `leg` turns a question into a layer execution graph (LEG), runs it, and proves where every number came from.
//!
//! This crate is the facade: it re-exports the engine and puts together what a program has.
//!
//! - [`core`]: plans, routing rules, graphs, runs, evidence, ledger and replay; it knows no ocean and no model.
//! - [`agents`]: skills, the rules planner, consolidator, merge and reporter.
//! - [`Catalog`]: the tools, agents, skills and rules of this build.
//! - [`Config`]: the configuration file and the environment.
//! - `objects` (features `object-store` and `s3`): object stores over the `object_store` crate.
//!
//! The examples folder shows each step: compile a plan, run it, verify and replay it, write a tool.

#[cfg(feature = "ocean")]
mod catalog;
mod config;
#[cfg(feature = "ocean")]
mod dataset_context;
#[cfg(feature = "ocean")]
mod explained;
#[cfg(feature = "hydro")]
mod hydro;
#[cfg(all(feature = "hydro", feature = "ocean"))]
pub mod hydro_bench;
#[cfg(feature = "hydro")]
mod services;

#[cfg(feature = "ocean")]
pub use catalog::{Catalog, CatalogError, open_options};
pub use config::{BucketKeys, Config, ConfigError, DatasetConfig, RemoteConfig};
#[cfg(feature = "ocean")]
pub use explained::{Explained, ExplainedPass};

#[cfg(feature = "hydro")]
pub use hydro::HydroSubjects;
#[cfg(feature = "hydro")]
pub use services::{Services, ServicesConfig, ServicesError};

#[cfg(feature = "hydro")]
pub use hydro_specialists;
pub use leg_agents as agents;
pub use leg_core as core;
#[cfg(feature = "hydro")]
pub use leg_fetch as fetch;
#[cfg(feature = "object-store")]
pub use leg_objects as objects;
#[cfg(feature = "ocean")]
pub use ocean_data;
#[cfg(feature = "ocean")]
pub use ocean_tools;

/// What most programs need.
pub mod prelude {
    pub use leg_core::plan::{read as read_plan, validate};
    pub use leg_core::run::{Engine, LocalExecutor, Recording, Roles, Run, RunOptions, RunOutcome};
    pub use leg_core::{
        Agent, AgentSpec, Approval, Artifact, ArtifactArgument, EvidenceDraft, Kind, Plan, Port, Registry,
        RunId, Status, Tool, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, compile,
    };
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
