//! Objects as files: `ab/cdef…`, named by their digest.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use crate::artifact::store::{ObjectStore, StoreError, check};
use crate::{Digest, Domain};

/// Keeps each object in a file. A file appears whole or not at all: it is written beside its place and renamed.
///
/// ```
/// use leg_core::{FolderObjects, ObjectStore as _, StoreError};
///
/// let folder = tempfile::tempdir()?;
/// let digest = FolderObjects::new(folder.path()).put(b"surge")?;
/// // Another process sees it.
/// assert_eq!(FolderObjects::new(folder.path()).get(&digest)?.as_ref(), b"surge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FolderObjects {
    root: PathBuf,
    /// Further folders to read from.
    also: Vec<PathBuf>,
    next: AtomicU64,
}

impl FolderObjects {
    /// Objects below `root`, which is made when the first object is stored.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), also: Vec::new(), next: AtomicU64::new(0) }
    }

    /// The objects of a run folder: `RUN/objects` first, then `RUN/../objects`.
    pub fn of_run(run: &Path) -> Self {
        let shared = run.parent().unwrap_or(run).join("objects");
        Self { root: run.join("objects"), also: vec![shared], next: AtomicU64::new(0) }
    }

    fn path(root: &Path, digest: &Digest) -> PathBuf {
        let hex = digest.to_hex();
        let (head, tail) = hex.split_at(2);
        root.join(head).join(tail)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.root);
        fs::create_dir_all(folder)?;
        let unique = self.next.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".{}-{unique}.part", std::process::id()));
        let written = fs::File::create(&temporary)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| fs::rename(&temporary, path));
        if written.is_err() {
            // The error that matters is the first one.
            let _ = fs::remove_file(&temporary);
        }
        written
    }
}

impl ObjectStore for FolderObjects {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(Domain::Object, bytes);
        let path = Self::path(&self.root, &digest);
        // A file of another length was cut by a full disk or a crash of the machine: write it again.
        let there = fs::metadata(&path).is_ok_and(|meta| meta.len() == bytes.len() as u64);
        if !there {
            self.write(&path, bytes).map_err(|source| StoreError::Io { path, source })?;
        }
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        for root in std::iter::once(&self.root).chain(&self.also) {
            let path = Self::path(root, digest);
            match fs::read(&path) {
                Ok(bytes) => return check(digest, bytes.into()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(StoreError::Io { path, source }),
            }
        }
        Err(StoreError::Missing { digest: *digest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_object_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let store = FolderObjects::new(folder.path());
        let digest = store.put(b"surge").unwrap();
        assert_eq!(store.get(&digest).unwrap().as_ref(), b"surge");
        fs::write(FolderObjects::path(folder.path(), &digest), b"surgf").unwrap();
        assert!(matches!(store.get(&digest), Err(StoreError::Damaged { .. })));
        store.put(b"other").unwrap();
        assert!(matches!(store.get(&Digest::of(Domain::Object, b"?")), Err(StoreError::Missing { .. })));
    }

    #[test]
    fn a_run_reads_its_own_objects_and_the_shared_ones() {
        let folder = tempfile::tempdir().unwrap();
        let shared = FolderObjects::new(folder.path().join("objects"));
        let digest = shared.put(b"x").unwrap();
        assert!(FolderObjects::of_run(&folder.path().join("run-1")).get(&digest).is_ok());
    }
}
