//! [`Definitions`]: what the tools and agents of a plan were when it was approved.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::canonical::{self, Canonical, CanonicalError, Writer};
use crate::plan::{Body, Plan};
use crate::{AgentId, Digest, Domain, Registry, ToolName};

/// Digests of all definitions that a plan can reach: its tools, its agents, and every tool on the list of one of
/// its agents.
///
/// ```
/// use leg_core::graph::Definitions;
///
/// # let (graph, registry) = leg_testkit::small_graph();
/// let names: Vec<&str> = graph.definitions().tools.keys().map(|name| name.as_str()).collect();
/// assert_eq!(names, ["load", "mean"]);
/// assert_eq!(&Definitions::reached_by(graph.plan(), &registry), graph.definitions());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definitions {
    /// Agents by id.
    pub agents: BTreeMap<AgentId, Digest>,
    /// Tools by name.
    pub tools: BTreeMap<ToolName, Digest>,
}

impl Definitions {
    /// The definitions that a plan can reach. Names that are not registered are left out.
    pub fn reached_by(plan: &Plan, registry: &Registry) -> Self {
        let mut found = Self::default();
        for track in &plan.tracks {
            match &track.body {
                Body::Steps(steps) => {
                    for step in steps {
                        found.add_tool(&step.tool, registry);
                    }
                }
                Body::Layers(layers) => {
                    for node in layers.iter().flat_map(|layer| &layer.nodes) {
                        found.add_agent(&node.agent, registry);
                    }
                }
            }
        }
        found
    }

    fn add_tool(&mut self, name: &ToolName, registry: &Registry) {
        if self.tools.contains_key(name) {
            return;
        }
        if let Some(tool) = registry.tool(name.as_str()) {
            self.tools.insert(name.clone(), tool.definition);
        }
    }

    fn add_agent(&mut self, id: &AgentId, registry: &Registry) {
        if self.agents.contains_key(id) {
            return;
        }
        if let Some(agent) = registry.agent(id.as_str()) {
            self.agents.insert(id.clone(), agent.definition);
            for tool in &agent.spec.tools {
                self.add_tool(tool, registry);
            }
        }
    }
}

impl Canonical for Definitions {
    fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
        let mut object = out.object();
        let mut agents = object.key("agents").object();
        for (id, digest) in &self.agents {
            agents.key(id.as_str()).display(digest);
        }
        agents.end();
        let mut tools = object.key("tools").object();
        for (name, digest) in &self.tools {
            tools.key(name.as_str()).display(digest);
        }
        tools.end();
        object.end();
        Ok(())
    }
}

/// The digest that an approval names.
pub(super) fn approved_digest(plan: &Plan, definitions: &Definitions) -> Result<Digest, CanonicalError> {
    struct Approved<'a>(&'a Plan, &'a Definitions);
    impl Canonical for Approved<'_> {
        fn write(&self, out: &mut Writer) -> Result<(), CanonicalError> {
            let mut object = out.object();
            object.key("definitions").value(self.1)?;
            object.key("plan").value(self.0)?;
            object.end();
            Ok(())
        }
    }
    Ok(Digest::of(Domain::Plan, &canonical::to_vec(&Approved(plan, definitions))?))
}
