//! Pins: runs that are never removed. They stand in `RUNS/pins`, one id a line, outside every run folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::ledger::LedgerError;
use crate::ledger::folder::write_whole;

/// The name of the file of pins.
pub const PINS: &str = "pins";

/// The ids of the pinned runs.
///
/// ```
/// use leg_core::ledger::pins;
///
/// let runs = tempfile::tempdir()?;
/// assert!(pins(runs.path())?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LedgerError::Io`].
pub fn pins(runs: &Path) -> Result<BTreeSet<String>, LedgerError> {
    let path = runs.join(PINS);
    match fs::read_to_string(&path) {
        Ok(text) => {
            Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect())
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(source) => Err(LedgerError::Io { path, source }),
    }
}

/// Pins and unpins runs, and gives what is pinned then.
///
/// ```
/// use leg_core::ledger::{change_pins, pins};
///
/// let runs = tempfile::tempdir()?;
/// change_pins(runs.path(), &["storm".to_owned(), "calm".to_owned()], &[])?;
/// let left = change_pins(runs.path(), &[], &["calm".to_owned()])?;
/// assert_eq!(left.iter().collect::<Vec<_>>(), ["storm"]);
/// assert_eq!(pins(runs.path())?, left);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`LedgerError::Io`].
pub fn change_pins(runs: &Path, pin: &[String], unpin: &[String]) -> Result<BTreeSet<String>, LedgerError> {
    let mut pinned = pins(runs)?;
    pinned.extend(pin.iter().cloned());
    pinned.retain(|id| !unpin.contains(id));
    let mut text = String::new();
    for id in &pinned {
        text.push_str(id);
        text.push('\n');
    }
    write_whole(&runs.join(PINS), text.as_bytes())?;
    Ok(pinned)
}
