//! [`ExportError`]: why there is no export.

use std::io;
use std::path::PathBuf;

use crate::StoreError;
use crate::ledger::{Fault, LedgerError};

/// Why there is no export. Nothing is left at the place that was named.
///
/// ```
/// use leg_core::export::{ExportError, export};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// let error = export(&folder, "docx", &runs.path().join("small.docx")).unwrap_err();
/// assert!(matches!(error, ExportError::Unknown { .. }) && error.is_wrong_input());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// No export has this name.
    #[error("there is no export `{name}`; take one of: {}", known.join(", "))]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// Something is there already.
    #[error("`{path}` exists already; name a place where nothing is, or move it away first", path = path.display())]
    Exists {
        /// The place.
        path: PathBuf,
    },
    /// The folder for it is not there.
    #[error("folder `{path}` for the export is not there; make it first, or name another place", path = path.display())]
    NoFolder {
        /// The folder.
        path: PathBuf,
    },
    /// The place is in the run's own folder.
    #[error(
        "`{path}` lies in the run's own folder, where a further file makes `leg verify` fail; name a place outside",
        path = path.display()
    )]
    Inside {
        /// The place.
        path: PathBuf,
    },
    /// The run does not verify: an export would pass on what was altered, or half a run.
    #[error("the run does not verify ({count} faults, the first at {}: {}); run `leg verify` for all of them, and export a run that is whole", first.place, first.message)]
    Altered {
        /// How many faults.
        count: usize,
        /// The first.
        first: Box<Fault>,
    },
    /// The ledger lacks a record.
    #[error("the ledger has no readable `{0}`; only a run that was recorded in full can be exported")]
    Missing(&'static str),
    /// No node of the run started.
    #[error(
        "no node of the run started, so there is no process to describe; export it as `bundle` or `json`"
    )]
    NothingRan,
    /// The run's folder cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An object cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The export cannot be written.
    #[error("`{path}`: {source}; check that the place is writable and has room", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl ExportError {
    /// Whether what was asked for is wrong, and not the run.
    pub const fn is_wrong_input(&self) -> bool {
        matches!(
            self,
            Self::Unknown { .. }
                | Self::Exists { .. }
                | Self::NoFolder { .. }
                | Self::Inside { .. }
                | Self::Ledger(LedgerError::NoRun { .. })
        )
    }
}
