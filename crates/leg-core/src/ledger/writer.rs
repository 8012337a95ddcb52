//! [`Ledger`]: appends records, chained and hashed, to a store.
//!
//! A line is canonical JSON with the keys `core`, `h_core`, `kind`, `meta`, `prev`, `seq`. `core` is what a replay
//! must give again; `meta` is what may differ: times, attempts, addresses. `prev` is the digest of the line before.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use crate::canonical::Writer;
use crate::digest::Hasher;
use crate::ledger::entry::subject_of;
use crate::ledger::log_tree::LogTree;
use crate::ledger::{Entry, EntryKind, LedgerError, LedgerStore};
use crate::{Digest, Domain};

/// Appends records to a store, in one order for all who write.
///
/// ```
/// use leg_core::ledger::{EntryKind, LEDGER, Ledger, MemoryLedger, read};
///
/// let store = MemoryLedger::default();
/// let ledger = Ledger::new(store.clone());
/// // The core is what a replay compares; the rest, such as times, is not.
/// ledger.append(EntryKind::RunStarted, br#"{"question":"?"}"#, br#"{"ts":"2026-12-01T00:00:00Z"}"#)?;
/// let reading = read(&store.bytes(), LEDGER);
/// assert_eq!(reading.entries[0].text("question"), Some("?"));
/// assert_eq!(ledger.log_root(), (reading.log_root, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ledger(Mutex<Inner>);

#[derive(Debug)]
struct Inner {
    store: Box<dyn LedgerStore>,
    prev: Digest,
    tree: LogTree,
    line: Vec<u8>,
    /// Records of an earlier session that this one will come past again, by subject.
    earlier: BTreeMap<String, VecDeque<(u64, Digest)>>,
}

/// The `prev` of the first line.
///
/// ```
/// use leg_core::ledger::{EntryKind, LEDGER, Ledger, MemoryLedger, genesis, read};
///
/// let store = MemoryLedger::default();
/// Ledger::new(store.clone()).append(EntryKind::RunStarted, b"{}", b"{}")?;
/// assert_eq!(read(&store.bytes(), LEDGER).entries[0].prev, genesis());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn genesis() -> Digest {
    Digest::of(Domain::Record, b"")
}

/// The digest of a record's replayed part.
///
/// ```
/// use leg_core::ledger::{EntryKind, LEDGER, Ledger, MemoryLedger, core_digest, read};
///
/// let store = MemoryLedger::default();
/// Ledger::new(store.clone()).append(EntryKind::RunStarted, b"{}", b"{}")?;
/// assert_eq!(read(&store.bytes(), LEDGER).entries[0].h_core, core_digest(EntryKind::RunStarted, b"{}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn core_digest(kind: EntryKind, core: &[u8]) -> Digest {
    let mut hasher = Hasher::new(Domain::RecordCore);
    hasher.update(kind.as_str().as_bytes());
    hasher.update(b"\n");
    hasher.update(core);
    hasher.finish()
}

impl Ledger {
    /// Starts an empty ledger.
    pub fn new(store: impl LedgerStore + 'static) -> Self {
        Self::over(Box::new(store))
    }

    /// Starts an empty ledger in a store whose type is not known.
    pub(crate) fn over(store: Box<dyn LedgerStore>) -> Self {
        let (tree, earlier) = (LogTree::default(), BTreeMap::new());
        let inner = Inner { store, prev: genesis(), tree, line: Vec::new(), earlier };
        Self(Mutex::new(inner))
    }

    /// Goes on with a ledger that has these whole lines already. `earlier` are the entries that the run comes past
    /// again: they are compared, and not written twice.
    pub(crate) fn resume<'a>(
        store: impl LedgerStore + 'static,
        lines: &[u8],
        earlier: impl Iterator<Item = &'a Entry>,
    ) -> Self {
        let ledger = Self::new(store);
        let mut inner = ledger.0.lock().unwrap_or_else(PoisonError::into_inner);
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            inner.tree.push(line);
            inner.prev = Digest::of(Domain::Record, line);
        }
        for entry in earlier.filter(|entry| entry.is_compared()) {
            inner.earlier.entry(entry.subject()).or_default().push_back((entry.seq, entry.h_core));
        }
        drop(inner);
        ledger
    }

    /// Appends a record. `core` and `meta` are canonical JSON objects. A record that an earlier session has written
    /// is not written again.
    ///
    /// # Errors
    /// [`LedgerError`] when the store does not take it, or when an earlier session has written another in its place.
    pub fn append(&self, kind: EntryKind, core: &[u8], meta: &[u8]) -> Result<Digest, LedgerError> {
        let h_core = core_digest(kind, core);
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let inner = &mut *inner;
        if !inner.earlier.is_empty() && inner.has(kind, core, &h_core)? {
            return Ok(h_core);
        }
        inner.line.clear();
        let mut out = Writer::over(std::mem::take(&mut inner.line));
        let mut line = out.object();
        line.key("core").raw(core);
        line.key("h_core").digest(&h_core);
        line.key("kind").str(kind.as_str());
        line.key("meta").raw(meta);
        line.key("prev").digest(&inner.prev);
        line.key("seq").count(inner.tree.size());
        line.end();
        let mut bytes = out.into_bytes();
        let prev = Digest::of(Domain::Record, &bytes);
        inner.tree.push(&bytes);
        bytes.push(b'\n');
        let stored = inner.store.append(&bytes);
        inner.line = bytes;
        stored?;
        inner.prev = prev;
        Ok(h_core)
    }

    /// Makes all records survive a loss of power.
    ///
    /// # Errors
    /// [`LedgerError`] of the store.
    pub fn sync(&self) -> Result<(), LedgerError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).store.sync()
    }

    /// The tree head over all lines, and their number.
    pub fn log_root(&self) -> (Digest, u64) {
        let inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (inner.tree.root(), inner.tree.size())
    }
}

impl Inner {
    /// Whether an earlier session has written this record.
    fn has(&mut self, kind: EntryKind, core: &[u8], h_core: &Digest) -> Result<bool, LedgerError> {
        let core = serde_json::from_slice(core).unwrap_or_default();
        let subject = subject_of(kind, &core);
        let Some(records) = self.earlier.get_mut(&subject) else { return Ok(false) };
        match records.front() {
            Some((_, known)) if known == h_core => {
                records.pop_front();
                if records.is_empty() {
                    self.earlier.remove(&subject);
                }
                Ok(true)
            }
            Some((seq, _)) => Err(LedgerError::Diverged { seq: *seq, kind: kind.as_str() }),
            None => Ok(false),
        }
    }
}
