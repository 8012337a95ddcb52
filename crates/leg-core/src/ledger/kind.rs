//! [`EntryKind`]: the closed list of what a ledger line can say.

use serde::{Deserialize, Serialize};

macro_rules! kinds {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// What a ledger line says.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum EntryKind {
            $($(#[$doc])* $variant,)*
        }

        impl EntryKind {
            /// All kinds, in the order of the list.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The name in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

kinds! {
    /// A run begins.
    RunStarted = "run_started",
    /// A planner or a file gave a plan.
    PlanProposed = "plan_proposed",
    /// The plan's text or values were mended.
    PlanRepaired = "plan_repaired",
    /// A routing rule changed the graph.
    RuleApplied = "rule_applied",
    /// Somebody approved the graph.
    PlanApproved = "plan_approved",
    /// The graph changed while it ran.
    PlanRevision = "plan_revision",
    /// A layer begins.
    LayerStarted = "layer_started",
    /// A node begins.
    NodeStarted = "node_started",
    /// A tool is about to be called.
    CallStarted = "call_started",
    /// A call ended.
    CallFinished = "call_finished",
    /// A model answered.
    ModelCall = "model_call",
    /// A person or a policy decided.
    Decision = "decision",
    /// The time was read.
    Clock = "clock",
    /// A random number was drawn.
    Random = "random",
    /// Something could not be found out.
    Gap = "gap",
    /// The allow-list refused a call.
    Denied = "denied",
    /// The overseer judged a layer.
    Overseer = "overseer",
    /// The planner mended the plan.
    Replan = "replan",
    /// A consolidator or a merge wrote a brief.
    Merge = "merge",
    /// The report says something.
    Claim = "claim",
    /// A node ended.
    NodeFinished = "node_finished",
    /// A layer ended.
    LayerFinished = "layer_finished",
    /// All before is on the disk.
    Checkpoint = "checkpoint",
    /// The run ended.
    RunFinished = "run_finished",
}

impl EntryKind {
    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::EntryKind;

    #[test]
    fn names_are_those_of_the_json() {
        for kind in EntryKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }
}
