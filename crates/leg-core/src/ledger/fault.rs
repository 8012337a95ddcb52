//! [`Fault`]: something in a run folder is not as it was written, and where.

use serde::Serialize;

/// Something in a run folder is not as it was written.
///
/// ```
/// use leg_core::ledger::{FaultKind, verify};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (_, folder) = leg_testkit::small_run(runs.path()).await;
/// folder.write("report.md", b"It was freezing.")?;
/// let faults = verify(&folder, None)?.faults;
/// assert_eq!((faults[0].place.as_str(), faults[0].kind), ("report.md", FaultKind::ChangedFile));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The file, and after a colon the line where there is one: `ledger.jsonl:7`, `report.md`, `objects/ab/cdef…`.
    pub place: String,
    /// What sort of fault.
    pub kind: FaultKind,
    /// What is wrong.
    pub message: String,
}

/// Sorts of faults.
///
/// ```
/// use leg_core::ledger::FaultKind;
///
/// assert_eq!(serde_json::to_value(FaultKind::TornLine).unwrap(), "torn_line");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A line is not a ledger record.
    Unreadable,
    /// A line is JSON, but not to the byte as it was written.
    NotCanonical,
    /// The last line has no end.
    TornLine,
    /// A number is missing or stands twice.
    Sequence,
    /// A line does not follow from the one before.
    Chain,
    /// A record's replayed part was changed.
    Core,
    /// The run did not end.
    Unfinished,
    /// The content root does not follow from the records.
    ContentRoot,
    /// A root is not the one that was asked for.
    Root,
    /// A signature is missing, damaged, by another key or over other roots.
    Signature,
    /// An object is missing.
    MissingObject,
    /// An object is not what its name says.
    DamagedObject,
    /// A file is missing.
    MissingFile,
    /// A file was changed.
    ChangedFile,
    /// A file does not belong to the run.
    UnknownFile,
    /// A record does not agree with what it points to.
    Inconsistent,
}

impl Fault {
    /// A fault at a place.
    pub(crate) fn new(place: impl Into<String>, kind: FaultKind, message: impl Into<String>) -> Self {
        Self { place: place.into(), kind, message: message.into() }
    }
}
