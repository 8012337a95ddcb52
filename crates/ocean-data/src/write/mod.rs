//! Writing Zarr v3 stores: a writer for new ones, and [`convert`] for copies of datasets; and classic NetCDF files in memory.
//!
//! A store appears at its place only when it is whole: it grows in a folder beside the target and is renamed at
//! the end. A target that exists is never touched. A copy that was stopped goes on when it is asked for again.

mod chunking;
mod convert;
mod element;
mod error;
mod journal;
mod json;
mod netcdf;
mod staging;
mod zarr;

pub use convert::{ConvertOptions, Converted, Skipped, convert};
pub use element::Element;
pub use error::WriteError;
pub use netcdf::{NetcdfAttribute, NetcdfAttributes, NetcdfFile, NetcdfVariable, netcdf_name};
pub use zarr::{ArraySpec, ArrayWriter, ZarrWriter};
