//! The port to language models: vendor-neutral messages, so that calls can be recorded and scripted.

mod message;
mod port;

pub use message::{ChatReply, ChatRequest, Message, ModelCall, Piece, StopReason, ToolOffer, Usage};
pub use port::ChatModel;
