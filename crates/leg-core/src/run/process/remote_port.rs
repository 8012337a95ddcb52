//! [`RemotePort`]: the worker's side of [`RunPort`]. Every message is in the pipe before its call returns, so that a
//! worker which is killed right afterwards has still said it.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use super::protocol::{Answer, FromWorker, ProtocolError, line};
use crate::ledger::EntryKind;
use crate::run::event::Change;
use crate::run::port::{CallKey, HostPermits, RunPort};
use crate::run::{Amounts, CallResult, Firing};
use crate::{ToolError, ToolErrorKind};

/// A node's way to its run, over a pipe.
#[derive(Debug)]
pub(super) struct RemotePort(pub(super) Arc<Pipe>);

/// The way to the other side, and the questions that are open.
pub(super) struct Pipe {
    output: Mutex<Box<dyn Write + Send>>,
    asks: Mutex<Asks>,
    /// Fires when the pipe is broken: the run is gone.
    pub(super) gone: CancellationToken,
}

#[derive(Default)]
struct Asks {
    next: u64,
    open: BTreeMap<u64, oneshot::Sender<Option<Answer>>>,
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pipe").field("gone", &self.gone.is_cancelled()).finish_non_exhaustive()
    }
}

impl Pipe {
    pub(super) fn new(output: impl Write + Send + 'static) -> Self {
        Self { output: Mutex::new(Box::new(output)), asks: Mutex::default(), gone: CancellationToken::new() }
    }

    /// Writes a message.
    pub(super) fn say(&self, message: &FromWorker) -> Result<(), ProtocolError> {
        let bytes = line(message)?;
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = output.write_all(&bytes).and_then(|()| output.flush());
        if written.is_err() {
            self.gone.cancel();
        }
        Ok(written?)
    }

    /// The number of a new question, and where its answer will come.
    fn open(&self) -> (u64, oneshot::Receiver<Option<Answer>>) {
        let (send, receive) = oneshot::channel();
        let mut asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        asks.next += 1;
        let ask = asks.next;
        asks.open.insert(ask, send);
        (ask, receive)
    }

    /// Asks, and waits for the answer.
    async fn ask(&self, question: impl FnOnce(u64) -> FromWorker) -> Result<Option<Answer>, ToolError> {
        let gone = || ToolError::new(ToolErrorKind::Cancelled, "the run is gone");
        let (ask, answer) = self.open();
        self.say(&question(ask)).map_err(|_| gone())?;
        answer.await.map_err(|_| gone())
    }

    /// The other side has answered.
    pub(super) fn hear(&self, ask: u64, answer: Option<Answer>) {
        let waiting = self.asks.lock().unwrap_or_else(PoisonError::into_inner).open.remove(&ask);
        if let Some(waiting) = waiting {
            // Whoever asked may have been stopped.
            let _ = waiting.send(answer);
        }
    }

    /// No answer will come any more.
    pub(super) fn close(&self) {
        self.gone.cancel();
        self.asks.lock().unwrap_or_else(PoisonError::into_inner).open.clear();
    }
}

#[async_trait]
impl RunPort for RemotePort {
    /// The other side needs the records to serve finished calls again, even where it keeps no ledger.
    fn is_recording(&self) -> bool {
        true
    }

    fn append(&self, kind: EntryKind, core: &[u8], meta: &[u8]) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = self.0.say(&FromWorker::Append { kind, core: text(core), meta: text(meta) });
        if said.is_err() {
            // A node without one of its records must not go on.
            self.0.close();
        }
    }

    async fn sync(&self) {
        // Without an answer the run is gone, and the work is being stopped.
        let _ = self.0.ask(|ask| FromWorker::Sync { ask }).await;
    }

    fn emit(&self, change: Change) {
        // A listener that misses an event because the run is gone misses nothing.
        let _ = self.0.say(&FromWorker::Emit { change });
    }

    async fn answer(&self, call: &CallKey) -> Option<Result<CallResult, ToolError>> {
        match self.0.ask(|ask| FromWorker::Answer { ask, call: call.clone() }).await {
            Ok(answer) => answer.map(Result::from),
            Err(gone) => Some(Err(gone)),
        }
    }

    async fn settle(
        &self,
        call: &CallKey,
        now: Result<CallResult, ToolError>,
    ) -> Result<CallResult, ToolError> {
        let said = Answer::from(now.clone());
        match self.0.ask(|ask| FromWorker::Settle { ask, call: call.clone(), now: said }).await {
            Ok(settled) => settled.map_or(now, Result::from),
            Err(gone) => Err(gone),
        }
    }

    async fn draw(&self, firing: &Firing, amounts: &Amounts) -> Result<(), ToolError> {
        let (firing, amounts) = (firing.clone(), *amounts);
        match self.0.ask(|ask| FromWorker::Draw { ask, firing, amounts }).await? {
            Some(Answer::Error(refusal)) => Err(refusal),
            Some(Answer::Result(_)) | None => Ok(()),
        }
    }

    fn spend(&self, firing: &Firing, amounts: &Amounts) {
        // Whoever counts is gone when this cannot be said.
        let _ = self.0.say(&FromWorker::Spend { firing: firing.clone(), amounts: *amounts });
    }

    async fn enter(&self, hosts: &[String]) -> HostPermits {
        let (ask, answer) = self.0.open();
        // Made before the question: one that is given up is taken back.
        let stay = Stay { pipe: Arc::clone(&self.0), ask };
        if self.0.say(&FromWorker::Enter { ask, hosts: hosts.to_vec() }).is_ok() {
            let _ = answer.await;
        }
        HostPermits::holding(stay)
    }
}

/// Permits to contact hosts, which the other side holds.
#[derive(Debug)]
struct Stay {
    pipe: Arc<Pipe>,
    ask: u64,
}

impl Drop for Stay {
    fn drop(&mut self) {
        let _ = self.pipe.say(&FromWorker::Leave { ask: self.ask });
    }
}
