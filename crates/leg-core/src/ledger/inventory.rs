//! [`Inventory`]: the runs of a folder, the objects that they share, and which run leads to which object.
//!
//! What a run leads to is found generously: every text of the form `b3:` and 64 digits in any of its files, and in
//! every object so found. A digest that is no object's does no harm.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::Digest;
use crate::ledger::{LEDGER, LedgerError, MANIFEST, OBJECTS, RunFolder};

/// What lies in a folder of runs.
#[derive(Debug)]
pub(crate) struct Inventory {
    /// The runs by their ids.
    pub runs: BTreeMap<String, Held>,
    /// The shared objects and their sizes.
    pub objects: BTreeMap<Digest, u64>,
    /// Files that a write left half done, with their sizes: in the store and in run folders.
    pub leftovers: Vec<(PathBuf, u64)>,
}

/// What a run holds.
#[derive(Debug, Default)]
pub(crate) struct Held {
    /// Bytes of its ledger.
    pub ledger: u64,
    /// Bytes of its other files.
    pub files: u64,
    /// Bytes of objects of its own.
    pub own_objects: u64,
    /// The shared objects that it leads to.
    pub leads_to: BTreeSet<Digest>,
}

/// How names of files end that are not written to their end.
const HALF: &str = ".part";
/// How names of folders begin that are about to be removed.
pub(crate) const REMOVED: &str = ".removed-";

impl Inventory {
    /// Looks at everything in a folder of runs.
    ///
    /// # Errors
    /// [`LedgerError::Io`].
    pub(crate) fn of(runs: &Path) -> Result<Self, LedgerError> {
        let mut found = Self { runs: BTreeMap::new(), objects: BTreeMap::new(), leftovers: Vec::new() };
        let store = runs.join(OBJECTS);
        for path in files_below(&store)? {
            let size = size(&path)?;
            match name_of(&store, &path) {
                Some(digest) => {
                    found.objects.insert(digest, size);
                }
                None if is_half(&path) => found.leftovers.push((path, size)),
                None => {}
            }
        }
        // What an object names is looked up once, however many runs lead to it.
        let mut names: BTreeMap<Digest, Vec<Digest>> = BTreeMap::new();
        for (id, folder) in run_folders(runs)? {
            let held = found.held(&folder, &store, &mut names)?;
            found.runs.insert(id, held);
        }
        Ok(found)
    }

    fn held(
        &mut self,
        folder: &RunFolder,
        store: &Path,
        names: &mut BTreeMap<Digest, Vec<Digest>>,
    ) -> Result<Held, LedgerError> {
        let mut held = Held::default();
        let mut open = Vec::new();
        let own = folder.objects()?;
        for name in folder.files()?.iter().chain(&own) {
            let path = folder.path().join(name);
            let bytes = folder.read(name)?;
            let size = bytes.len() as u64;
            digests_in(&bytes, &mut open);
            match name.as_str() {
                _ if is_half(&path) => self.leftovers.push((path, size)),
                LEDGER => held.ledger += size,
                name if name.starts_with(OBJECTS) => held.own_objects += size,
                _ => held.files += size,
            }
        }
        while let Some(digest) = open.pop() {
            if !self.objects.contains_key(&digest) || !held.leads_to.insert(digest) {
                continue;
            }
            if let Some(known) = names.get(&digest) {
                open.extend(known);
                continue;
            }
            let path = store.join(digest.to_hex().get(..2).unwrap_or_default());
            let path = path.join(digest.to_hex().get(2..).unwrap_or_default());
            let bytes = fs::read(&path).map_err(|source| LedgerError::Io { path, source })?;
            let mut inner = Vec::new();
            digests_in(&bytes, &mut inner);
            inner.retain(|inner| self.objects.contains_key(inner));
            open.extend(&inner);
            names.insert(digest, inner);
        }
        Ok(held)
    }
}

/// The runs of a folder, by their ids. A folder that is not there holds none.
pub(crate) fn run_folders(runs: &Path) -> Result<Vec<(String, RunFolder)>, LedgerError> {
    let mut found = Vec::new();
    for path in entries(runs)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_run = path.join(LEDGER).is_file() || path.join(MANIFEST).is_file();
        if is_run && !name.starts_with('.') && name != OBJECTS {
            found.push((name, RunFolder::open(&path)?));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// What lies in a folder; nothing when it is not there.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, LedgerError> {
    let io = |source| LedgerError::Io { path: folder.to_owned(), source };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io(error)),
    };
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(io)).collect()
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, LedgerError> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for path in entries(&folder)? {
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    Ok(found)
}

fn size(path: &Path) -> Result<u64, LedgerError> {
    fs::metadata(path)
        .map(|meta| meta.len())
        .map_err(|source| LedgerError::Io { path: path.to_owned(), source })
}

/// The digest that an object's file is named by.
fn name_of(store: &Path, path: &Path) -> Option<Digest> {
    let relative = path.strip_prefix(store).ok()?;
    let parts: Vec<&str> = relative.iter().map(std::ffi::OsStr::to_str).collect::<Option<_>>()?;
    match parts.as_slice() {
        [head, tail] if head.len() == 2 => format!("b3:{head}{tail}").parse().ok(),
        _ => None,
    }
}

fn is_half(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().ends_with(HALF))
}

/// Every text in bytes that could be a digest.
fn digests_in(bytes: &[u8], found: &mut Vec<Digest>) {
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == b'b') {
        rest = rest.get(at..).unwrap_or_default();
        if rest.starts_with(b"b3:")
            && let Some(text) = rest.get(..67).and_then(|text| std::str::from_utf8(text).ok())
            && let Ok(digest) = text.parse()
        {
            found.push(digest);
        }
        rest = rest.get(1..).unwrap_or_default();
    }
}
