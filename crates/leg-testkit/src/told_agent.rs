//! [`ToldAgent`]: an agent that does what its task tells it.

use std::time::Duration;

use async_trait::async_trait;
use leg_core::plan::parse;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, Desk, IdError, ToolError, ToolErrorKind, ToolName,
};
use serde_json::{Value, json};

use crate::heard::Heard;
use crate::script::make_calls;

/// An agent whose task is a JSON object that tells it what to do. A failed call becomes a gap.
///
/// | member | what it does |
/// | --- | --- |
/// | `ms` | sleeps on tokio's clock |
/// | `calls` | calls tools: `[["tool", {arguments}], …]`, in this order |
/// | `plan` | answers with this plan |
/// | `until` | says nothing and calls nothing, before its context has this word |
/// | `fail` | fails with the error kind of this name, after its calls |
/// | `panic` | panics after its calls |
/// | `say` | says this; else `done`, and how many calls went well |
#[derive(Debug, Clone)]
pub struct ToldAgent {
    spec: AgentSpec,
    tasks: Heard<AgentTask>,
}

impl ToldAgent {
    /// An agent that may call these tools.
    ///
    /// # Errors
    /// [`IdError`] when a name is not one.
    pub fn new(id: &str, tools: &[&str]) -> Result<Self, IdError> {
        let mut spec = AgentSpec::specialist(AgentId::new(id)?, "Does what its task says.");
        spec.tools = tools.iter().map(|&name| ToolName::new(name)).collect::<Result<_, _>>()?;
        Ok(Self { spec, tasks: Heard::default() })
    }

    /// Changes the specification in any other way.
    #[must_use]
    pub fn with_spec(mut self, change: impl FnOnce(&mut AgentSpec)) -> Self {
        change(&mut self.spec);
        self
    }

    /// The tasks that it and its clones were given, in order.
    pub fn tasks(&self) -> Vec<AgentTask> {
        self.tasks.all()
    }
}

#[async_trait]
impl Agent for ToldAgent {
    fn spec(&self) -> AgentSpec {
        self.spec.clone()
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        self.tasks.push(task.clone());
        let told: Value = serde_json::from_str(&task.task).unwrap_or_else(|_| json!({}));
        if let Some(ms) = told["ms"].as_u64() {
            tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        if told["until"].as_str().is_some_and(|word| !task.context.contains(word)) {
            return Ok(AgentAnswer::default());
        }
        let calls = told["calls"].as_array().into_iter().flatten();
        let calls = calls.map(|call| (call[0].as_str().unwrap_or_default(), &call[1]));
        let (good, gaps) = make_calls(desk, calls).await;
        if let Some(kind) = told.get("fail") {
            let kind = serde_json::from_value(kind.clone()).unwrap_or(ToolErrorKind::Internal);
            return Err(ToolError::new(kind, "it fails, as it was told"));
        }
        assert!(told.get("panic").is_none(), "it panics, as it was told");
        let text = told["say"].as_str().map_or_else(|| format!("done: {good}"), str::to_owned);
        let graph = told.get("plan").and_then(|plan| parse(plan).ok());
        Ok(AgentAnswer { text, gaps, graph })
    }
}
