//! Objects in memory.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use crate::artifact::store::{ObjectStore, StoreError};
use crate::{Digest, Domain};

/// Keeps objects in memory: for tests, and for runs that need no folder.
///
/// ```
/// use leg_core::{MemoryObjects, ObjectStore as _};
///
/// let objects = MemoryObjects::default();
/// let digest = objects.put(b"surge")?;
/// assert_eq!(objects.get(&digest)?.as_ref(), b"surge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryObjects(Mutex<BTreeMap<Digest, Bytes>>);

impl ObjectStore for MemoryObjects {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(Domain::Object, bytes);
        let mut objects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        objects.entry(digest).or_insert_with(|| Bytes::copy_from_slice(bytes));
        Ok(digest)
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        let objects = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        objects.get(digest).cloned().ok_or(StoreError::Missing { digest: *digest })
    }
}
