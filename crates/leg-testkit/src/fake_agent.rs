//! [`FakeAgent`]: an agent that does what a test tells it.

use std::time::Duration;

use async_trait::async_trait;
use leg_core::{
    Agent, AgentAnswer, AgentId, AgentSpec, AgentTask, DataClass, Desk, Expectation, IdError, ToolError,
    ToolErrorKind, ToolName,
};
use serde_json::Value;

use crate::heard::Heard;
use crate::script::make_calls;

/// An agent that makes the calls that a test gave it, in order, and says what the test gave it. A failed call
/// becomes a gap.
#[derive(Debug, Clone)]
pub struct FakeAgent {
    spec: AgentSpec,
    script: Vec<(String, Value)>,
    text: Option<String>,
    failure: Option<ToolErrorKind>,
    panics: bool,
    sleep: Option<Duration>,
    tasks: Heard<AgentTask>,
}

impl FakeAgent {
    /// An agent without tools that answers `<id> did: <task>`.
    ///
    /// # Errors
    /// [`IdError`] when the id is not one.
    pub fn new(id: &str) -> Result<Self, IdError> {
        Ok(Self {
            spec: AgentSpec::specialist(AgentId::new(id)?, "Does what a test tells it."),
            script: Vec::new(),
            text: None,
            failure: None,
            panics: false,
            sleep: None,
            tasks: Heard::default(),
        })
    }

    /// Calls this tool, which is put on the allow-list.
    #[must_use]
    pub fn calling(mut self, tool: &str, arguments: Value) -> Self {
        if let Ok(name) = ToolName::new(tool)
            && !self.spec.tools.contains(&name)
        {
            self.spec.tools.push(name);
        }
        self.calling_unlisted(tool, arguments)
    }

    /// Calls this tool, which stays off the allow-list.
    #[must_use]
    pub fn calling_unlisted(mut self, tool: &str, arguments: Value) -> Self {
        self.script.push((tool.to_owned(), arguments));
        self
    }

    /// Says this.
    #[must_use]
    pub fn saying(mut self, text: &str) -> Self {
        self.text = Some(text.to_owned());
        self
    }

    /// Fails after its calls.
    #[must_use]
    pub const fn failing(mut self, kind: ToolErrorKind) -> Self {
        self.failure = Some(kind);
        self
    }

    /// Panics after its calls.
    #[must_use]
    pub const fn panicking(mut self) -> Self {
        self.panics = true;
        self
    }

    /// Sleeps on tokio's clock before it does anything.
    #[must_use]
    pub const fn sleeping(mut self, time: Duration) -> Self {
        self.sleep = Some(time);
        self
    }

    /// Sets the class of its results.
    #[must_use]
    pub const fn data_class(mut self, class: DataClass) -> Self {
        self.spec.data_class = Some(class);
        self
    }

    /// Says what its result holds.
    #[must_use]
    pub fn providing(mut self, fact: &str) -> Self {
        self.spec.provides.push(fact.to_owned());
        self
    }

    /// Says what it uses when an earlier layer has it.
    #[must_use]
    pub fn needing(mut self, fact: &str) -> Self {
        self.spec.needs.push(fact.to_owned());
        self
    }

    /// Says that its result includes pictures.
    #[must_use]
    pub const fn producing_images(mut self) -> Self {
        self.spec.produces_images = true;
        self
    }

    /// Says what it takes at most for one task.
    #[must_use]
    pub const fn expecting(mut self, calls: u64, tokens: u64) -> Self {
        self.spec.expects = Some(Expectation { calls, tokens });
        self
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
impl Agent for FakeAgent {
    fn spec(&self) -> AgentSpec {
        self.spec.clone()
    }

    async fn work(&self, task: AgentTask, desk: &dyn Desk) -> Result<AgentAnswer, ToolError> {
        let id = &self.spec.id;
        self.tasks.push(task.clone());
        if let Some(time) = self.sleep {
            tokio::time::sleep(time).await;
        }
        let script = self.script.iter().map(|(tool, arguments)| (tool.as_str(), arguments));
        let (_, gaps) = make_calls(desk, script).await;
        if let Some(kind) = self.failure {
            return Err(ToolError::new(kind, format!("`{id}` fails, as it was told")));
        }
        assert!(!self.panics, "`{id}` panics, as it was told");
        let text = self.text.clone().unwrap_or_else(|| format!("{id} did: {}", task.task));
        Ok(AgentAnswer { text, gaps, graph: None })
    }
}
