//! A store that reads a run's objects and keeps new ones to itself.

use bytes::Bytes;

use crate::artifact::{FolderObjects, MemoryObjects};
use crate::{Digest, ObjectStore, StoreError};

/// Reads from a run's objects, writes to memory.
#[derive(Debug)]
pub(crate) struct OverlayObjects {
    recorded: FolderObjects,
    new: MemoryObjects,
}

impl OverlayObjects {
    pub(crate) fn over(recorded: FolderObjects) -> Self {
        Self { recorded, new: MemoryObjects::default() }
    }
}

impl ObjectStore for OverlayObjects {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        self.new.put(bytes)
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        self.new.get(digest).or_else(|_| self.recorded.get(digest))
    }
}
