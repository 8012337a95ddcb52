//! Datasets: the storage formats behind one small trait, and the CF view over them.

mod chunked;
mod classify;
mod configured;
mod coordinate;
#[expect(clippy::module_inception, reason = "the file is named for the type it holds")]
mod dataset;
mod grid;
mod hdf5_chunks;
mod hdf5_filters;
mod identity;
mod inspect;
mod join;
mod loaded;
mod local_storage;
mod memory;
mod mesh;
mod mesh_area;
mod mesh_positions;
mod netcdf;
mod netcdf_length;
mod netcdf_metadata;
mod number_format;
mod numbers;
mod objects;
mod open;
mod options;
mod pieces;
mod prefetch;
mod reference;
#[cfg(feature = "remote")]
mod remote;
mod store;
mod table;
mod topology;
mod variable;
mod vertical;
mod zarr;
mod zarr_metadata;

pub(crate) use coordinate::plain;
pub use coordinate::{Coordinate, TimeCoordinate};
pub use dataset::Dataset;
pub use inspect::{AxisDescription, Description, VariableDescription};
pub use loaded::Loaded;
pub use memory::{MemoryError, MemoryStore, MemoryVariable};
pub(crate) use mesh::MeshLink;
pub(crate) use mesh_area::width as mesh_width;
pub(crate) use mesh_positions::{Mesh, Seam};
pub use open::OpenError;
pub use options::{Aliases, OpenOptions, RemoteOptions, S3Credentials, S3Options};
pub use prefetch::{Held, Prefetch};
pub use reference::kerchunk_references;
pub use store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
pub use table::{Column, ColumnValues, Table, TableError};
pub(crate) use variable::Dimension;
pub use variable::{Variable, VariableError};
pub(crate) use vertical::{Terrain, metres};
