//! Bytes by address, and the Zarr store over them.

mod block_file;
mod key_store;
mod local;
mod object;

pub(crate) use block_file::{BlockFile, Blocks};
pub(crate) use key_store::KeyStore;
pub(crate) use local::LocalObjects;
pub(crate) use object::{ObjectError, Objects, Range};
