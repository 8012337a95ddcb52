//! Artifacts: full data under its digest, and the stores that keep it.

#[expect(clippy::module_inception, reason = "the file is named for the type that it holds")]
mod artifact;
mod kind;
pub(crate) mod store;
mod stores;

pub use artifact::{Artifact, Coord, DecodeError, Summary, Variable};
pub use kind::Kind;
pub use store::{ObjectStore, ObjectStoreExt, StoreError};
pub use stores::{FolderObjects, MemoryObjects};
