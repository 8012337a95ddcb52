//! [`FakeDesk`]: lets an agent call real tools without a run.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use leg_core::run::{CallResult, StoredRendering};
use leg_core::tool::Workbench;
use leg_core::{
    AgentSpec, Desk, Evidence, MemoryObjects, ObjectStore, ObjectStoreExt as _, Registry, ToolError,
    ToolErrorKind, ToolOutput,
};
use serde_json::Value;

use crate::heard::Heard;

/// Lets one agent call the tools of a registry that are on its allow-list, and keeps what it called. There is no
/// ledger and nothing is tried again.
#[derive(Debug)]
pub struct FakeDesk {
    node: String,
    bench: Workbench,
    calls: Heard<(String, Value)>,
}

impl FakeDesk {
    /// A desk for this agent; evidence keys begin with the agent's id.
    pub fn new(registry: Arc<Registry>, agent: &AgentSpec) -> Self {
        let allowed = agent.tools.iter().cloned().collect();
        let objects: Arc<dyn ObjectStore> = Arc::new(MemoryObjects::default());
        Self {
            node: agent.id.to_string(),
            bench: Workbench::new(registry, allowed, objects),
            calls: Heard::default(),
        }
    }

    /// The calls so far, refused ones included.
    pub fn calls(&self) -> Vec<(String, Value)> {
        self.calls.all()
    }

    fn store(&self, output: ToolOutput) -> Result<CallResult, ToolError> {
        let fail = |error: leg_core::StoreError| ToolError::new(ToolErrorKind::Internal, error.to_string());
        let objects = self.bench.objects();
        let mut outputs = BTreeMap::new();
        for (name, artifact) in &output.artifacts {
            outputs.insert(name.clone(), objects.put_artifact(artifact).map_err(fail)?);
        }
        let primary = outputs.keys().next().cloned();
        let evidence = output
            .evidence
            .into_iter()
            .map(|draft| {
                let output = draft.output.as_ref().or(primary.as_ref());
                Evidence {
                    id: None,
                    key: format!("{}.{}", self.node, draft.name),
                    artifact: output.and_then(|name| outputs.get(name)).map(|summary| summary.digest),
                    name: draft.name,
                    value: draft.value,
                    unit: draft.unit,
                    datum: draft.datum,
                    when: draft.when,
                    place: draft.place,
                    baseline: draft.baseline,
                    uncertainty: draft.uncertainty,
                    n: draft.n,
                    method: draft.method,
                    pointer: draft.pointer,
                }
            })
            .collect();
        let mut renderings = Vec::new();
        for rendering in output.renderings {
            let digest = objects.put(&rendering.bytes).map_err(fail)?;
            renderings.push(StoredRendering {
                name: rendering.name,
                media_type: rendering.media_type,
                digest,
            });
        }
        Ok(CallResult {
            outputs,
            evidence,
            notes: output.notes,
            renderings,
            sources: output.sources,
            usage: output.usage,
        })
    }
}

#[async_trait]
impl Desk for FakeDesk {
    async fn call(&self, tool: &str, arguments: Value) -> Result<CallResult, ToolError> {
        self.calls.push((tool.to_owned(), arguments.clone()));
        let output = self.bench.call(tool, arguments).await?;
        self.store(output)
    }
}
