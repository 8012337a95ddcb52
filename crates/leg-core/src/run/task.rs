//! [`NodeTask`] and [`NodeOutput`]: the work of a node and its answer, both serialisable. Big data never travels in
//! them: only digests do.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::role::{Dropped, Part, TrackResult};
use crate::run::{Amounts, StoredRendering};
use crate::{
    AgentId, Digest, Evidence, Gap, NodeId, Section, Source, Status, Summary, ToolError, ToolName, TrackId,
};

/// The work of one node.
///
/// ```
/// use leg_core::run::{NodeTask, Work};
///
/// let task = NodeTask {
///     node: "sst".parse()?,
///     track: Some("coast".parse()?),
///     rev: 0,
///     attempt: 0,
///     timeout_s: 60.0,
///     retries: 2,
///     work: Work::Tool { tool: "load".parse()?, args: serde_json::json!({}) },
/// };
/// // It goes to wherever the executor likes, and is the same there.
/// assert_eq!(serde_json::from_value::<NodeTask>(serde_json::to_value(&task)?)?, task);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeTask {
    /// The node.
    pub node: NodeId,
    /// Its track; absent for the merge and the reporter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track: Option<TrackId>,
    /// The plan revision; 0 for the plan that was approved first.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub rev: u64,
    /// How often the overseer fired the node before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub attempt: u64,
    /// Seconds until it is given up.
    pub timeout_s: f64,
    /// How often a transient error of a call is tried again.
    pub retries: u32,
    /// What is to be done.
    pub work: Work,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What is to be done.
///
/// ```
/// use leg_core::run::Work;
///
/// let work = Work::Tool { tool: "load".parse()?, args: serde_json::json!({"offset": 1}) };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Work {
    /// Call a tool; references are resolved.
    Tool {
        /// The tool.
        tool: ToolName,
        /// Its arguments.
        args: Value,
    },
    /// Ask an agent.
    Agent {
        /// The agent.
        agent: AgentId,
        /// The task.
        task: String,
        /// The question of the run.
        question: String,
        /// What earlier layers found.
        context: Arc<Vec<Part>>,
    },
    /// Fold parts into a brief.
    Fold {
        /// In which role.
        role: FoldRole,
        /// The question of the run.
        question: String,
        /// What is folded.
        parts: Vec<Part>,
        /// What is missing.
        gaps: Vec<Gap>,
    },
    /// Write the report.
    Report {
        /// The question of the run.
        question: String,
        /// What each track found.
        tracks: Arc<Vec<TrackResult>>,
        /// The merge's brief.
        brief: String,
        /// What is missing.
        gaps: Vec<Gap>,
        /// What a reader must know.
        notes: Vec<String>,
    },
}

/// The roles that fold.
///
/// ```
/// use leg_core::run::FoldRole;
///
/// assert_eq!(FoldRole::Consolidator.as_str(), "consolidator");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FoldRole {
    /// Folds a layer.
    Consolidator,
    /// Folds all tracks.
    Merge,
    /// Says what the pictures of a node show.
    Image,
}

impl FoldRole {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Consolidator => "consolidator",
            Self::Merge => "merge",
            Self::Image => "image",
        }
    }
}

/// The answer of a node.
///
/// ```
/// use leg_core::run::NodeOutput;
/// use leg_core::{Status, ToolError};
///
/// let output = NodeOutput::failed(Status::Failed, ToolError::no_data("the record ends in 2025"));
/// assert!(output.outputs.is_empty() && output.error.is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeOutput {
    /// How it ended.
    pub status: Status,
    /// Why it did not end well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ToolError>,
    /// Its words.
    #[serde(default)]
    pub text: String,
    /// Artifacts by output name, of a tool call or of an agent's calls.
    #[serde(default)]
    pub outputs: BTreeMap<String, Summary>,
    /// Its evidence.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// What a reader must know.
    #[serde(default)]
    pub notes: Vec<String>,
    /// What it could not find out although it ended well.
    #[serde(default)]
    pub gaps: Vec<String>,
    /// Pictures.
    #[serde(default)]
    pub renderings: Vec<StoredRendering>,
    /// Where its data came from.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// Its calls in the content root, in order.
    #[serde(default)]
    pub calls: Vec<Digest>,
    /// What a fold does not carry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// A reporter's sections.
    #[serde(default)]
    pub sections: Vec<Section>,
    /// The plan that an agent answered with: it runs inside the node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Value>,
    /// What it cost.
    #[serde(default)]
    pub usage: Amounts,
    /// The outputs of the items of a fan-out whose results are joined as a list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub items: Option<Vec<BTreeMap<String, Summary>>>,
    /// Its gaps, and those of its sub-graph; the scheduler fills them in.
    #[serde(skip)]
    pub(crate) missing: Vec<Gap>,
    #[serde(skip)]
    pub(crate) inner_gaps: Vec<Gap>,
}

impl NodeOutput {
    /// A node that ended like this and left nothing.
    pub const fn ended(status: Status) -> Self {
        Self {
            status,
            error: None,
            text: String::new(),
            outputs: BTreeMap::new(),
            evidence: Vec::new(),
            notes: Vec::new(),
            gaps: Vec::new(),
            renderings: Vec::new(),
            sources: Vec::new(),
            calls: Vec::new(),
            dropped: Vec::new(),
            sections: Vec::new(),
            graph: None,
            usage: Amounts::ZERO,
            items: None,
            missing: Vec::new(),
            inner_gaps: Vec::new(),
        }
    }

    /// A node that did not end well.
    pub fn failed(status: Status, error: ToolError) -> Self {
        Self { error: Some(error), ..Self::ended(status) }
    }
}
