//! [`ScriptedModel`]: a model that says what it is told to say.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use leg_core::model::{ChatModel, ChatReply, ChatRequest};
use leg_core::{ToolError, ToolErrorKind};

/// A model that gives its replies in order, and keeps what it was asked.
///
/// ```
/// use leg_core::model::{ChatModel as _, ChatReply, ChatRequest};
/// use leg_testkit::ScriptedModel;
///
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// let model = ScriptedModel::new(vec![ChatReply::saying("Yes.")]);
/// assert_eq!(model.chat(&ChatRequest::default()).await.unwrap().text, "Yes.");
/// assert!(model.chat(&ChatRequest::default()).await.is_err(), "the script has ended");
/// assert_eq!(model.heard().len(), 2);
/// # });
/// ```
#[derive(Debug)]
pub struct ScriptedModel {
    replies: Mutex<VecDeque<ChatReply>>,
    heard: Mutex<Vec<ChatRequest>>,
}

impl ScriptedModel {
    /// A model with these replies.
    pub fn new(replies: Vec<ChatReply>) -> Self {
        Self { replies: Mutex::new(replies.into()), heard: Mutex::default() }
    }

    /// What it was asked, in order.
    pub fn heard(&self) -> Vec<ChatRequest> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[async_trait]
impl ChatModel for ScriptedModel {
    fn name(&self) -> String {
        "scripted_model/1".to_owned()
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ToolError> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
        let reply = self.replies.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        reply.ok_or_else(|| ToolError::new(ToolErrorKind::Unavailable, "the script of the model has ended"))
    }
}
