//! [`usage`]: what runs take on the disk, and what they share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Serialize;

use crate::Digest;
use crate::ledger::LedgerError;
use crate::ledger::inventory::{Held, Inventory};

/// What the runs of a folder take, in bytes.
///
/// ```
/// use leg_core::ledger::usage;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// let usage = usage(runs.path(), None)?;
/// assert_eq!(usage.runs[0].run, "small");
/// assert!(usage.in_all.total >= usage.in_all.payload);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Usage {
    /// Each run.
    pub runs: Vec<RunUsage>,
    /// All runs together; what they share counts once.
    pub in_all: UsageInAll,
}

/// What one run takes, in bytes.
///
/// ```
/// use leg_core::ledger::usage;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// let run = &usage(runs.path(), None)?.runs[0];
/// assert_eq!(run.alone, run.payload, "no other run shares its objects");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunUsage {
    /// The run's id.
    pub run: String,
    /// Its ledger.
    pub ledger: u64,
    /// Its other files.
    pub files: u64,
    /// Objects in its own folder.
    pub own_objects: u64,
    /// The shared objects that it leads to, each once.
    pub payload: u64,
    /// The part of `payload` that no other run leads to: what removing the run would free.
    pub alone: u64,
}

/// What all runs take, in bytes.
///
/// ```
/// use leg_core::ledger::usage;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// let all = usage(runs.path(), None)?.in_all;
/// assert_eq!((all.unused, all.leftovers), (0, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct UsageInAll {
    /// Their ledgers.
    pub ledgers: u64,
    /// Their other files.
    pub files: u64,
    /// Objects in their own folders.
    pub own_objects: u64,
    /// The shared objects that a run leads to, each once.
    pub payload: u64,
    /// Shared objects that no run leads to: `leg gc` removes them.
    pub unused: u64,
    /// Files that a write left half done.
    pub leftovers: u64,
    /// All of it.
    pub total: u64,
}

/// What the runs of a folder take; `only` names those to list.
///
/// ```
/// use leg_core::ledger::usage;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// assert!(usage(runs.path(), Some(&["other".to_owned()]))?.runs.is_empty());
/// assert_eq!(usage(runs.path(), None)?.runs.len(), 1);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`LedgerError::Io`].
pub fn usage(runs: &Path, only: Option<&[String]>) -> Result<Usage, LedgerError> {
    let inventory = Inventory::of(runs)?;
    let mut users: BTreeMap<Digest, usize> = BTreeMap::new();
    for digest in inventory.runs.values().flat_map(|held| &held.leads_to) {
        *users.entry(*digest).or_default() += 1;
    }
    let bytes = |digests: &mut dyn Iterator<Item = &Digest>| -> u64 {
        digests.filter_map(|digest| inventory.objects.get(digest)).sum()
    };
    let of_run = |(id, held): (&String, &Held)| RunUsage {
        run: id.clone(),
        ledger: held.ledger,
        files: held.files,
        own_objects: held.own_objects,
        payload: bytes(&mut held.leads_to.iter()),
        alone: bytes(&mut held.leads_to.iter().filter(|digest| users.get(*digest) == Some(&1))),
    };
    let all: Vec<RunUsage> = inventory.runs.iter().map(of_run).collect();
    let sum = |part: fn(&RunUsage) -> u64| all.iter().map(part).sum::<u64>();
    let used: BTreeSet<&Digest> = users.keys().collect();
    let unused = bytes(&mut inventory.objects.keys().filter(|digest| !used.contains(digest)));
    let mut in_all = UsageInAll {
        ledgers: sum(|run| run.ledger),
        files: sum(|run| run.files),
        own_objects: sum(|run| run.own_objects),
        payload: bytes(&mut users.keys()),
        unused,
        leftovers: inventory.leftovers.iter().map(|(_, size)| size).sum(),
        total: 0,
    };
    in_all.total = in_all.ledgers
        + in_all.files
        + in_all.own_objects
        + in_all.payload
        + in_all.unused
        + in_all.leftovers;
    let listed = |run: &RunUsage| only.is_none_or(|only| only.contains(&run.run));
    Ok(Usage { runs: all.into_iter().filter(listed).collect(), in_all })
}
