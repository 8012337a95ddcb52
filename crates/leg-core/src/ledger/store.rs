//! [`LedgerStore`]: where ledger lines go.

use std::fmt::Debug;
use std::io;
use std::path::PathBuf;

use crate::CanonicalError;
use crate::run::LockError;

/// Takes ledger lines in order.
///
/// ```
/// use leg_core::ledger::{EntryKind, Ledger, LedgerError, LedgerStore};
///
/// /// Counts lines, and keeps none.
/// #[derive(Debug, Default)]
/// struct Count(usize);
///
/// impl LedgerStore for Count {
///     fn append(&mut self, _: &[u8]) -> Result<(), LedgerError> {
///         self.0 += 1;
///         Ok(())
///     }
///
///     fn sync(&mut self) -> Result<(), LedgerError> {
///         Ok(())
///     }
/// }
/// let ledger = Ledger::new(Count::default());
/// ledger.append(EntryKind::RunStarted, b"{}", b"{}")?;
/// assert_eq!(ledger.log_root().1, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait LedgerStore: Send + Debug {
    /// Takes one line with its line feed. When this returns, the line survives the end of the process.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn append(&mut self, line: &[u8]) -> Result<(), LedgerError>;

    /// Makes all lines survive a loss of power.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    fn sync(&mut self) -> Result<(), LedgerError>;
}

/// The ledger cannot be written or read. A run whose ledger cannot be written stops.
///
/// ```
/// use leg_core::ledger::{LedgerError, RunFolder};
///
/// let nowhere = RunFolder::open(std::path::Path::new("no/such/run"));
/// assert!(matches!(nowhere, Err(LedgerError::NoRun { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// The file system refused.
    #[error("`{path}`: {source}; check that the runs folder is writable and has room", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// There is a run with this id.
    #[error("run folder `{path}` exists already; choose another run id or another runs folder", path = path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// The folder holds no run.
    #[error("`{path}` holds no run (no `ledger.jsonl`); name a run folder, or a run id with its `--runs` folder", path = path.display())]
    NoRun {
        /// The folder.
        path: PathBuf,
    },
    /// A resumed run does something else than its earlier session did.
    #[error(
        "record {seq} (`{kind}`) of the earlier session does not come out again: a tool, an agent or a rule is not what it was; \
         start a new run"
    )]
    Diverged {
        /// The record's number.
        seq: u64,
        /// What it says.
        kind: &'static str,
    },
    /// Somebody else owns the run folder.
    #[error(transparent)]
    Owner(#[from] LockError),
    /// A value has no canonical form.
    #[error("a ledger record cannot be written")]
    Canonical(#[from] CanonicalError),
}
