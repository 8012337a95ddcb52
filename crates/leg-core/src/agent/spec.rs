//! [`AgentSpec`]: what an agent is and may do.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{AgentId, DataClass, Digest, Domain, ToolName, canonical};

/// Whether an agent knows one service or serves all.
///
/// ```
/// use leg_core::AgentKind;
///
/// assert_eq!(serde_json::to_value(AgentKind::GeneralPurpose).unwrap(), "general_purpose");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// Knows one source.
    Specialist,
    /// Serves any question.
    GeneralPurpose,
}

/// What an agent takes at most for one task, as its author expects. An approver sees it; it is no limit by itself:
/// that is a node's `budget`.
///
/// ```
/// use leg_core::{AgentId, AgentSpec, Expectation};
///
/// let mut spec = AgentSpec::specialist(AgentId::new("gauges")?, "Reads water levels.");
/// // The cost of a graph, and the budget of a run, count on it.
/// spec.expects = Some(Expectation { calls: 3, tokens: 2_000 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expectation {
    /// Calls of tools.
    pub calls: u64,
    /// Tokens of models, in and out; 0 for one that asks no model.
    pub tokens: u64,
}

/// What an agent is and may do. Its digest is part of what an approval names.
///
/// ```
/// use leg_core::{AgentId, AgentSpec, DataClass, ToolName};
///
/// let mut spec = AgentSpec::specialist(AgentId::new("gauges")?, "Reads water levels.");
/// spec.data_class = Some(DataClass::Observation);
/// spec.needs = vec!["storm_track".to_owned()];
/// let before = spec.definition();
/// // What an agent may call is part of what an approval names.
/// spec.tools = vec![ToolName::new("water_level")?];
/// assert_ne!(spec.definition(), before);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// The id that plans use.
    pub id: AgentId,
    /// Specialist or general-purpose.
    pub kind: AgentKind,
    /// One line.
    pub summary: String,
    /// The class of its results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_class: Option<DataClass>,
    /// What a model is told; the rules form does not read it.
    #[serde(default)]
    pub system_prompt: String,
    /// What a router may send to it.
    #[serde(default)]
    pub capabilities: Vec<String>,
    /// Words and phrases of a question that send it here, in small letters: what a planner without a model goes by. One that
    /// begins with `-` sends nothing here: where this agent is asked for by another cue, the phrase is meant for it alone. One
    /// that begins with `@` is weak: it counts where the question names something that this agent holds, such as a gauge. One
    /// that begins with `=` asks for something that stands alone, such as a list, and needs no subject.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cues: Vec<String>,
    /// The only tools that it may call.
    #[serde(default)]
    pub tools: Vec<ToolName>,
    /// Facts that its result holds, such as `storm_track`.
    #[serde(default)]
    pub provides: Vec<String>,
    /// Facts that it uses when an earlier layer has them.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Whether its result includes pictures.
    #[serde(default)]
    pub produces_images: bool,
    /// What it takes at most for one task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<Expectation>,
}

impl AgentSpec {
    /// A specialist with nothing but an id and a summary.
    pub fn specialist(id: AgentId, summary: &str) -> Self {
        Self {
            id,
            kind: AgentKind::Specialist,
            summary: summary.to_owned(),
            data_class: None,
            system_prompt: String::new(),
            capabilities: Vec::new(),
            cues: Vec::new(),
            tools: Vec::new(),
            provides: Vec::new(),
            needs: Vec::new(),
            produces_images: false,
            expects: None,
        }
    }

    /// The digest of the whole definition.
    pub fn definition(&self) -> Digest {
        let json = serde_json::to_value(self).unwrap_or(Value::Null);
        Digest::of(Domain::Definition, &canonical::to_vec(&json).unwrap_or_default())
    }
}
