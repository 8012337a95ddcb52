//! The roles that every graph has: consolidator, cross-track merge, image, reporter.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::Brief;
use crate::{Claim, Evidence, NodeId, Status, Summary, ToolError, TrackId};

/// What one node, or one track, brings to a fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The node or track that it comes from.
    pub from: String,
    /// What it was to do.
    pub goal: String,
    /// How it ended.
    pub status: Status,
    /// Its words.
    pub text: String,
    /// Its evidence. A fold reads it; the engine carries on what the fold does not drop with a reason.
    pub evidence: Vec<Evidence>,
}

/// What a consolidator or a merge is given, in plan order.
#[derive(Debug, Clone, PartialEq)]
pub struct FoldInput {
    /// The question of the run.
    pub question: String,
    /// What is folded.
    pub parts: Vec<Part>,
    /// What is missing.
    pub gaps: Vec<Gap>,
}

/// Folds the results of a layer, or of all tracks, into one brief.
#[async_trait]
pub trait Fold: Send + Sync + Debug {
    /// A name with a version: it is part of what a replay compares.
    fn name(&self) -> String;

    /// Writes the brief. It shortens text; evidence passes it by, but for what it drops with a reason.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no brief. The engine then joins the texts itself.
    async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError>;
}

/// Something that a run could not find out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The node that has nothing.
    pub node: NodeId,
    /// Its track.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<TrackId>,
    /// How it ended.
    pub status: Status,
    /// Why, and what to do.
    pub reason: String,
}

/// What a reporter is given.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportInput {
    /// The question of the run.
    pub question: String,
    /// What each track found, in plan order; evidence has its ids.
    pub tracks: Arc<Vec<TrackResult>>,
    /// The merge's brief, when there were several tracks.
    pub brief: String,
    /// What is missing.
    pub gaps: Vec<Gap>,
    /// What tools said that a reader must know.
    pub notes: Vec<String>,
}

/// What a track found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrackResult {
    /// The track.
    pub track: TrackId,
    /// What it was to find.
    pub goal: String,
    /// Its brief.
    pub text: String,
    /// Its nodes with their evidence.
    pub parts: Vec<Part>,
    /// The key prefix of the node that its `result` names, or of its last node.
    pub result: Option<NodeId>,
    /// Its artifacts, by node.
    pub artifacts: Vec<(NodeId, Summary)>,
}

/// A section of a report: a heading and its claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The heading; empty for the first words of a report.
    pub heading: String,
    /// The sentences, in order.
    pub claims: Vec<Claim>,
}

/// Writes the answer as claims; the engine checks them, renders them and adds gaps, notes and the evidence.
#[async_trait]
pub trait Reporter: Send + Sync + Debug {
    /// A name with a version: it is part of what a replay compares.
    fn name(&self) -> String;

    /// Writes the sections. Every number in a claim must follow from the evidence that the claim cites.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no report. The engine then lists the evidence itself.
    async fn report(&self, input: &ReportInput) -> Result<Vec<Section>, ToolError>;
}
