//! A folder that grows beside its target and takes its name at the end.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::error::WriteError;

/// How many names for the folder are tried before giving up.
const TRIES: u32 = 64;

/// The name of the file whose lock says that somebody writes.
const LOCK: &str = ".lock";

/// The growing folder. Dropped without [`Staging::commit`], it removes itself, unless it may be gone on with.
#[derive(Debug)]
pub(crate) struct Staging {
    folder: PathBuf,
    target: PathBuf,
    is_committed: bool,
    /// The lock of a folder that is kept; it ends with the process.
    lock: Option<fs::File>,
}

impl Staging {
    /// Makes a hidden folder beside `target`.
    ///
    /// # Errors
    /// [`WriteError::Exists`] if the target exists and is not an empty folder.
    pub(crate) fn new(target: &Path) -> Result<Self, WriteError> {
        let (parent, name) = place_of(target)?;
        let process = std::process::id();
        for attempt in 0..TRIES {
            let folder = parent.join(format!(".{name}.partial-{process}-{attempt}"));
            match fs::create_dir(&folder) {
                Ok(()) => {
                    return Ok(Self { folder, target: target.to_owned(), is_committed: false, lock: None });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(WriteError::io(folder, error)),
            }
        }
        Err(WriteError::Exists { path: parent.join(format!(".{name}.partial-{process}")) })
    }

    /// Makes a hidden folder beside `target`, or takes up the one that was left under this key.
    ///
    /// # Errors
    /// [`WriteError::Exists`] as [`Staging::new`]; [`WriteError::Busy`] while another process writes there.
    pub(crate) fn resumed(target: &Path, key: &str) -> Result<Self, WriteError> {
        let (parent, name) = place_of(target)?;
        let folder = parent.join(format!(".{name}.partial-{key}"));
        fs::create_dir_all(&folder).map_err(|error| WriteError::io(&folder, error))?;
        let path = folder.join(LOCK);
        let lock = fs::OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|error| WriteError::io(&path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder, target: target.to_owned(), is_committed: false, lock: Some(lock) }),
            Err(fs::TryLockError::WouldBlock) => Err(WriteError::Busy { path: target.to_owned() }),
            Err(fs::TryLockError::Error(error)) => Err(WriteError::io(path, error)),
        }
    }

    /// Returns the folder to write into.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Gives the folder its target's name.
    ///
    /// # Errors
    /// [`WriteError::Exists`] if something took the place meanwhile.
    pub(crate) fn commit(mut self) -> Result<(), WriteError> {
        if !is_free(&self.target)? {
            return Err(WriteError::Exists { path: self.target.clone() });
        }
        if self.lock.is_some() {
            let path = self.folder.join(LOCK);
            fs::remove_file(&path).map_err(|error| WriteError::io(path, error))?;
        }
        // An empty folder gives way; this fails, and harms nothing, if it is no longer empty.
        if self.target.is_dir() {
            fs::remove_dir(&self.target).map_err(|error| WriteError::io(&self.target, error))?;
        }
        fs::rename(&self.folder, &self.target).map_err(|error| WriteError::io(&self.target, error))?;
        self.is_committed = true;
        Ok(())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.is_committed && self.lock.is_none() {
            // Nothing can be done about a folder that will not go; its name says what it is.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// The folder of a target that is free, and its name.
fn place_of(target: &Path) -> Result<(&Path, String), WriteError> {
    let not_a_place = || WriteError::NotAPlace { path: target.to_owned() };
    let name = target.file_name().ok_or_else(not_a_place)?.to_string_lossy().into_owned();
    let parent = match target.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Err(not_a_place()),
    };
    if !is_free(target)? {
        return Err(WriteError::Exists { path: target.to_owned() });
    }
    if !parent.is_dir() {
        return Err(not_a_place());
    }
    Ok((parent, name))
}

/// Tells whether nothing, or only an empty folder, is at a place.
fn is_free(target: &Path) -> Result<bool, WriteError> {
    match fs::symlink_metadata(target) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(WriteError::io(target, error)),
        Ok(found) if found.is_dir() => {
            let mut entries = fs::read_dir(target).map_err(|error| WriteError::io(target, error))?;
            Ok(entries.next().is_none())
        }
        Ok(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_folder_given_up_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let staging = Staging::new(&home.path().join("store")).unwrap();
        fs::write(staging.folder().join("half"), "x").unwrap();
        drop(staging);
        assert!(names(home.path()).is_empty());
    }

    #[test]
    fn what_is_there_stays() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("store");
        fs::write(&target, "mine").unwrap();
        assert!(matches!(Staging::new(&target), Err(WriteError::Exists { .. })));
        fs::remove_file(&target).unwrap();
        fs::create_dir(&target).unwrap();
        let staging = Staging::new(&target).unwrap();
        // Someone fills the empty folder while the store is written.
        fs::write(target.join("mine"), "x").unwrap();
        assert!(matches!(staging.commit(), Err(WriteError::Exists { .. })));
        assert_eq!(names(home.path()), ["store"]);
        assert_eq!(names(&target), ["mine"]);
    }

    #[test]
    fn an_empty_folder_gives_way() {
        let home = tempfile::tempdir().unwrap();
        let staging = Staging::new(home.path()).unwrap();
        fs::write(staging.folder().join("whole"), "x").unwrap();
        staging.commit().unwrap();
        assert_eq!(names(home.path()), ["whole"]);
    }

    #[test]
    fn places_that_are_none_are_refused() {
        let home = tempfile::tempdir().unwrap();
        for path in [home.path().join("no/such/store"), PathBuf::from("/"), home.path().join("..")] {
            assert!(Staging::new(&path).is_err(), "{}", path.display());
        }
    }
}
