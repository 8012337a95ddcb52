//! [`ScriptedOverseer`]: an overseer that says what a test gave it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use leg_core::ToolError;
use leg_core::run::{Judgement, LayerView, Overseer};

use crate::heard::Heard;

/// An overseer that says the judgements of a test about the nodes that they name, each once, and finds everything
/// else fine. Clones share what is left and what was seen.
#[derive(Debug, Clone, Default)]
pub struct ScriptedOverseer {
    judgements: Arc<Mutex<Vec<Judgement>>>,
    failure: Option<ToolError>,
    seen: Heard<LayerView>,
}

impl ScriptedOverseer {
    /// One that finds everything fine.
    pub fn new() -> Self {
        Self::default()
    }

    /// Says this, when the layer of the node has ended.
    #[must_use]
    pub fn judging(self, judgement: Judgement) -> Self {
        self.judgements.lock().unwrap_or_else(PoisonError::into_inner).push(judgement);
        self
    }

    /// Gives no judgement at all.
    #[must_use]
    pub fn failing(mut self, error: ToolError) -> Self {
        self.failure = Some(error);
        self
    }

    /// The layers that it saw, in order.
    pub fn seen(&self) -> Vec<LayerView> {
        self.seen.all()
    }
}

#[async_trait]
impl Overseer for ScriptedOverseer {
    fn name(&self) -> String {
        "scripted_overseer/1".to_owned()
    }

    async fn judge(&self, layer: &LayerView) -> Result<Vec<Judgement>, ToolError> {
        self.seen.push(layer.clone());
        if let Some(error) = &self.failure {
            return Err(error.clone());
        }
        let mut left = self.judgements.lock().unwrap_or_else(PoisonError::into_inner);
        let mut said = Vec::new();
        for node in &layer.nodes {
            if let Some(at) = left.iter().position(|judgement| judgement.node == node.node) {
                said.push(left.remove(at));
            }
        }
        Ok(said)
    }
}
