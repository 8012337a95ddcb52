//! Kerchunk references: a Zarr store whose chunks are parts of other files.
//!
//! # Source
//! The kerchunk specification of reference files, versions 0 and 1.

mod build;
mod document;
mod expression;
mod open;
mod template;

pub use build::kerchunk_references;
pub(crate) use build::references_of;
pub(crate) use document::Reference;
#[cfg(feature = "remote")]
pub(crate) use open::open_remote_references;
pub(crate) use open::{is_reference_file, open_ranged_references, open_references};
