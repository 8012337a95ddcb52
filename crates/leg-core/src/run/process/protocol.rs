//! What the two sides say to each other: one JSON object a line, the version in the greeting.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufRead, AsyncBufReadExt as _, AsyncReadExt as _};

use crate::ledger::EntryKind;
use crate::run::event::Change;
use crate::run::port::CallKey;
use crate::run::{Amounts, CallLimits, CallResult, Firing, NodeOutput, NodeTask, Payload};
use crate::{Digest, ToolError, ToolName};

/// The version of the messages. Both sides must have the same.
pub(super) const PROTOCOL: u32 = 1;

/// The longest line in bytes. Data does not travel: what is longer is a mistake.
pub(super) const LONGEST: usize = 16 << 20;

/// To a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum ToWorker {
    /// Do this node.
    Task { task: Box<NodeTask>, setup: Setup },
    /// Stop the node.
    Stop,
    /// The recorded answer to a question, if there is one.
    Answered { ask: u64, answer: Option<Answer> },
    /// What was asked for is done.
    Granted { ask: u64 },
}

/// What a node's work needs to know of its run.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    /// Digests of the tool definitions that were approved.
    pub approved: BTreeMap<ToolName, Digest>,
    pub limits: CallLimits,
    pub payload: Payload,
    /// An object that the worker must find in its store.
    pub probe: Digest,
}

/// How a call was answered.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Result(Box<CallResult>),
    Error(ToolError),
}

impl From<Result<CallResult, ToolError>> for Answer {
    fn from(answer: Result<CallResult, ToolError>) -> Self {
        match answer {
            Ok(result) => Self::Result(Box::new(result)),
            Err(error) => Self::Error(error),
        }
    }
}

impl From<Answer> for Result<CallResult, ToolError> {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Result(result) => Ok(*result),
            Answer::Error(error) => Err(error),
        }
    }
}

/// From a worker.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum FromWorker {
    /// The first line.
    Hello { protocol: u32, engine: String, registry: Digest },
    /// The node is being done.
    Taken,
    /// The node cannot be done here.
    Refused { reason: String },
    /// Append a record. The parts are texts, because their bytes are hashed.
    Append { kind: EntryKind, core: String, meta: String },
    /// Tell listeners.
    Emit { change: Change },
    /// Make all records so far survive a loss of power.
    Sync { ask: u64 },
    /// Is there a recorded answer?
    Answer { ask: u64, call: CallKey },
    /// What is the call taken to have given?
    Settle { ask: u64, call: CallKey, now: Answer },
    /// May this be taken from the budget? An answer is a refusal.
    Draw { ask: u64, firing: Firing, amounts: Amounts },
    /// This was spent.
    Spend { firing: Firing, amounts: Amounts },
    /// May these hosts be contacted once more?
    Enter { ask: u64, hosts: Vec<String> },
    /// The hosts of that question are free again.
    Leave { ask: u64 },
    /// The node has ended.
    Done { output: Box<NodeOutput> },
    /// Nothing goes on any more: the next node may come.
    Free {},
}

/// The other side does not keep to the protocol.
///
/// ```
/// use leg_core::run::ProtocolError;
///
/// println!("the worker ended: {}", ProtocolError::TooLong);
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ProtocolError {
    /// The pipe is broken.
    #[error("the pipe between run and worker: {0}")]
    Io(#[from] io::Error),
    /// A line is no message.
    #[error(
        "a line between run and worker is no message ({reason}); nothing but the protocol may be printed on a worker's standard output: `{start}`"
    )]
    Malformed {
        /// What is wrong with it.
        reason: String,
        /// How it begins.
        start: String,
    },
    /// A line is too long.
    #[error(
        "a message between run and worker is longer than {LONGEST} bytes; keep data in artifacts, texts short"
    )]
    TooLong,
    /// A message came that has no place there.
    #[error(
        "the message `{message}` came when {expected} was due; use the same version of the program on both sides"
    )]
    Unexpected {
        /// What came.
        message: String,
        /// What was due.
        expected: &'static str,
    },
}

/// A message as a line.
pub(super) fn line(message: &impl Serialize) -> Result<Vec<u8>, ProtocolError> {
    let mut bytes = serde_json::to_vec(message).map_err(io::Error::from)?;
    if bytes.len() >= LONGEST {
        return Err(ProtocolError::TooLong);
    }
    bytes.push(b'\n');
    Ok(bytes)
}

/// The message of a line.
pub(super) fn parse<T: DeserializeOwned>(line: &[u8]) -> Result<T, ProtocolError> {
    serde_json::from_slice(line).map_err(|error| ProtocolError::Malformed {
        reason: error.to_string(),
        start: String::from_utf8_lossy(line.get(..line.len().min(80)).unwrap_or_default())
            .trim_end()
            .to_owned(),
    })
}

/// The next message; `None` when the other side has closed the pipe. A torn last line is an end too.
///
/// # Cancel safety
/// What was read of a line stays in `buffer`: call it again with the same one.
pub(super) async fn next<T: DeserializeOwned>(
    reader: &mut (impl AsyncBufRead + Unpin),
    buffer: &mut Vec<u8>,
) -> Result<Option<T>, ProtocolError> {
    let room = (LONGEST + 1).saturating_sub(buffer.len()) as u64;
    reader.take(room).read_until(b'\n', buffer).await?;
    take(buffer)
}

/// [`next`] for a reader that blocks.
pub(super) fn next_blocking<T: DeserializeOwned>(
    reader: &mut impl BufRead,
) -> Result<Option<T>, ProtocolError> {
    let mut buffer = Vec::new();
    reader.take(LONGEST as u64 + 1).read_until(b'\n', &mut buffer)?;
    take(&mut buffer)
}

fn take<T: DeserializeOwned>(buffer: &mut Vec<u8>) -> Result<Option<T>, ProtocolError> {
    let line = std::mem::take(buffer);
    if line.last() == Some(&b'\n') {
        parse(&line).map(Some)
    } else if line.len() > LONGEST {
        Err(ProtocolError::TooLong)
    } else {
        Ok(None)
    }
}

/// A number of seconds that JSON can hold; what cannot be is no limit in practice.
pub(super) const fn finite(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds } else { 1e9 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_and_what_is_no_line_is_an_error() {
        let sent =
            FromWorker::Append { kind: EntryKind::Gap, core: "{\"a\":\"é\\n\"}".into(), meta: "{}".into() };
        let bytes = line(&sent).unwrap();
        assert_eq!(bytes.iter().position(|&byte| byte == b'\n'), Some(bytes.len() - 1));
        let back: FromWorker = next_blocking(&mut bytes.as_slice()).unwrap().unwrap();
        assert_eq!(format!("{back:?}"), format!("{sent:?}"));

        let read = |text: &str| next_blocking::<FromWorker>(&mut text.as_bytes());
        assert!(read("").unwrap().is_none());
        assert!(read("{\"type\":\"free\"}").unwrap().is_none(), "a torn line is the end");
        for wrong in
            ["progress: 3 %\n", "\n", "{\"type\":\"free\",\"more\":1}\n", "{\"type\":\"gone\"}\n", "\u{7f}\n"]
        {
            let error = read(wrong).unwrap_err();
            assert!(matches!(error, ProtocolError::Malformed { .. }), "{wrong}: {error}");
        }
        let endless = vec![b'x'; LONGEST + 2];
        assert!(matches!(next_blocking::<FromWorker>(&mut endless.as_slice()), Err(ProtocolError::TooLong)));
    }
}
