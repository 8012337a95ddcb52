//! What a tool gave, turned into digests: artifacts and pictures go to the store, evidence gets its keys.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use crate::canonical::{Writer, settled};
use crate::run::gate::Gate;
use crate::run::{CallResult, StoredRendering};
use crate::{
    Digest, Evidence, EvidenceDraft, NodeId, ObjectStoreExt as _, RegisteredTool, StoreError, Summary,
    ToolError, ToolErrorKind, ToolOutput,
};

impl Gate {
    /// Stores what the tool gave and turns it into digests.
    pub(crate) fn keep(&self, tool: &RegisteredTool, output: ToolOutput) -> Result<CallResult, ToolError> {
        let internal = |message: String| ToolError::new(ToolErrorKind::Internal, message);
        let objects = &self.scope.objects;
        let mut result = CallResult {
            notes: output.notes,
            sources: output.sources,
            usage: output.usage,
            ..CallResult::default()
        };
        for (name, artifact) in &output.artifacts {
            let known = tool.spec.find_output(name);
            if known.is_none_or(|declared| !declared.port.accepts(artifact.kind)) {
                let tool = &tool.spec.name;
                return Err(internal(format!(
                    "tool `{tool}` returned `{name}` ({}), which it does not declare",
                    artifact.kind
                )));
            }
            let summary = objects.put_artifact(artifact).map_err(|error| internal(error.to_string()))?;
            result.outputs.insert(name.clone(), summary);
        }
        for rendering in output.renderings {
            let digest = objects.put(&rendering.bytes).map_err(|error| internal(error.to_string()))?;
            result.renderings.push(StoredRendering {
                name: rendering.name,
                media_type: rendering.media_type,
                digest,
            });
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for draft in output.evidence {
            let name = free_name(&mut state.names, &draft.name);
            let of = draft.output.as_deref().unwrap_or_else(|| tool.spec.primary());
            let artifact = result.outputs.get(of).map(|summary: &Summary| summary.digest);
            result.evidence.push(evidence(self.node(), name, draft, artifact));
        }
        Ok(result)
    }

    /// Stores outputs, evidence and notes: the part of a result that a replay must give again.
    pub(crate) fn store_result(&self, result: &CallResult) -> Result<Digest, StoreError> {
        let mut out = Writer::with_capacity(256);
        let mut object = out.object();
        object.key("evidence").value(result.evidence.as_slice())?;
        object.key("notes").array(&result.notes, |out, note| {
            out.str(note);
            Ok(())
        })?;
        object.key("outputs").value(&serde_json::json!(result.outputs))?;
        object.end();
        self.scope.kept.put(out.as_bytes())
    }
}

/// The name itself, or with the next number when an earlier call of the node has taken it.
fn free_name(taken: &mut BTreeSet<String>, name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

fn evidence(node: &NodeId, name: String, draft: EvidenceDraft, artifact: Option<Digest>) -> Evidence {
    Evidence {
        id: None,
        key: format!("{node}.{name}"),
        name,
        value: settled(draft.value),
        unit: draft.unit,
        datum: draft.datum,
        when: draft.when,
        place: draft.place.map(settled),
        baseline: draft.baseline,
        uncertainty: draft.uncertainty.map(settled),
        n: draft.n,
        method: draft.method,
        artifact,
        pointer: draft.pointer,
    }
}
