//! Bytes of a local file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hdf5_reader::error::{Error, Result};
use hdf5_reader::storage::{DynStorage, FileStorage, Storage, StorageBuffer};

/// Opens a file for reading at any place; one that is not kept open is opened again for each read.
///
/// Files are not mapped into memory: a mapped file that shrinks would end the process, a plain read ends in an error.
pub(crate) fn local_storage(path: &Path, keep_open: bool) -> io::Result<DynStorage> {
    let file = File::open(path)?;
    if keep_open {
        let storage = FileStorage::from_file(file).map_err(|error| io::Error::other(error.to_string()))?;
        return Ok(Arc::new(storage));
    }
    Ok(Arc::new(Reopened { path: path.to_owned(), length: file.metadata()?.len() }))
}

/// A file that is opened for each read.
struct Reopened {
    path: PathBuf,
    length: u64,
}

impl Storage for Reopened {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_range(&self, offset: u64, length: usize) -> Result<StorageBuffer> {
        let available = self.length.saturating_sub(offset);
        if length as u64 > available {
            return Err(Error::UnexpectedEof { offset, needed: length as u64, available });
        }
        let mut bytes = vec![0; length];
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(&mut bytes)?;
        Ok(StorageBuffer::from_vec(bytes))
    }
}
