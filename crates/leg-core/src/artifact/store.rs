//! [`ObjectStore`]: content-addressed blobs, shared by all runs of a folder.

use std::fmt::Debug;
use std::io;
use std::path::PathBuf;

use bytes::Bytes;

use crate::{Artifact, CanonicalError, DecodeError, Digest, Domain, Summary};

/// Keeps bytes under their digest ([`Domain::Object`]).
///
/// [The guide](crate#an-object-store) writes one.
///
/// ```
/// use leg_core::{MemoryObjects, ObjectStore as _};
///
/// let objects = MemoryObjects::default();
/// let digest = objects.put(b"surge")?;
/// assert_eq!(objects.put(b"surge")?, digest, "twice is once");
/// assert_eq!(objects.get(&digest)?.as_ref(), b"surge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ObjectStore: Send + Sync + Debug {
    /// Stores bytes and returns their digest; storing what is there already does nothing.
    ///
    /// # Errors
    /// [`StoreError`] when the bytes cannot be kept; nothing half-written is left.
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError>;

    /// The bytes with this digest. They are checked against it.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Damaged`] or [`StoreError::Io`].
    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError>;
}

/// An object could not be kept or found.
///
/// ```
/// use leg_core::{Digest, Domain, MemoryObjects, ObjectStore as _, StoreError};
///
/// let digest = Digest::of(Domain::Object, b"never stored");
/// assert!(matches!(MemoryObjects::default().get(&digest), Err(StoreError::Missing { .. })));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No object has this digest.
    #[error(
        "object `{digest}` is not in the store; copy it there, or export the run as a bundle that has it"
    )]
    Missing {
        /// What was asked for.
        digest: Digest,
    },
    /// The bytes under this digest have another one.
    #[error("object `{digest}` is damaged (its bytes hash to `{found}`); restore it from a copy")]
    Damaged {
        /// What was asked for.
        digest: Digest,
        /// What the bytes hash to.
        found: Digest,
    },
    /// The file system, or the service that keeps the objects, refused.
    #[error("`{path}`: {source}; check that it can be reached and written and has room", path = path.display())]
    Io {
        /// The file, or the object's address.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// An artifact's header has no canonical form.
    #[error("an artifact cannot be stored")]
    Canonical(#[from] CanonicalError),
    /// Stored bytes are no artifact.
    #[error("object `{digest}` is not an artifact")]
    Decode {
        /// Which object.
        digest: Digest,
        /// Why.
        source: DecodeError,
    },
}

/// What every store can do with artifacts.
///
/// ```
/// use leg_core::{Artifact, Kind, MemoryObjects, ObjectStoreExt as _};
///
/// let objects = MemoryObjects::default();
/// let artifact = Artifact::document(Kind::Scalar, "mean", serde_json::json!(18.5));
/// let summary = objects.put_artifact(&artifact)?;
/// assert_eq!(objects.get_artifact(&summary.digest)?, artifact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ObjectStoreExt: ObjectStore {
    /// Stores an artifact.
    ///
    /// # Errors
    /// Those of [`ObjectStore::put`], and a header without a canonical form.
    fn put_artifact(&self, artifact: &Artifact) -> Result<Summary, StoreError> {
        let bytes = artifact.encode()?;
        self.put(&bytes)?;
        Ok(artifact.summary(&bytes))
    }

    /// Reads an artifact.
    ///
    /// # Errors
    /// Those of [`ObjectStore::get`], and [`StoreError::Decode`].
    fn get_artifact(&self, digest: &Digest) -> Result<Artifact, StoreError> {
        let bytes = self.get(digest)?;
        Artifact::decode(&bytes).map_err(|source| StoreError::Decode { digest: *digest, source })
    }
}

impl<S: ObjectStore + ?Sized> ObjectStoreExt for S {}

/// Fails unless the bytes have the digest.
pub(crate) fn check(digest: &Digest, bytes: Bytes) -> Result<Bytes, StoreError> {
    let found = Digest::of(Domain::Object, &bytes);
    if found == *digest { Ok(bytes) } else { Err(StoreError::Damaged { digest: *digest, found }) }
}
