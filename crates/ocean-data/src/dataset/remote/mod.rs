//! Datasets on servers: HTTP with byte ranges, and S3-compatible buckets.
//!
//! Requests run on a runtime of their own. What a walk will decode is fetched by [`Objects::begin`] while the blocks
//! before it are decoded, and waited for by the thread that walks; threads that decode find it in memory.
//!
//! [`Objects::begin`]: crate::dataset::objects::Objects::begin

mod address;
mod connector;
mod memory;
mod open;
mod server;
mod service;

pub(crate) use address::Address;
pub(crate) use open::{Services, open_remote, stem};
