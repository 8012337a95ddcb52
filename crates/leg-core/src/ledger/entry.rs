//! [`Entry`]: a ledger line, read back.

use serde::Deserialize;
use serde_json::Value;

use crate::Digest;
use crate::ledger::EntryKind;

/// A ledger line.
///
/// ```
/// use leg_core::ledger::{EntryKind, LEDGER, read};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// let (outcome, folder) = leg_testkit::small_run(runs.path()).await;
/// let entries = read(&folder.read(LEDGER)?, LEDGER).entries;
/// let last = entries.last().unwrap();
/// assert_eq!((last.kind, last.text("status")), (EntryKind::RunFinished, Some("ok")));
/// assert_eq!(last.digest("content_root"), Some(outcome.content_root));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What a replay must give again.
    pub core: Value,
    /// Digest of `kind` and `core`.
    pub h_core: Digest,
    /// What it says.
    pub kind: EntryKind,
    /// What may differ: times, attempts, addresses.
    pub meta: Value,
    /// Digest of the line before.
    pub prev: Digest,
    /// Its place, from 0.
    pub seq: u64,
}

impl Entry {
    /// A text member of `core`.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.core.get(key)?.as_str()
    }

    /// A digest member of `core`.
    pub fn digest(&self, key: &str) -> Option<Digest> {
        self.text(key)?.parse().ok()
    }

    /// What the entry is about: the same in every run of the same plan, whatever the order.
    pub fn subject(&self) -> String {
        subject_of(self.kind, &self.core)
    }

    /// Whether another session of the run, or a replay, must give it again. Checkpoints say when a disk was reached,
    /// late results when a clock ran out: neither is part of what a run did.
    pub fn is_compared(&self) -> bool {
        self.kind != EntryKind::Checkpoint && self.text("status") != Some("late")
    }
}

/// What a record is about.
pub(crate) fn subject_of(kind: EntryKind, core: &Value) -> String {
    let member = |key: &str| core.get(key).map(ToString::to_string).unwrap_or_default();
    format!(
        "{} {} {} {} {} {} {} {} {}",
        kind.as_str(),
        member("cause"),
        member("rev"),
        member("attempt"),
        member("track"),
        member("layer"),
        member("node"),
        member("ordinal"),
        member("n"),
    )
}
