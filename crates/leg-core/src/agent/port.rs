//! [`Agent`]: works on a task by calling its tools. The rules form and the model form are both one of these.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::Value;

use super::AgentSpec;
use crate::run::CallResult;
use crate::{Evidence, Plan, ToolError};

/// Works on a task by calling tools.
///
/// [The guide](crate#an-agent) has a whole one. Outside a run, a desk of the test kit does:
///
/// ```
/// use leg_core::{Agent as _, AgentTask};
/// use leg_testkit::{FakeAgent, FakeDesk, fake_registry};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let agent = FakeAgent::new("gauge")?.calling("observe", json!({"what": "level"})).saying("It was high.");
/// let desk = FakeDesk::new(fake_registry()?.into(), &agent.spec());
/// let task = AgentTask { task: "read the gauges".to_owned(), ..AgentTask::default() };
/// let answer = agent.work(task, &desk).await?;
/// assert_eq!(answer.text, "It was high.");
/// assert_eq!(desk.calls().len(), 1);
/// # Ok(())
/// # }
/// ```
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
///
/// ```
/// use leg_core::AgentTask;
///
/// let task = AgentTask { task: "read the gauges".to_owned(), ..AgentTask::default() };
/// assert!(task.context.is_empty() && task.evidence.is_empty(), "a first layer has no context");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
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
///
/// ```
/// use leg_core::AgentAnswer;
///
/// let gap = "station 9990001 was down".to_owned();
/// let text = "Two of three gauges rose.".to_owned();
/// let answer = AgentAnswer { text, gaps: vec![gap], ..AgentAnswer::default() };
/// assert!(answer.graph.is_none(), "it planned nothing of its own");
/// ```
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
///
/// A tool that is not on the agent's list is refused, whatever a model says.
///
/// ```
/// use leg_core::{Agent as _, Desk as _, ToolErrorKind};
/// use leg_testkit::{FakeAgent, FakeDesk, fake_registry};
/// use serde_json::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let agent = FakeAgent::new("gauge")?.calling("observe", json!({}));
/// let desk = FakeDesk::new(fake_registry()?.into(), &agent.spec());
/// let level = desk.call("observe", json!({"what": "level"})).await?;
/// assert_eq!(level.evidence[0].key, "gauge.n");
/// let refused = desk.call("publish", json!({})).await.unwrap_err();
/// assert_eq!(refused.kind, ToolErrorKind::Denied);
/// # Ok(())
/// # }
/// ```
#[async_trait]
pub trait Desk: Send + Sync + Debug {
    /// Calls a tool.
    ///
    /// # Errors
    /// The tool's error; [`ToolErrorKind::Denied`](crate::ToolErrorKind::Denied) for a tool that the agent may
    /// not call.
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError>;
}
