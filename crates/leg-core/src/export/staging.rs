//! [`Staging`]: an export in the making, beside its place, so that nothing half-written is ever at the place itself.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::export::ExportError;

/// A file or a folder that is being written. Dropped before `settle`, it leaves nothing.
///
/// ```
/// use leg_core::export::{ExportError, RunRecord, Staging};
///
/// /// An export that is one file: the question, and nothing else.
/// fn write(record: &RunRecord, out: &mut Staging) -> Result<(), ExportError> {
///     out.write(record.question.as_bytes())
/// }
/// ```
#[derive(Debug)]
pub struct Staging {
    temporary: PathBuf,
    target: PathBuf,
    files: u64,
    bytes: u64,
}

impl Staging {
    /// Room for an export that will stand at `target`.
    ///
    /// # Errors
    /// [`ExportError::Exists`] or [`ExportError::NoFolder`].
    pub(super) fn for_target(target: &Path) -> Result<Self, ExportError> {
        if fs::symlink_metadata(target).is_ok() {
            return Err(ExportError::Exists { path: target.to_owned() });
        }
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).to_owned();
        let (true, Some(name)) = (folder.is_dir(), target.file_name()) else {
            return Err(ExportError::NoFolder { path: folder });
        };
        let name = format!(".{}.{}.part", name.to_string_lossy(), std::process::id());
        Ok(Self { temporary: folder.join(name), target: target.to_owned(), files: 0, bytes: 0 })
    }

    /// Writes the export itself, when it is one file.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), ExportError> {
        self.put(&self.temporary.clone(), bytes)
    }

    /// Writes a file of the export, when it is a folder; `name` is `a/b`.
    ///
    /// # Errors
    /// [`ExportError::Io`].
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), ExportError> {
        self.put(&self.temporary.join(name), bytes)
    }

    fn put(&mut self, path: &Path, bytes: &[u8]) -> Result<(), ExportError> {
        let write = || {
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent)?;
            }
            let mut file = fs::File::create(path)?;
            file.write_all(bytes)?;
            file.sync_data()
        };
        write().map_err(|source| ExportError::Io { path: path.to_owned(), source })?;
        self.files += 1;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Moves the finished export to its place; gives the number of files and bytes.
    pub(super) fn settle(self) -> Result<(u64, u64), ExportError> {
        if fs::symlink_metadata(&self.target).is_ok() {
            return Err(ExportError::Exists { path: self.target.clone() });
        }
        fs::rename(&self.temporary, &self.target)
            .map_err(|source| ExportError::Io { path: self.target.clone(), source })?;
        Ok((self.files, self.bytes))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // After a rename there is nothing; after an error the first error is the one that matters.
        let _ = if self.temporary.is_dir() {
            fs::remove_dir_all(&self.temporary)
        } else {
            fs::remove_file(&self.temporary)
        };
    }
}
