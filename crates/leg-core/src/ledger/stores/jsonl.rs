//! A ledger as a file of JSON lines.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::ledger::{LedgerError, LedgerStore, runs_lock};

/// Appends to a file. Each line is one write to the operating system, so that a killed process loses none.
///
/// ```
/// use leg_core::ledger::{EntryKind, JsonlLedger, Ledger};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("ledger.jsonl");
/// let ledger = Ledger::new(JsonlLedger::create(&path)?);
/// ledger.append(EntryKind::RunStarted, b"{}", b"{}")?;
/// ledger.sync()?;
/// assert_eq!(std::fs::read_to_string(&path)?.lines().count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct JsonlLedger {
    file: File,
    path: PathBuf,
    /// The folder of runs, with a shared lock: no object is removed from it as long as the ledger is open.
    _runs: Option<File>,
}

impl JsonlLedger {
    /// Makes a new file.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] when it is there, [`LedgerError::Io`] when it cannot be made.
    pub fn create(path: &Path) -> Result<Self, LedgerError> {
        match OpenOptions::new().append(true).create_new(true).open(path) {
            Ok(file) => Ok(Self { file, path: path.to_owned(), _runs: shared(path) }),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(LedgerError::Exists { path: path.to_owned() })
            }
            Err(source) => Err(LedgerError::Io { path: path.to_owned(), source }),
        }
    }
}

impl JsonlLedger {
    /// Goes on with a file, after its first `whole` bytes; what follows them, a torn line, is cut off.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn reopen(path: &Path, whole: u64) -> Result<Self, LedgerError> {
        let io = |source| LedgerError::Io { path: path.to_owned(), source };
        let file = OpenOptions::new().append(true).open(path).map_err(io)?;
        if file.metadata().map_err(io)?.len() > whole {
            file.set_len(whole).map_err(io)?;
            file.sync_data().map_err(io)?;
        }
        Ok(Self { file, path: path.to_owned(), _runs: shared(path) })
    }
}

/// The folder of the runs that a ledger belongs to, with its lock.
fn shared(path: &Path) -> Option<File> {
    let runs = runs_lock(path.parent()?.parent()?)?;
    // A file system without locks must not stop a run: only a collection would notice.
    let _ = runs.lock_shared();
    Some(runs)
}

impl LedgerStore for JsonlLedger {
    fn append(&mut self, line: &[u8]) -> Result<(), LedgerError> {
        self.file.write_all(line).map_err(|source| LedgerError::Io { path: self.path.clone(), source })
    }

    fn sync(&mut self) -> Result<(), LedgerError> {
        self.file.sync_data().map_err(|source| LedgerError::Io { path: self.path.clone(), source })
    }
}
