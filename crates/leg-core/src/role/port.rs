//! The roles that every graph has: consolidator, cross-track merge, image, reporter.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::Brief;
use crate::{Claim, Evidence, NodeId, Status, Summary, ToolError, TrackId};

/// What one node, or one track, brings to a fold.
///
/// ```
/// use leg_core::Status;
/// use leg_core::role::Part;
///
/// let part = Part {
///     from: "gauges".to_owned(),
///     goal: "read the water levels".to_owned(),
///     status: Status::Ok,
///     text: "Two of three gauges rose.".to_owned(),
///     evidence: Vec::new(),
/// };
/// ```
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
///
/// ```
/// use leg_core::FoldInput;
///
/// let nothing = FoldInput { question: "How high was it?".to_owned(), parts: Vec::new(), gaps: Vec::new() };
/// ```
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
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::{Brief, Fold, FoldInput, ToolError};
///
/// /// Says how many were heard.
/// #[derive(Debug)]
/// struct Count;
///
/// #[async_trait]
/// impl Fold for Count {
///     fn name(&self) -> String {
///         "count/1".to_owned()
///     }
///
///     async fn fold(&self, input: FoldInput) -> Result<Brief, ToolError> {
///         // Evidence passes a fold by: there is no place for it in a brief.
///         Ok(Brief::new(format!("{} of them answered", input.parts.len())))
///     }
/// }
/// # let input = FoldInput { question: String::new(), parts: Vec::new(), gaps: Vec::new() };
/// # let brief = tokio::runtime::Runtime::new().unwrap().block_on(Count.fold(input)).unwrap();
/// # assert_eq!(brief.text, "0 of them answered");
/// ```
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
///
/// ```
/// use leg_core::{Gap, Status};
///
/// let gap = Gap {
///     node: "levels".parse()?,
///     track: Some("coast".parse()?),
///     status: Status::Timeout,
///     reason: "station 9990001 did not answer".to_owned(),
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::ReportInput;
///
/// let input = ReportInput {
///     question: "How high was it?".to_owned(),
///     tracks: Arc::default(),
///     brief: String::new(),
///     gaps: Vec::new(),
///     notes: Vec::new(),
/// };
/// ```
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
///
/// ```
/// use leg_core::TrackResult;
///
/// let result = TrackResult {
///     track: "coast".parse()?,
///     goal: "temperature".to_owned(),
///     text: "It warmed.".to_owned(),
///     parts: Vec::new(),
///     result: Some("mean".parse()?),
///     artifacts: Vec::new(),
/// };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// use leg_core::{Claim, EvidenceId, Operation, Section};
///
/// let claim = Claim::new("The mean was 19 degC.", vec![EvidenceId::numbered(1)], Operation::Quote);
/// let section = Section { heading: "Temperature".to_owned(), claims: vec![claim] };
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// The heading; empty for the first words of a report.
    pub heading: String,
    /// The sentences, in order.
    pub claims: Vec<Claim>,
}

/// Writes the answer as claims; the engine checks them, renders them and adds gaps, notes and the evidence.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::{Claim, Operation, ReportInput, Reporter, Section, ToolError};
///
/// /// Says no more than how many tracks there were.
/// #[derive(Debug)]
/// struct Terse;
///
/// #[async_trait]
/// impl Reporter for Terse {
///     fn name(&self) -> String {
///         "terse/1".to_owned()
///     }
///
///     async fn report(&self, input: &ReportInput) -> Result<Vec<Section>, ToolError> {
///         let text = format!("{} tracks were followed.", input.tracks.len());
///         let claims = vec![Claim::new(text, Vec::new(), Operation::None)];
///         Ok(vec![Section { heading: "Answer".to_owned(), claims }])
///     }
/// }
/// assert_eq!(Terse.name(), "terse/1");
/// ```
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
