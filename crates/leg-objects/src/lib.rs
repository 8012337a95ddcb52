//! Object stores over the [`object_store`] crate: a local folder, S3-compatible buckets, and whatever else that crate
//! speaks to.
//!
//! `leg-core` has the port ([`leg_core::ObjectStore`]) and two stores without any network. This crate adds the ones
//! that need an HTTP client, so that `leg-core` never links one:
//!
//! - [`BucketObjects`]: the adapter. It keeps each object once, under `ab/cdef…`, as
//!   [`FolderObjects`](leg_core::FolderObjects) does: either can read what the other wrote.
//! - `S3Bucket` (feature `s3`): where a bucket is, and the keys to it.
//!
//! The port is synchronous and these stores are not: each store has a small runtime of its own and waits for it, from
//! any thread. See [`BucketObjects`] for what that means inside a runtime.
//!
//! It does not list or remove objects. A bucket is shared by many machines, and none of them can know that an object
//! is of no use to the others: let the bucket's own rules expire them.

mod bridge;
mod bucket;
#[cfg(feature = "s3")]
mod connector;
#[cfg(feature = "s3")]
mod s3;

pub use bucket::{BucketObjects, OpenError};
#[cfg(feature = "s3")]
pub use s3::{Credentials, S3Bucket};
