//! [`NodeWords`]: the part of a node's output that stands in no call: its words, its gaps, its sections, its
//! sub-graph. It is stored as an object, so that a resumed run need not ask the node again.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::canonical;
use crate::role::Dropped;
use crate::run::NodeOutput;
use crate::{Digest, ObjectStore, Section};

/// What a node said.
///
/// ```
/// use leg_core::run::NodeWords;
///
/// let words = NodeWords { text: "It warmed.".to_owned(), ..NodeWords::default() };
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeWords {
    /// What a fold does not carry on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<Dropped>,
    /// What it could not find out although it ended well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gaps: Vec<String>,
    /// The plan that an agent answered with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub graph: Option<Value>,
    /// A reporter's sections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<Section>,
    /// Its words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl NodeWords {
    /// Stores the words of an output; `None` when it has none, or when they cannot be stored: a resumed run then asks
    /// the node again.
    pub(crate) fn stored(output: &NodeOutput, store: &dyn ObjectStore) -> Option<Digest> {
        let silent = output.text.is_empty() && output.gaps.is_empty() && output.sections.is_empty();
        if silent && output.graph.is_none() && output.dropped.is_empty() {
            return None;
        }
        let words = Self {
            dropped: output.dropped.clone(),
            gaps: output.gaps.clone(),
            graph: output.graph.clone(),
            sections: output.sections.clone(),
            text: output.text.clone(),
        };
        let json = serde_json::to_value(&words).ok()?;
        store.put(&canonical::to_vec(&json).ok()?).ok()
    }

    /// Reads stored words.
    pub(crate) fn read(digest: &Digest, store: &dyn ObjectStore) -> Option<Self> {
        serde_json::from_slice(&store.get(digest).ok()?).ok()
    }
}
