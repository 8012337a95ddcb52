//! [`RunScope`]: what all parts of one run share.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use tokio_util::sync::CancellationToken;

use crate::canonical::{CanonicalError, ObjectWriter};
use crate::clock::{Clock, iso};
use crate::ledger::{EntryKind, Ledger, LedgerError};
use crate::run::event::{Change, EventLog};
use crate::{Digest, ObjectStore, Registry, ToolName};

/// What all parts of one run share.
#[derive(Debug)]
pub struct RunScope {
    pub(crate) registry: Arc<Registry>,
    pub(crate) objects: Arc<dyn ObjectStore>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) events: Arc<EventLog>,
    pub(crate) cancel: CancellationToken,
    /// The run's span, which its nodes stand below.
    pub(crate) span: tracing::Span,
    /// Digests of the tool definitions that were approved.
    pub(crate) approved: BTreeMap<ToolName, Digest>,
    /// The first reason why the ledger cannot be written. It stops the run.
    pub(crate) broken: Mutex<Option<LedgerError>>,
}

impl RunScope {
    /// Appends a record; `meta` gets the time by itself, under `at`, before what the caller adds.
    pub(crate) fn record(
        &self,
        kind: EntryKind,
        core: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
        meta: impl FnOnce(&mut ObjectWriter<'_>) -> Result<(), CanonicalError>,
    ) {
        let Some(ledger) = &self.ledger else { return };
        let at = self.now();
        let written = ledger.append(kind, core, |object| {
            object.key("at").str(&at);
            meta(object)
        });
        if let Err(error) = written {
            self.stop_for(error);
        }
    }

    /// Makes all records survive a loss of power.
    pub(crate) fn sync(&self) {
        if let Some(Err(error)) = self.ledger.as_ref().map(Ledger::sync) {
            self.stop_for(error);
        }
    }

    /// Tells listeners.
    pub(crate) fn emit(&self, change: Change) {
        self.events.push(self.now(), change);
    }

    /// The time, as ISO 8601.
    pub(crate) fn now(&self) -> String {
        iso(self.clock.now_nanos())
    }

    fn stop_for(&self, error: LedgerError) {
        let mut broken = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.get_or_insert(error);
        self.cancel.cancel();
    }
}
