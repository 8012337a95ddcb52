//! Local files as objects.

use std::fs::File;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use bytes::Bytes;

use super::object::{ObjectError, Objects, Range};

/// Files on a local disk, by their path.
#[derive(Debug)]
pub(crate) struct LocalObjects;

impl Objects for LocalObjects {
    fn size(&self, address: &str) -> Result<Option<u64>, ObjectError> {
        match std::fs::metadata(address) {
            Ok(metadata) => Ok(Some(metadata.len())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(address, &error)),
        }
    }

    fn read(&self, address: &str, range: Option<Range>) -> Result<Option<Bytes>, ObjectError> {
        let mut file = match File::open(Path::new(address)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(address, &error)),
        };
        let length = file.metadata().map_err(|error| failed(address, &error))?.len();
        let (offset, count) = range.unwrap_or((0, length));
        let needed = offset.saturating_add(count);
        if needed > length {
            return Err(ObjectError::Short { address: address.to_owned(), length, needed });
        }
        let mut bytes = vec![0; usize::try_from(count).unwrap_or(usize::MAX)];
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| failed(address, &error))?;
        Ok(Some(bytes.into()))
    }
}

fn failed(address: &str, error: &std::io::Error) -> ObjectError {
    ObjectError::Failed { address: address.to_owned(), detail: format!("{error}; check its permissions") }
}
