//! [`RunFolder`]: `RUNS/<run-id>/` with its ledger, its report and its manifest.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::RunId;
use crate::ledger::log_tree::LogTree;
use crate::ledger::manifest::{TOLD, as_file, manifest_of};
use crate::ledger::{Entry, EntryKind, JsonlLedger, LedgerError};

/// The folder of one run, or the place for one.
///
/// ```
/// use leg_core::ledger::{LEDGER, MANIFEST, RunFolder};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let runs = tempfile::tempdir()?;
/// leg_testkit::small_run(runs.path()).await;
/// let folder = RunFolder::open(&runs.path().join("small"))?;
/// let files = folder.files()?;
/// assert!([LEDGER, MANIFEST, "report.md"].iter().all(|name| files.iter().any(|file| file == name)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct RunFolder {
    path: PathBuf,
}

/// What is read of a line that the manifest does not tell of.
#[derive(Deserialize)]
struct Kind {
    kind: EntryKind,
}

/// The ledger's file name.
pub const LEDGER: &str = "ledger.jsonl";
/// The manifest's file name.
pub const MANIFEST: &str = "run.json";
/// The name of the file that the run's owner holds locked; what is in it says nothing about the run.
pub const LOCK: &str = "lock";
/// The name of the folder of objects.
pub const OBJECTS: &str = "objects";

impl RunFolder {
    /// The place of a run in `runs`; nothing is made yet.
    pub fn new(runs: &Path, id: &RunId) -> Self {
        Self { path: runs.join(id.as_str()) }
    }

    /// Makes the folder, with an empty ledger.
    ///
    /// # Errors
    /// [`LedgerError::Exists`] for an id that was used, [`LedgerError::Io`] when the folder cannot be written.
    pub fn begin(&self) -> Result<JsonlLedger, LedgerError> {
        let io = |path: &Path| {
            let path = path.to_owned();
            move |source| LedgerError::Io { path, source }
        };
        let runs = self.path.parent().unwrap_or(&self.path);
        fs::create_dir_all(runs).map_err(io(runs))?;
        match fs::create_dir(&self.path) {
            Ok(()) => JsonlLedger::create(&self.path.join(LEDGER)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Err(LedgerError::Exists { path: self.path.clone() })
            }
            Err(source) => Err(LedgerError::Io { path: self.path.clone(), source }),
        }
    }

    /// Reads the ledger and writes the manifest that follows from it. Only the lines that the manifest tells of are
    /// held in memory: a ledger can be large.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn write_manifest(&self) -> Result<(), LedgerError> {
        let path = self.path.join(LEDGER);
        let io = |source| LedgerError::Io { path: path.clone(), source };
        let mut file = BufReader::with_capacity(1 << 16, fs::File::open(&path).map_err(io)?);
        let (mut told, mut count, mut tree) = (Vec::new(), 0, LogTree::default());
        let mut line = Vec::new();
        while file.read_until(b'\n', &mut line).map_err(io)? > 0 {
            // A line without its end is none.
            if let Some(whole) = line.strip_suffix(b"\n") {
                tree.push(whole);
                let kind = serde_json::from_slice::<Kind>(whole).ok().map(|line| line.kind);
                count += u64::from(kind.is_some());
                if kind.is_some_and(|kind| TOLD.contains(&kind)) {
                    told.extend(serde_json::from_slice::<Entry>(whole).ok());
                }
            }
            line.clear();
        }
        self.write(MANIFEST, &as_file(&manifest_of(&told, count, tree.root())))
    }

    /// The folder of a run that is there.
    ///
    /// # Errors
    /// [`LedgerError::NoRun`] when it has neither ledger nor manifest.
    pub fn open(path: &Path) -> Result<Self, LedgerError> {
        // A folder whose ledger was taken away is a run still: `verify` says what is wrong with it.
        if path.join(LEDGER).is_file() || path.join(MANIFEST).is_file() {
            Ok(Self { path: path.to_owned() })
        } else {
            Err(LedgerError::NoRun { path: path.to_owned() })
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads a file of the folder.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn read(&self, name: &str) -> Result<Vec<u8>, LedgerError> {
        let path = self.path.join(name);
        fs::read(&path).map_err(|source| LedgerError::Io { path, source })
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), LedgerError> {
        write_whole(&self.path.join(name), bytes)
    }

    /// All files of the folder, as `a/b`, in order; objects are not listed.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn files(&self) -> Result<Vec<String>, LedgerError> {
        let mut found = self.below(&self.path)?;
        found.retain(|name| name.split('/').next() != Some(OBJECTS));
        Ok(found)
    }

    /// The files of the run's own objects, as `objects/ab/cdef…`, in order; most runs have none, and share theirs.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub fn objects(&self) -> Result<Vec<String>, LedgerError> {
        let own = self.path.join(OBJECTS);
        if own.is_dir() { self.below(&own) } else { Ok(Vec::new()) }
    }

    fn below(&self, start: &Path) -> Result<Vec<String>, LedgerError> {
        let mut found = Vec::new();
        let mut open = vec![start.to_owned()];
        while let Some(folder) = open.pop() {
            let io = |source| LedgerError::Io { path: folder.clone(), source };
            for entry in fs::read_dir(&folder).map_err(io)? {
                let entry = entry.map_err(io)?;
                let path = entry.path();
                if entry.file_type().map_err(io)?.is_dir() {
                    open.push(path);
                } else {
                    let relative = path.strip_prefix(&self.path).unwrap_or(&path);
                    found.push(relative.to_string_lossy().replace('\\', "/"));
                }
            }
        }
        found.sort();
        Ok(found)
    }
}

/// Writes a file, whole or not at all: beside its place first, then renamed.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), LedgerError> {
    let write = || {
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut temporary = path.as_os_str().to_owned();
        temporary.push(".part");
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_data()?;
        fs::rename(&temporary, path)
    };
    write().map_err(|source| LedgerError::Io { path: path.to_owned(), source })
}

/// The folder of runs, to be locked: runs share its lock as long as their ledgers are open, and nobody removes objects
/// without having it alone. Systems that cannot open a folder have only the locks of the runs.
pub(crate) fn runs_lock(runs: &Path) -> Option<fs::File> {
    fs::File::open(runs).ok()
}
