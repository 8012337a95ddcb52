//! The compiled graph: layers of nodes, what flows between them, what it costs, how it is shown.
//!
//! A [`LayeredGraph`] comes from [`compile`](crate::compile) only. It has one or more tracks; a track has layers; a
//! layer has its work (agents or tools), then an image node for each that makes pictures, then a consolidator if
//! several agents worked, then a barrier. Several tracks meet in a cross-track merge, and the reporter is last.

mod build;
mod cost;
mod definitions;
mod dependency;
mod layered_graph;
mod level;
mod node;
mod render;
mod synthetic_id;

pub use build::BuildError;
pub use cost::Cost;
pub use definitions::Definitions;
pub use layered_graph::{GraphLayer, GraphTrack, LayeredGraph};
pub use level::{CycleError, levels};
pub use node::{Edge, Node, NodeKind};
pub use petgraph::graph::{DiGraph, NodeIndex};
pub use render::Display;

pub(crate) use build::build;
pub(crate) use dependency::{referenced_nodes, rename_references};
pub(crate) use synthetic_id::{FreeIds, free_text};
