//! [`RunLock`]: one owner for a run folder.
//!
//! The owner holds `RUN/lock` locked at the operating system, which frees it when the process ends, however it ends.
//! What stands in the file says who it is, with a fencing number that only grows: an owner that has lost the folder
//! without knowing (a paused machine, a file system that forgot its locks) finds a higher number and writes no more.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ledger::{Entry, LOCK};

/// Who holds a run folder.
///
/// ```
/// use leg_core::run::LockOwner;
///
/// let owner = LockOwner { owner: "leg run".to_owned(), fence: 3, pid: 4711 };
/// assert!(owner.to_string().contains("4711"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockOwner {
    /// A name for people, such as `leg run` or the name of a service.
    pub owner: String,
    /// One higher than that of every owner before.
    pub fence: u64,
    /// The process.
    pub pid: u32,
}

impl std::fmt::Display for LockOwner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` (process {}, fence {})", self.owner, self.pid, self.fence)
    }
}

/// A run folder is not, or no longer, ours.
///
/// ```
/// use leg_core::run::{LockError, RunLock};
///
/// let folder = tempfile::tempdir()?;
/// let _lock = RunLock::take(folder.path(), "leg run", 0)?;
/// let error = RunLock::take(folder.path(), "leg resume", 0).unwrap_err();
/// assert!(matches!(error, LockError::RunLocked { .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else runs it.
    #[error(
        "run folder `{path}` is in use by {by}; wait until it has ended, or end it: a lock is free as soon as its \
         process has ended, and need not be removed",
        path = path.display(), by = by(owner.as_ref())
    )]
    RunLocked {
        /// The folder.
        path: PathBuf,
        /// Who; unknown when the owner is just about to write it down.
        owner: Option<LockOwner>,
    },
    /// Somebody else has taken it over.
    #[error(
        "run folder `{path}` was taken over by {by} from {mine}; this run ends here and writes no more: look at the \
         one that has it",
        path = path.display(), by = by(owner.as_ref())
    )]
    Lost {
        /// The folder.
        path: PathBuf,
        /// Who had it.
        mine: LockOwner,
        /// Who has it, if anybody.
        owner: Option<LockOwner>,
    },
    /// The file system refused.
    #[error("`{path}`: {source}; check that the runs folder is writable and supports file locks", path = path.display())]
    Io {
        /// The lock file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
}

fn by(owner: Option<&LockOwner>) -> String {
    owner.map_or_else(|| "somebody else".to_owned(), ToString::to_string)
}

/// The right to write into a run folder. Dropping it frees the folder and leaves the file; [`release`](Self::release)
/// removes the file too.
///
/// ```
/// use leg_core::run::{LockError, RunLock};
///
/// let folder = tempfile::tempdir()?;
/// let lock = RunLock::take(folder.path(), "leg run", 0)?;
/// assert!(matches!(RunLock::take(folder.path(), "leg resume", 0), Err(LockError::RunLocked { .. })));
/// lock.still_mine()?;
/// lock.release()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RunLock {
    folder: PathBuf,
    path: PathBuf,
    // Closing it frees the lock.
    _file: File,
    owner: LockOwner,
}

/// How often a lock file that is removed at the moment is looked for again.
const ATTEMPTS: usize = 100;

impl RunLock {
    /// Takes a run folder that is there. `last_fence` is the highest number in its ledger ([`last_fence`]), or 0.
    ///
    /// # Errors
    /// [`LockError::RunLocked`] names who has it; [`LockError::Io`].
    pub fn take(folder: &Path, owner: &str, last_fence: u64) -> Result<Self, LockError> {
        for _ in 0..ATTEMPTS {
            if let Some(lock) = Self::attempt(folder, owner, last_fence)? {
                return Ok(lock);
            }
        }
        Err(LockError::RunLocked { path: folder.to_owned(), owner: None })
    }

    /// `None` when the file was removed between opening and locking it.
    fn attempt(folder: &Path, owner: &str, last_fence: u64) -> Result<Option<Self>, LockError> {
        let path = folder.join(LOCK);
        let io = |source| LockError::Io { path: path.clone(), source };
        let open = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path);
        let mut file = open.map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::RunLocked { path: folder.to_owned(), owner: read_owner(&path) });
            }
            Err(TryLockError::Error(source)) => return Err(io(source)),
        }
        let mut before = Vec::new();
        file.read_to_end(&mut before).map_err(io)?;
        let before = parse_owner(&before).map_or(0, |before| before.fence);
        let owner =
            LockOwner { owner: owner.to_owned(), fence: before.max(last_fence) + 1, pid: std::process::id() };
        // Written over what is there, then cut: killed in between, a number is there at any moment.
        let text = format!("{}\n", serde_json::to_string(&owner).unwrap_or_default());
        let written = file.rewind().and_then(|()| file.write_all(text.as_bytes()));
        written.and_then(|()| file.set_len(text.len() as u64)).and_then(|()| file.sync_data()).map_err(io)?;
        // An owner that ended in the meantime has removed the file that we hold: others would not see our lock.
        if read_owner(&path).as_ref() != Some(&owner) {
            return Ok(None);
        }
        Ok(Some(Self { folder: folder.to_owned(), path, _file: file, owner }))
    }

    /// Who holds it: this process.
    pub const fn owner(&self) -> &LockOwner {
        &self.owner
    }

    /// The number to be written into the ledger.
    pub const fn fence(&self) -> u64 {
        self.owner.fence
    }

    /// Looks whether nobody has taken the folder over; before each barrier is synced.
    ///
    /// # Errors
    /// [`LockError::Lost`]: nothing may be written any more.
    pub fn still_mine(&self) -> Result<(), LockError> {
        let owner = read_owner(&self.path);
        if owner.as_ref() == Some(&self.owner) {
            return Ok(());
        }
        Err(LockError::Lost { path: self.folder.clone(), mine: self.owner.clone(), owner })
    }

    /// Ends the ownership and removes the file.
    ///
    /// # Errors
    /// [`LockError::Lost`] when the folder is somebody else's, whose file stays; [`LockError::Io`].
    pub fn release(self) -> Result<(), LockError> {
        self.still_mine()?;
        // Removed while it is locked, so that nobody else's file is.
        fs::remove_file(&self.path).map_err(|source| LockError::Io { path: self.path.clone(), source })
    }
}

/// The highest fencing number in a ledger: of `meta.fence` of all records, or 0.
///
/// ```
/// use leg_core::run::last_fence;
///
/// assert_eq!(last_fence(&[]), 0, "nobody has owned the run");
/// ```
pub fn last_fence(entries: &[Entry]) -> u64 {
    entries.iter().filter_map(|entry| entry.meta.get("fence").and_then(Value::as_u64)).max().unwrap_or(0)
}

fn read_owner(path: &Path) -> Option<LockOwner> {
    parse_owner(&fs::read(path).ok()?)
}

/// The first JSON value; what follows it is left of a longer one before.
fn parse_owner(bytes: &[u8]) -> Option<LockOwner> {
    serde_json::Deserializer::from_slice(bytes).into_iter::<LockOwner>().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_grows_over_what_is_left_and_what_the_ledger_has() {
        let folder = tempfile::tempdir().unwrap();
        let take = |last| RunLock::take(folder.path(), "test", last).unwrap();
        assert_eq!(take(0).fence(), 1);
        assert_eq!(take(0).fence(), 2, "a dropped lock leaves its number");
        assert_eq!(take(7).fence(), 8);
        assert_eq!(take(3).fence(), 9);
        take(0).release().unwrap();
        assert!(!folder.path().join(LOCK).exists());
        assert_eq!(take(10).fence(), 11);
    }

    #[test]
    fn whoever_comes_second_hears_who_has_it_and_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let _lock = RunLock::take(folder.path(), "leg run", 4).unwrap();
        let error = RunLock::take(folder.path(), "leg resume", 0).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "run folder `{}` is in use by `leg run` (process {}, fence 5); wait until it has ended, or end it: \
                 a lock is free as soon as its process has ended, and need not be removed",
                folder.path().display(),
                std::process::id()
            )
        );
    }

    #[test]
    fn an_owner_that_was_overtaken_writes_no_more_and_leaves_the_file_of_the_other() {
        let folder = tempfile::tempdir().unwrap();
        let first = RunLock::take(folder.path(), "first", 0).unwrap();
        first.still_mine().unwrap();
        // Somebody removes the file by hand: the next owner then cannot see the lock.
        fs::remove_file(folder.path().join(LOCK)).unwrap();
        assert!(matches!(first.still_mine(), Err(LockError::Lost { owner: None, .. })));
        let second = RunLock::take(folder.path(), "second", first.fence()).unwrap();
        assert!(second.fence() > first.fence());
        let Err(LockError::Lost { owner: Some(owner), .. }) = first.still_mine() else { panic!("lost") };
        assert_eq!(&owner, second.owner());
        assert!(first.release().is_err());
        second.still_mine().unwrap();
    }

    #[test]
    fn a_file_that_is_damaged_or_half_written_does_not_stop_the_next_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(LOCK);
        for (text, fence) in [
            ("", 1),
            ("{\"owner\":\"a\",\"fe", 1),
            ("\u{0}\u{0}", 1),
            ("{\"owner\":\"a\",\"fence\":6,\"pid\":1}\n\"pid\":12}\n", 7),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(RunLock::take(folder.path(), "test", 0).unwrap().fence(), fence, "{text:?}");
        }
    }

    #[test]
    fn of_all_that_take_at_once_exactly_one_wins() {
        let folder = tempfile::tempdir().unwrap();
        let mut last = 0;
        for round in 0..50 {
            let start = std::sync::Barrier::new(8);
            let taken: Vec<_> = std::thread::scope(|scope| {
                let take = || {
                    start.wait();
                    RunLock::take(folder.path(), "test", last)
                };
                let threads: Vec<_> = (0..8).map(|_| scope.spawn(take)).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let (won, lost): (Vec<_>, Vec<_>) = taken.into_iter().partition(Result::is_ok);
            assert_eq!((won.len(), lost.len()), (1, 7), "round {round}: {lost:?}");
            let lock = won.into_iter().next().unwrap().unwrap();
            assert!(lock.fence() > last);
            last = lock.fence();
            // Half of the rounds start with a file that is left, half without.
            if round % 2 == 0 { lock.release().unwrap() } else { drop(lock) }
        }
    }

    #[test]
    fn takers_that_come_while_others_leave_never_hold_it_together() {
        let folder = tempfile::tempdir().unwrap();
        let holders = std::sync::atomic::AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    for _ in 0..300 {
                        let Ok(lock) = RunLock::take(folder.path(), "test", 0) else { continue };
                        assert_eq!(holders.fetch_add(1, std::sync::atomic::Ordering::SeqCst), 0);
                        lock.still_mine().unwrap();
                        holders.fetch_sub(1, std::sync::atomic::Ordering::SeqCst);
                        lock.release().unwrap();
                    }
                });
            }
        });
    }
}
