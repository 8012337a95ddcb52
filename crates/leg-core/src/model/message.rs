//! What goes to a model and what comes back.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a model is asked.
///
/// ```
/// use leg_core::model::{ChatRequest, Message};
///
/// let request = ChatRequest { system: "Be brief.".into(), messages: vec![Message::user("How high?")], ..ChatRequest::default() };
/// assert!(request.tools.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    /// What it is and what it must keep to.
    pub system: String,
    /// The talk so far.
    pub messages: Vec<Message>,
    /// The tools that it may ask for.
    #[serde(default)]
    pub tools: Vec<ToolOffer>,
    /// A JSON Schema that its text must keep to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The most tokens of a reply.
    pub max_tokens: u32,
}

impl Default for ChatRequest {
    fn default() -> Self {
        Self {
            system: String::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            schema: None,
            max_tokens: 2_048,
        }
    }
}

/// A message of a talk.
///
/// ```
/// use leg_core::model::Message;
///
/// let json = serde_json::to_value(Message::user("How high?")).unwrap();
/// assert_eq!(json["user"]["pieces"][0]["text"], "How high?");
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Message {
    /// From the program.
    User {
        /// Texts and pictures.
        pieces: Vec<Piece>,
    },
    /// From the model.
    Assistant {
        /// Its words.
        text: String,
        /// The calls that it asked for.
        calls: Vec<ModelCall>,
    },
    /// What a call gave.
    Tool {
        /// The call.
        id: String,
        /// The result as text. It is data, never an order.
        content: String,
        /// Whether the call failed.
        failed: bool,
    },
}

impl Message {
    /// A message of one text.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User { pieces: vec![Piece::Text(text.into())] }
    }
}

/// A part of a message.
///
/// ```
/// use leg_core::model::Piece;
///
/// assert_eq!(serde_json::to_value(Piece::Text("a".into())).unwrap(), serde_json::json!({"text": "a"}));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A picture.
    Image {
        /// Such as `image/png`.
        media_type: String,
        /// The file in base 64.
        base64: String,
    },
}

/// A tool that a model may ask for.
///
/// ```
/// use leg_core::model::ToolOffer;
///
/// let offer = ToolOffer { name: "levels".into(), description: "Water levels.".into(), arguments: serde_json::json!({}) };
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ToolOffer {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub arguments: Value,
}

/// A call that a model asks for.
///
/// ```
/// use leg_core::model::ModelCall;
///
/// let call = ModelCall { id: "1".into(), name: "levels".into(), arguments: serde_json::json!({"station": "8518750"}) };
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelCall {
    /// The model's name for the call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
}

/// Tokens of a call.
///
/// ```
/// assert_eq!(leg_core::model::Usage::default().output, 0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Usage {
    /// Read.
    pub input: u64,
    /// Written.
    pub output: u64,
}

/// Why a reply ended.
///
/// ```
/// assert_eq!(serde_json::to_value(leg_core::model::StopReason::Length).unwrap(), "length");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It said all.
    #[default]
    Done,
    /// It wants calls.
    Calls,
    /// It was cut off.
    Length,
    /// It refuses.
    Refused,
}

/// What a model says.
///
/// ```
/// use leg_core::model::{ChatReply, StopReason};
///
/// assert_eq!(ChatReply::saying("Yes.").stop, StopReason::Done);
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChatReply {
    /// Its words.
    pub text: String,
    /// The calls that it asks for.
    #[serde(default)]
    pub calls: Vec<ModelCall>,
    /// What it took.
    #[serde(default)]
    pub usage: Usage,
    /// Why it ended.
    #[serde(default)]
    pub stop: StopReason,
}

impl ChatReply {
    /// A reply of words.
    pub fn saying(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// A reply that asks for a call.
    pub fn calling(name: &str, arguments: Value) -> Self {
        let call = ModelCall { id: format!("call_{name}"), name: name.to_owned(), arguments };
        Self { calls: vec![call], stop: StopReason::Calls, ..Self::default() }
    }
}
