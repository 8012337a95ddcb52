//! [`collect`]: removes objects that no kept run leads to, and what half-finished writes left.
//!
//! It never works beside a run: it holds the lock of the folder, which every run shares as long as its ledger is open, and
//! those of the runs, and refuses when somebody else has one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;

use crate::Clock;
use crate::ledger::inventory::{Inventory, REMOVED, entries};
use crate::ledger::{LOCK, LedgerError, OBJECTS, pins, runs_lock};

/// What to remove.
///
/// ```
/// use leg_core::SystemClock;
/// use leg_core::ledger::{Collect, collect};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// // What would go if no run were kept?
/// let none = Collect { keep: Some(Vec::new()), dry_run: true };
/// let found = collect(runs.path(), &none, &SystemClock)?;
/// assert_eq!(found.runs, ["small"]);
/// assert!(found.objects > 0 && runs.path().join("small").exists());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Collect {
    /// The runs to keep, beside the pinned ones: all others are removed. Unset keeps every run.
    pub keep: Option<Vec<String>>,
    /// Only say what would be removed.
    pub dry_run: bool,
}

/// What was removed, or would be.
///
/// ```
/// use leg_core::SystemClock;
/// use leg_core::ledger::{Collect, Collected, collect};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// let found: Collected = collect(runs.path(), &Collect { keep: None, dry_run: false }, &SystemClock)?;
/// assert_eq!((found.kept, found.runs.len(), found.objects), (vec!["small".to_owned()], 0, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// Whether it was only looked at.
    pub dry_run: bool,
    /// The runs that are kept.
    pub kept: Vec<String>,
    /// The runs that are removed.
    pub runs: Vec<String>,
    /// How many objects are removed.
    pub objects: usize,
    /// How many half-written files are removed.
    pub leftovers: usize,
    /// How many bytes of objects, leftovers and run folders that frees.
    pub bytes: u64,
}

/// Nothing was removed.
///
/// ```
/// use leg_core::SystemClock;
/// use leg_core::ledger::{Collect, CollectError, collect};
///
/// let runs = tempfile::tempdir()?;
/// let unknown = Collect { keep: Some(vec!["nowhere".to_owned()]), dry_run: true };
/// assert!(matches!(collect(runs.path(), &unknown, &SystemClock), Err(CollectError::NoRun { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// The folder cannot be read or written.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// A run goes on.
    #[error("run `{run}` goes on in this folder; wait for its end, or stop it, and try again")]
    Running {
        /// Which, where that is known.
        run: String,
    },
    /// A run that should be kept is not there.
    #[error("there is no run `{run}` to keep in this folder; `leg runs` lists them")]
    NoRun {
        /// Its id.
        run: String,
    },
}

/// Half-written files that are younger than this may still be written.
const LEFT_BEHIND_S: i64 = 3600;

/// Removes what no kept run leads to.
///
/// ```
/// use leg_core::SystemClock;
/// use leg_core::ledger::{Collect, change_pins, collect};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// change_pins(runs.path(), &["small".to_owned()], &[])?;
/// let none = Collect { keep: Some(Vec::new()), dry_run: false };
/// assert!(collect(runs.path(), &none, &SystemClock)?.runs.is_empty(), "a pinned run stays");
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`CollectError`]; a run that cannot be read stops it before anything is removed.
pub fn collect(runs: &Path, what: &Collect, clock: &dyn Clock) -> Result<Collected, CollectError> {
    let lock = runs_lock(runs);
    // A run shares the lock from its first record to its last.
    if lock.as_ref().is_some_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock))) {
        return Err(CollectError::Running { run: "of another process".to_owned() });
    }
    let inventory = Inventory::of(runs)?;
    let mut held = Vec::new();
    for id in inventory.runs.keys() {
        if let Ok(file) = fs::File::open(runs.join(id).join(LOCK)) {
            if matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)) {
                return Err(CollectError::Running { run: id.clone() });
            }
            // Held until the end, so that nobody resumes the run meanwhile.
            held.push(file);
        }
    }
    let pinned = pins(runs)?;
    if let Some(run) = what.keep.iter().flatten().find(|id| !inventory.runs.contains_key(*id)) {
        return Err(CollectError::NoRun { run: run.clone() });
    }
    let is_kept =
        |id: &String| what.keep.as_ref().is_none_or(|keep| keep.contains(id)) || pinned.contains(id);
    let (kept, removed): (Vec<String>, Vec<String>) = inventory.runs.keys().cloned().partition(is_kept);
    let needed: BTreeSet<_> =
        kept.iter().filter_map(|id| inventory.runs.get(id)).flat_map(|held| &held.leads_to).collect();
    let mut found =
        Collected { dry_run: what.dry_run, kept, runs: removed, objects: 0, leftovers: 0, bytes: 0 };
    for id in &found.runs {
        if let Some(held) = inventory.runs.get(id) {
            found.bytes += held.ledger + held.files + held.own_objects;
        }
        if !what.dry_run {
            remove_run(runs, id)?;
        }
    }
    for (digest, size) in inventory.objects.iter().filter(|(digest, _)| !needed.contains(digest)) {
        let hex = digest.to_hex();
        let (head, tail) = hex.split_at(2);
        found.objects += 1;
        found.bytes += size;
        if !what.dry_run {
            remove(&runs.join(OBJECTS).join(head).join(tail))?;
        }
    }
    let old = |path: &Path| age_s(path, clock).is_some_and(|age| age > LEFT_BEHIND_S);
    for (path, size) in inventory.leftovers.iter().filter(|(path, _)| path.exists() && old(path)) {
        found.leftovers += 1;
        found.bytes += size;
        if !what.dry_run {
            remove(path)?;
        }
    }
    if !what.dry_run {
        remove_marked(runs)?;
    }
    drop((held, lock));
    Ok(found)
}

/// A run goes away at once: a folder that is removed half-way is no run any more.
fn remove_run(runs: &Path, id: &str) -> Result<(), LedgerError> {
    let path = runs.join(id);
    let marked = runs.join(format!("{REMOVED}{id}"));
    fs::rename(&path, &marked).map_err(|source| LedgerError::Io { path, source })?;
    fs::remove_dir_all(&marked).map_err(|source| LedgerError::Io { path: marked, source })
}

/// Folders that an earlier collection did not get to the end of.
fn remove_marked(runs: &Path) -> Result<(), LedgerError> {
    let is_marked =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(REMOVED));
    for path in entries(runs)?.into_iter().filter(is_marked) {
        fs::remove_dir_all(&path).map_err(|source| LedgerError::Io { path, source })?;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<(), LedgerError> {
    fs::remove_file(path).map_err(|source| LedgerError::Io { path: path.to_owned(), source })
}

/// How old a file is, in seconds.
fn age_s(path: &Path, clock: &dyn Clock) -> Option<i64> {
    let changed = fs::metadata(path).ok()?.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    Some(clock.now_nanos() / 1_000_000_000 - i64::try_from(changed.as_secs()).ok()?)
}
