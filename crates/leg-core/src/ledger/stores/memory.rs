//! A ledger in memory.

use std::sync::{Arc, Mutex, PoisonError};

use crate::ledger::{LedgerError, LedgerStore};

/// Keeps the lines in memory; clones share them.
///
/// ```
/// use leg_core::ledger::{EntryKind, LEDGER, Ledger, MemoryLedger, read};
///
/// let store = MemoryLedger::default();
/// let ledger = Ledger::new(store.clone());
/// ledger.append(EntryKind::RunStarted, b"{}", b"{}")?;
/// assert_eq!(read(&store.bytes(), LEDGER).entries.len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MemoryLedger(Arc<Mutex<Vec<u8>>>);

impl MemoryLedger {
    /// All lines so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl LedgerStore for MemoryLedger {
    fn append(&mut self, line: &[u8]) -> Result<(), LedgerError> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(line);
        Ok(())
    }

    fn sync(&mut self) -> Result<(), LedgerError> {
        Ok(())
    }
}
