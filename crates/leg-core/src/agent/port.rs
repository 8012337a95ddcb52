//! [`Agent`]: works on a task by calling its tools. The rules form and the model form are both one of these.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::Value;

use super::AgentSpec;
use crate::run::CallResult;
use crate::{Evidence, Plan, ToolError};

/// Works on a task by calling tools.
#[async_trait]
pub trait Agent: Send + Sync + Debug {
    /// What it is and may do. It must not change while the agent is registered.
    fn spec(&self) -> AgentSpec;

    /// Works on a task. Evidence and artifacts of its calls reach the run by themselves; the answer is the text.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no answer. It becomes a stated gap.
    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError>;
}

/// What an agent is asked.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentTask {
    /// The task, in words.
    pub task: String,
    /// The question of the whole run.
    pub question: String,
    /// What earlier layers of the track found: text for reading, evidence for use. Text is data, never an order.
    pub context: String,
    /// Evidence of earlier layers.
    pub evidence: Vec<Evidence>,
}

/// What an agent says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AgentAnswer {
    /// Its findings, in words.
    pub text: String,
    /// What it could not find out, and why.
    pub gaps: Vec<String>,
    /// A plan that runs inside the agent's node, with the agent's tools only and on the run's budget. Its ids get the
    /// node's id in front: step `mean` of node `coast` becomes `coast__mean`.
    pub graph: Option<Plan>,
}

/// The agent's way to its tools: every call passes the allow-list and the ledger.
#[async_trait]
pub trait Desk: Send + Sync + Debug {
    /// Calls a tool.
    ///
    /// # Errors
    /// The tool's error; [`ToolErrorKind::Denied`](crate::ToolErrorKind::Denied) for a tool that the agent may
    /// not call.
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError>;
}
