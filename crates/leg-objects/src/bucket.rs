//! [`BucketObjects`]: the adapter from [`object_store`] to the engine's port.

use std::fmt;
use std::io;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use leg_core::{Digest, Domain, ObjectStore, StoreError};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectStore as Backend, ObjectStoreExt as _, PutMode, PutOptions};
use tokio::time::timeout;

use crate::bridge::Bridge;

/// Keeps objects in a store of the [`object_store`] crate, under `ab/cdef…` below a prefix.
///
/// A put is one conditional request: an object appears whole or not at all, and whoever comes second finds it there.
/// A get checks the bytes against their digest.
///
/// # Threads
/// It may be called from any thread: a plain one, one of `rayon`, one of a runtime. It works on a runtime of its own
/// and the caller waits. Inside a multi-threaded tokio runtime the other tasks of the waiting thread move to another
/// thread; a single-threaded one stands still until the answer is there. It must not be called from the thread of a
/// `LocalSet` of a multi-threaded runtime, where tokio panics on any such wait.
///
/// ```
/// use leg_core::ObjectStore as _;
/// use leg_objects::BucketObjects;
///
/// let folder = tempfile::tempdir()?;
/// let store = BucketObjects::local(folder.path())?;
/// let digest = store.put(b"surge")?;
/// assert_eq!(store.get(&digest)?.as_ref(), b"surge");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BucketObjects {
    backend: Arc<dyn Backend>,
    prefix: Path,
    /// For people and errors; it holds no secret.
    address: String,
    /// What must not stand in a message, whatever the other side says.
    secrets: Vec<String>,
    bridge: Bridge,
}

/// A store cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made or used.
    #[error("object folder `{path}`: {reason}; name a folder that can be written", path = path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The settings do not fit.
    #[error("object store `{address}`: {reason}")]
    Settings {
        /// The store, without secrets.
        address: String,
        /// What is wrong and what to do.
        reason: String,
    },
    /// The thread that talks to the store cannot start.
    #[error("the thread for object stores cannot start: {0}; free some threads or memory")]
    Thread(#[source] io::Error),
}

/// One request with all its repetitions ends within this time.
const DEADLINE: Duration = Duration::from_mins(10);
/// Objects above this many bytes are looked for before they are sent.
const LARGE: usize = 64 * 1024;
/// The most characters of the other side's words in a message.
const WORDS: usize = 300;

impl BucketObjects {
    /// Objects in a folder, which is made. It reads and writes what [`FolderObjects`](leg_core::FolderObjects) does.
    ///
    /// # Errors
    /// [`OpenError::Folder`] and [`OpenError::Thread`].
    pub fn local(folder: impl AsRef<FilePath>) -> Result<Self, OpenError> {
        let path = folder.as_ref();
        let fail = |reason: String| OpenError::Folder { path: path.to_owned(), reason };
        std::fs::create_dir_all(path).map_err(|error| fail(error.to_string()))?;
        let backend = LocalFileSystem::new_with_prefix(path).map_err(|error| fail(error.to_string()))?;
        Self::over(Arc::new(backend), "", &path.display().to_string())
    }

    /// Objects in any store of the `object_store` crate, below a prefix. `address` names the store in errors: leave
    /// secrets out of it.
    ///
    /// The store's own limits for retries and time hold; on top of them each request ends after ten minutes.
    ///
    /// # Errors
    /// [`OpenError::Thread`].
    pub fn over(backend: Arc<dyn Backend>, prefix: &str, address: &str) -> Result<Self, OpenError> {
        let bridge = Bridge::new().map_err(OpenError::Thread)?;
        let address = address.trim_end_matches('/').to_owned();
        Ok(Self { backend, prefix: Path::from(prefix), address, secrets: Vec::new(), bridge })
    }

    /// Never says these words.
    #[cfg(feature = "s3")]
    pub(crate) fn hiding(mut self, secrets: impl IntoIterator<Item = String>) -> Self {
        self.secrets.extend(secrets.into_iter().filter(|secret| !secret.is_empty()));
        self
    }

    fn location(&self, digest: &Digest) -> Path {
        let hex = digest.to_hex();
        let (head, tail) = hex.split_at(2);
        self.prefix.clone().join(head).join(tail)
    }

    /// Waits for a request.
    fn wait<T, F>(&self, location: &Path, request: F) -> Result<T, Failed>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, Error>> + Send + 'static,
    {
        match self.bridge.wait(async { timeout(DEADLINE, request).await }) {
            Some(Ok(Ok(answer))) => Ok(answer),
            Some(Ok(Err(Error::NotFound { .. }))) => Err(Failed::NotFound),
            Some(Ok(Err(error))) => Err(Failed::Io(self.io(location, &self.words(&error)))),
            Some(Err(_)) => Err(Failed::Io(self.io(location, "it did not answer in ten minutes"))),
            None => Err(Failed::Io(self.io(location, "the request panicked; please report it"))),
        }
    }

    fn io(&self, location: &Path, reason: &str) -> StoreError {
        let path = PathBuf::from(format!("{}/{location}", self.address));
        StoreError::Io { path, source: io::Error::other(reason.to_owned()) }
    }

    /// What the other side said, short and without secrets.
    fn words(&self, error: &Error) -> String {
        let mut text = match error {
            Error::Unauthenticated { .. } => "the store does not accept the credentials".to_owned(),
            Error::PermissionDenied { .. } => "the credentials do not allow it".to_owned(),
            other => other.to_string(),
        };
        for secret in &self.secrets {
            text = text.replace(secret, "***");
        }
        match text.char_indices().nth(WORDS) {
            Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
            None => text,
        }
    }
}

/// Why a request gave nothing.
enum Failed {
    NotFound,
    Io(StoreError),
}

/// Stores an object where it is not there yet.
async fn put(backend: Arc<dyn Backend>, location: Path, bytes: Bytes) -> Result<(), Error> {
    // An object of another length was cut by a full disk or a crash of the machine: it is written again.
    let length = bytes.len() as u64;
    let there = async || match backend.head(&location).await {
        Ok(meta) => Ok(meta.size == length),
        Err(Error::NotFound { .. }) => Ok(false),
        Err(error) => Err(error),
    };
    if bytes.len() > LARGE && there().await? {
        return Ok(());
    }
    let create = PutOptions { mode: PutMode::Create, ..PutOptions::default() };
    match backend.put_opts(&location, bytes.clone().into(), create).await {
        Ok(_) => Ok(()),
        Err(Error::AlreadyExists { .. }) if there().await? => Ok(()),
        // Some stores have no conditional put. The same bytes under the same name do no harm.
        Err(Error::AlreadyExists { .. } | Error::NotImplemented { .. } | Error::NotSupported { .. }) => {
            backend.put(&location, bytes.into()).await.map(|_| ())
        }
        Err(error) => Err(error),
    }
}

impl ObjectStore for BucketObjects {
    fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(Domain::Object, bytes);
        let location = self.location(&digest);
        let request = put(Arc::clone(&self.backend), location.clone(), Bytes::copy_from_slice(bytes));
        match self.wait(&location, request) {
            Ok(()) => Ok(digest),
            Err(Failed::NotFound) => Err(self.io(&location, "the store says that there is no such place")),
            Err(Failed::Io(error)) => Err(error),
        }
    }

    fn get(&self, digest: &Digest) -> Result<Bytes, StoreError> {
        let location = self.location(digest);
        let (backend, place) = (Arc::clone(&self.backend), location.clone());
        let bytes = match self.wait(&location, async move { backend.get(&place).await?.bytes().await }) {
            Ok(bytes) => bytes,
            Err(Failed::NotFound) => return Err(StoreError::Missing { digest: *digest }),
            Err(Failed::Io(error)) => return Err(error),
        };
        let found = Digest::of(Domain::Object, &bytes);
        if found == *digest { Ok(bytes) } else { Err(StoreError::Damaged { digest: *digest, found }) }
    }
}

impl fmt::Debug for BucketObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketObjects").field("address", &self.address).finish_non_exhaustive()
    }
}
