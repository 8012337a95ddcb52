//! The graph that really ran: what nodes were expanded to, written down as one plan revision at the end.

use serde::Serialize;
use serde_json::{Value, json};

use crate::canonical;
use crate::ledger::EntryKind;
use crate::run::state::RunState;
use crate::{NodeId, TrackId};

/// What a node was expanded to.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Expansion {
    node: NodeId,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<NodeId>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tracks: Vec<TrackId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inner: Vec<Expansion>,
}

impl Expansion {
    /// The items of a fan-out.
    pub(crate) const fn items(node: NodeId, children: Vec<NodeId>) -> Self {
        Self { node, children, tracks: Vec::new(), plan: None, inner: Vec::new() }
    }

    /// A sub-graph, with what was expanded in it.
    pub(crate) const fn sub_graph(node: NodeId, tracks: Vec<TrackId>, plan: Value, inner: Vec<Self>) -> Self {
        Self { node, children: Vec::new(), tracks, plan: Some(plan), inner }
    }
}

impl RunState {
    /// Records the graph with all that it was expanded to; without expansions it is the one that was approved.
    pub(crate) fn record_executed(&self) {
        let expansions = self.expansions();
        let scope = &self.shared.scope;
        if expansions.is_empty() || !scope.port.is_recording() {
            return;
        }
        let executed = json!({"plan": self.graph.plan().to_json(), "expansions": expansions});
        let stored = canonical::to_vec(&executed).ok().and_then(|bytes| scope.kept.put(&bytes).ok());
        let Some(digest) = stored else { return };
        scope.record(
            EntryKind::PlanRevision,
            |core| {
                core.key("cause").str("executed");
                core.key("plan").digest(&digest);
                if self.rev > 0 {
                    core.key("rev").count(self.rev);
                }
                Ok(())
            },
            |_| Ok(()),
        );
    }
}
