//! Bytes by address, and the Zarr store over them.

mod key_store;
mod local;
mod object;

pub(crate) use key_store::KeyStore;
pub(crate) use local::LocalObjects;
#[cfg(feature = "remote")]
pub(crate) use object::ObjectError;
pub(crate) use object::{Objects, Range};
