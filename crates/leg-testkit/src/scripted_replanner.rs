//! [`ScriptedReplanner`]: a replanner that gives the plans that a test gave it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use leg_core::run::{Feedback, Replanner};
use leg_core::{Plan, ToolError};

use crate::heard::Heard;

/// What a replanner answers.
type Answer = Result<Option<Plan>, ToolError>;

/// A replanner that gives the answers of a test, in order, and then none. Clones share what is left and what was
/// heard.
#[derive(Debug, Clone, Default)]
pub struct ScriptedReplanner {
    answers: Arc<Mutex<VecDeque<Answer>>>,
    heard: Heard<Feedback>,
}

impl ScriptedReplanner {
    /// One that has no repair.
    pub fn new() -> Self {
        Self::default()
    }

    /// Then gives this plan.
    #[must_use]
    pub fn giving(self, plan: Plan) -> Self {
        self.then(Ok(Some(plan)))
    }

    /// Then says that there is no repair.
    #[must_use]
    pub fn giving_up(self) -> Self {
        self.then(Ok(None))
    }

    /// Then fails.
    #[must_use]
    pub fn failing(self, error: ToolError) -> Self {
        self.then(Err(error))
    }

    fn then(self, answer: Answer) -> Self {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).push_back(answer);
        self
    }

    /// What it was told, in order.
    pub fn heard(&self) -> Vec<Feedback> {
        self.heard.all()
    }
}

#[async_trait]
impl Replanner for ScriptedReplanner {
    fn name(&self) -> String {
        "scripted_replanner/1".to_owned()
    }

    async fn replan(&self, feedback: &Feedback) -> Result<Option<Plan>, ToolError> {
        self.heard.push(feedback.clone());
        self.answers.lock().unwrap_or_else(PoisonError::into_inner).pop_front().unwrap_or(Ok(None))
    }
}
