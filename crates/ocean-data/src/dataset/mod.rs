//! Datasets: the storage formats behind one small trait, and the CF view over them.

mod classify;
mod coordinate;
#[expect(clippy::module_inception, reason = "the file is named for the type it holds")]
mod dataset;
mod grid;
mod identity;
mod inspect;
mod memory;
mod netcdf;
mod numbers;
mod open;
mod store;
mod variable;
mod zarr;

pub(crate) use coordinate::plain;
pub use coordinate::{Coordinate, TimeCoordinate};
pub use dataset::Dataset;
pub use inspect::{AxisDescription, Description, VariableDescription};
pub use memory::{MemoryError, MemoryStore, MemoryVariable};
pub use open::OpenError;
pub use store::{ChunkBytes, ElementType, ReadError, Store, StoredBlock, StoredVariable, Window};
pub use variable::{Variable, VariableError};
