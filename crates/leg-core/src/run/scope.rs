//! [`RunScope`]: what all parts of one run share.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::canonical::{CanonicalError, ObjectWriter, Writer};
use crate::clock::{Clock, iso};
use crate::ledger::EntryKind;
use crate::run::event::Change;
use crate::run::port::RunPort;
use crate::run::{CallLimits, Payload};
use crate::{Digest, ObjectStore, Registry, ToolName};

/// What all parts of one run share.
///
/// An executor hands it on to whoever does the work:
///
/// ```
/// use std::sync::Arc;
///
/// use leg_core::run::{NodeExecutor, NodeOutput, NodeTask, RunScope};
/// use tokio_util::sync::CancellationToken;
///
/// /// Lets another executor do the task, a while later.
/// async fn later(other: &dyn NodeExecutor, task: NodeTask, scope: &Arc<RunScope>) -> NodeOutput {
///     tokio::task::yield_now().await;
///     other.execute(task, scope, CancellationToken::new()).await
/// }
/// ```
#[derive(Debug)]
pub struct RunScope {
    pub(crate) registry: Arc<Registry>,
    /// Where artifacts go and come from.
    pub(crate) objects: Arc<dyn ObjectStore>,
    /// Where arguments, results and plans go: kept whatever the payload level.
    pub(crate) kept: Arc<dyn ObjectStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) port: Arc<dyn RunPort>,
    pub(crate) cancel: CancellationToken,
    /// The run's span, which its nodes stand below.
    pub(crate) span: tracing::Span,
    /// Digests of the tool definitions that were approved.
    pub(crate) approved: BTreeMap<ToolName, Digest>,
    pub(crate) limits: CallLimits,
    pub(crate) payload: Payload,
    /// All calls that go on, those that nobody waits for any more included.
    pub(crate) calls: TaskTracker,
}

impl RunScope {
    /// Appends a record; `meta` gets the time by itself, under `at`, before what the caller adds.
    pub(crate) fn record(
        &self,
        kind: EntryKind,
        core: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
        meta: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
    ) {
        if self.port.is_recording() {
            self.record_at(self.clock.now_nanos(), kind, core, meta);
        }
    }

    /// Appends a record of something that happened at this moment, in nanoseconds.
    pub(crate) fn record_at(
        &self,
        at: i64,
        kind: EntryKind,
        core: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
        meta: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
    ) {
        if !self.port.is_recording() {
            return;
        }
        let core = object(core);
        let meta = object(|object| {
            object.key("at").str(&iso(at));
            meta(object)
        });
        match (core, meta) {
            (Ok(core), Ok(meta)) => self.port.append(kind, &core, &meta),
            // A record without a canonical form would be a hole in the ledger: written as a gap, it is seen.
            (Err(error), _) | (_, Err(error)) => {
                let reason = format!("a `{}` record has no canonical form: {error}", kind.as_str());
                let core = object(|object| {
                    object.key("node").str("engine");
                    object.key("reason").str(&reason);
                    object.key("status").str("failed");
                    Ok(())
                });
                self.port.append(EntryKind::Gap, &core.unwrap_or_default(), b"{}");
                self.cancel.cancel();
            }
        }
    }

    /// Tells listeners.
    pub(crate) fn emit(&self, change: Change) {
        self.port.emit(change);
    }
}

/// The canonical bytes of an object whose members `write` writes in order.
pub(crate) fn object(
    write: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
) -> Result<Vec<u8>, CanonicalError> {
    let mut out = Writer::with_capacity(192);
    let mut object = out.object();
    write(&mut object)?;
    object.end();
    Ok(out.into_bytes())
}
