//! [`Registry`]: the tools and agents that a program has. It is a value; there is no global one.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonschema::Validator;

use crate::tool::schema_faults;
use crate::{
    Agent, AgentId, AgentSpec, Digest, Domain, Purity, Tool, ToolError, ToolErrorKind, ToolName, ToolSpec,
};

/// The tools and agents that a program has.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::Registry;
/// use leg_testkit::{FakeAgent, FakeTool};
/// use serde_json::json;
///
/// let mut registry = Registry::default();
/// registry.add_tool(Arc::new(FakeTool::echo("observe")))?;
/// registry.add_agent(Arc::new(FakeAgent::new("gauge")?.calling("observe", json!({}))))?;
/// assert_eq!(registry.tools().count(), 1);
/// assert!(registry.agent("gauge").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Registry {
    tools: BTreeMap<ToolName, RegisteredTool>,
    agents: BTreeMap<AgentId, RegisteredAgent>,
}

/// A tool with what was worked out once.
///
/// ```
/// # let registry = leg_testkit::fake_registry()?;
/// let mean = registry.tool("mean").unwrap();
/// assert!(!mean.validator().is_valid(&serde_json::json!({"no": "data"})));
/// mean.check_unchanged()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RegisteredTool {
    /// The tool.
    pub tool: Arc<dyn Tool>,
    /// Its specification.
    pub spec: ToolSpec,
    /// Digest of the specification.
    pub definition: Digest,
    validator: Validator,
}

/// An agent with what was worked out once.
///
/// ```
/// # let registry = leg_testkit::fake_registry()?;
/// let gauge = registry.agent("gauge").unwrap();
/// assert_eq!(gauge.spec.needs, ["storm_track"]);
/// assert_eq!(gauge.definition, gauge.spec.definition());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RegisteredAgent {
    /// The agent.
    pub agent: Arc<dyn Agent>,
    /// Its specification.
    pub spec: AgentSpec,
    /// Digest of the specification.
    pub definition: Digest,
}

/// A tool or an agent cannot be registered.
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::{Registry, RegistryError};
/// use leg_testkit::FakeTool;
///
/// let mut registry = Registry::default();
/// registry.add_tool(Arc::new(FakeTool::echo("observe")))?;
/// let again = registry.add_tool(Arc::new(FakeTool::echo("observe")));
/// assert!(matches!(again, Err(RegistryError::Duplicate { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// The name is taken.
    #[error("`{name}` is registered already; give the second one another name")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// The arguments' schema is not a JSON Schema.
    #[error("the arguments' schema of tool `{tool}` is not valid: {reason}")]
    Schema {
        /// The tool.
        tool: ToolName,
        /// What is wrong.
        reason: String,
    },
    /// An agent lists a tool that is not there.
    #[error("agent `{agent}` lists tool `{tool}`, which is not registered; register the tool first")]
    UnknownTool {
        /// The agent.
        agent: AgentId,
        /// The tool.
        tool: ToolName,
    },
}

impl Registry {
    /// Adds a tool.
    ///
    /// # Errors
    /// [`RegistryError`] for a name that is taken or a schema that is not valid.
    pub fn add_tool(&mut self, tool: Arc<dyn Tool>) -> Result<&mut Self, RegistryError> {
        let spec = tool.spec();
        if self.tools.contains_key(&spec.name) {
            return Err(RegistryError::Duplicate { name: spec.name.to_string() });
        }
        let faults: Vec<String> = schema_faults(&spec.arguments).iter().map(ToString::to_string).collect();
        if !faults.is_empty() {
            return Err(RegistryError::Schema { tool: spec.name, reason: faults.join("; ") });
        }
        let validator = jsonschema::draft202012::new(&spec.arguments)
            .map_err(|error| RegistryError::Schema { tool: spec.name.clone(), reason: error.to_string() })?;
        let definition = spec.definition();
        self.tools.insert(spec.name.clone(), RegisteredTool { tool, spec, definition, validator });
        Ok(self)
    }

    /// Adds an agent, whose tools must be there.
    ///
    /// # Errors
    /// [`RegistryError`] for an id that is taken or a tool that is not registered.
    pub fn add_agent(&mut self, agent: Arc<dyn Agent>) -> Result<&mut Self, RegistryError> {
        let spec = agent.spec();
        if self.agents.contains_key(&spec.id) {
            return Err(RegistryError::Duplicate { name: spec.id.to_string() });
        }
        if let Some(tool) = spec.tools.iter().find(|tool| !self.tools.contains_key(*tool)) {
            return Err(RegistryError::UnknownTool { agent: spec.id.clone(), tool: tool.clone() });
        }
        let definition = spec.definition();
        self.agents.insert(spec.id.clone(), RegisteredAgent { agent, spec, definition });
        Ok(self)
    }

    /// The tool with this name.
    pub fn tool(&self, name: &str) -> Option<&RegisteredTool> {
        self.tools.get(name)
    }

    /// The agent with this id.
    pub fn agent(&self, id: &str) -> Option<&RegisteredAgent> {
        self.agents.get(id)
    }

    /// All tools by name.
    pub fn tools(&self) -> impl Iterator<Item = &RegisteredTool> + Clone {
        self.tools.values()
    }

    /// All agents by id.
    pub fn agents(&self) -> impl Iterator<Item = &RegisteredAgent> + Clone {
        self.agents.values()
    }

    /// The digest of all definitions.
    pub fn digest(&self) -> Digest {
        let mut hasher = crate::digest::Hasher::new(Domain::Registry);
        for definition in
            self.tools.values().map(|t| t.definition).chain(self.agents.values().map(|a| a.definition))
        {
            hasher.update(definition.as_bytes());
        }
        hasher.finish()
    }
}

impl RegisteredTool {
    /// Whether an external tool still says of itself what it said when it was registered: a server may have changed
    /// its description, its schema or its effect since. Other tools are part of this program.
    ///
    /// # Errors
    /// [`ToolErrorKind::DefinitionChanged`] names the parts that changed.
    pub fn check_unchanged(&self) -> Result<(), ToolError> {
        if self.spec.purity != Purity::External {
            return Ok(());
        }
        let now = self.tool.spec();
        if now.definition() == self.definition {
            return Ok(());
        }
        let parts = self.spec.differences(&now).join(", ");
        Err(ToolError::new(
            ToolErrorKind::DefinitionChanged,
            format!(
                "the definition of tool `{}` changed since it was approved ({parts}); look at it and have the plan \
                 approved again",
                self.spec.name
            ),
        ))
    }

    /// The compiled schema of the arguments.
    pub const fn validator(&self) -> &Validator {
        &self.validator
    }
}
