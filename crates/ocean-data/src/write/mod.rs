//! Writing Zarr v3 stores: a writer for new ones, and [`convert`] for copies of datasets.
//!
//! A store appears at its place only when it is whole: it grows in a folder beside the target and is renamed at
//! the end. A target that exists is never touched.

mod chunking;
mod convert;
mod element;
mod error;
mod json;
mod staging;
mod zarr;

pub use convert::{ConvertOptions, Converted, Skipped, convert};
pub use element::Element;
pub use error::WriteError;
pub use zarr::{ArraySpec, ArrayWriter, ZarrWriter};
