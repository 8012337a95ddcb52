//! Compares two recorded runs.

use super::divergence::first_divergence;
use super::{Mode, ReplayError, ReplayOutcome};
use crate::ledger::{EntryKind, LEDGER, RunFolder, read};

/// Compares all records of two runs; the first difference is named with both values.
///
/// ```
/// use leg_core::replay::compare;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let (runs, other_runs) = (tempfile::tempdir()?, tempfile::tempdir()?);
/// let (_, once) = leg_testkit::small_run(runs.path()).await;
/// let (_, twice) = leg_testkit::small_run(other_runs.path()).await;
/// assert!(compare(&once, &twice)?.ok, "the same plan and data");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`ReplayError`] when a ledger cannot be read or has faults.
pub fn compare(run: &RunFolder, other: &RunFolder) -> Result<ReplayOutcome, ReplayError> {
    let entries = |folder: &RunFolder| {
        let reading = read(&folder.read(LEDGER)?, LEDGER);
        match reading.faults.first() {
            Some(first) => {
                Err(ReplayError::Faulty { count: reading.faults.len(), first: Box::new(first.clone()) })
            }
            None => Ok(reading.entries),
        }
    };
    let (one, two) = (entries(run)?, entries(other)?);
    let end = one.iter().rfind(|entry| entry.kind == EntryKind::RunFinished);
    let divergence = first_divergence(&one, &two);
    Ok(ReplayOutcome {
        mode: Mode::Against,
        ok: divergence.is_none(),
        content_root: end.and_then(|entry| entry.digest("content_root")),
        divergence,
        not_recomputed: Vec::new(),
        within_tolerance: Vec::new(),
        differences: Vec::new(),
    })
}
