//! [`ChatModel`]: the only way to a language model.

use std::fmt::Debug;

use async_trait::async_trait;

use super::{ChatReply, ChatRequest};
use crate::ToolError;

/// A language model, or a script that stands for one.
///
/// ```
/// use async_trait::async_trait;
/// use leg_core::ToolError;
/// use leg_core::model::{ChatModel, ChatReply, ChatRequest};
///
/// /// Says how much it was told.
/// #[derive(Debug)]
/// struct Count;
///
/// #[async_trait]
/// impl ChatModel for Count {
///     fn name(&self) -> String {
///         "count/1".to_owned()
///     }
///
///     async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ToolError> {
///         Ok(ChatReply::saying(format!("{} messages", request.messages.len())))
///     }
/// }
/// # let reply = tokio::runtime::Runtime::new().unwrap().block_on(Count.chat(&ChatRequest::default())).unwrap();
/// # assert_eq!(reply.text, "0 messages");
/// ```
#[async_trait]
pub trait ChatModel: Send + Sync + Debug {
    /// Its name with a version: it is part of what a replay compares.
    fn name(&self) -> String;

    /// Answers. A reply may ask for calls of the tools that the request offers; nothing is called here.
    ///
    /// # Errors
    /// [`ToolError`]: why there is no reply.
    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ToolError>;
}
