//! Datasets: the storage formats behind one small trait, and the CF view over them.

mod coordinate;
mod dataset;
mod grid;
mod identity;
mod inspect;
mod netcdf;
mod open;
mod store;
mod variable;
mod zarr;

pub use coordinate::{Coordinate, TimeCoordinate};
pub use dataset::Dataset;
pub use inspect::{AxisDescription, Description, VariableDescription};
pub use open::OpenError;
pub use store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
pub use variable::{Variable, VariableError};
