//! What can go wrong while a store is written.

use std::path::PathBuf;

use crate::dataset::ReadError;

/// A store that could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The place is taken.
    #[error("`{}` exists already; choose another place or remove it first", .path.display())]
    Exists {
        /// The place.
        path: PathBuf,
    },
    /// Another process writes there.
    #[error("another process is writing `{}`; wait until it is done, or stop it", .path.display())]
    Busy {
        /// The place.
        path: PathBuf,
    },
    /// The place has no name or no parent folder to write in.
    #[error("`{}` can't be a store; give a path that ends in a name, in a folder that exists", .path.display())]
    NotAPlace {
        /// The place.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("`{}` can't be written: {source}; check that the folder may be written and has room", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An array's name can't be a name in a Zarr store.
    #[error("`{name}` can't name an array of a Zarr store; rename it")]
    Name {
        /// The name.
        name: String,
    },
    /// Values do not fit the chunk they are for.
    #[error("`{array}` takes {expected} values a chunk here and was given {found}; give one for each place")]
    Length {
        /// The array.
        array: String,
        /// Values needed.
        expected: usize,
        /// Values given.
        found: usize,
    },
    /// The Zarr library refused.
    #[error("array `{array}` can't be written: {detail}; report this with the layout of the data")]
    Array {
        /// The array.
        array: String,
        /// What it said.
        detail: String,
    },
    /// The source can't be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl WriteError {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Self {
        Self::Io { path: path.into(), source }
    }
}
