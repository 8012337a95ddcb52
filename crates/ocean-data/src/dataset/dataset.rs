//! The dataset: a store and its CF view.

use std::sync::Arc;

use leg_core::digest::{Digest, Domain};

use super::coordinate::{Coordinate, TimeCoordinate};
use super::grid::Grid;
use super::inspect::{Description, describe};
use super::open::{OpenError, open_store};
use super::store::{ReadError, Store};
use super::variable::{Variable, VariableError, resolve};
use crate::field::{Field, SelectError, Selection};

/// An open dataset.
///
/// Opening reads the header and the one-dimensional coordinates; data are read by [`Field::walk`] and
/// [`Field::read`].
#[derive(Debug)]
pub struct Dataset {
    uri: String,
    store: Arc<dyn Store>,
    grid: Grid,
    identity: Digest,
}

impl Dataset {
    /// Opens a NetCDF file or a Zarr folder, by path or `file://` address.
    ///
    /// # Errors
    /// [`OpenError`], by what a caller can do about it.
    pub fn open(uri: &str) -> Result<Arc<Self>, OpenError> {
        Self::from_store(uri, open_store(uri)?)
    }

    /// A dataset over a store that is already open: the way in for other formats.
    ///
    /// # Errors
    /// [`OpenError::Read`] when a coordinate cannot be read.
    pub fn from_store(uri: &str, store: Arc<dyn Store>) -> Result<Arc<Self>, OpenError> {
        let grid = Grid::read(store.as_ref())?;
        let identity = super::identity::identity(store.as_ref(), &grid)?;
        Ok(Arc::new(Self { uri: uri.to_owned(), store, grid, identity }))
    }

    /// The address it was opened by.
    pub fn uri(&self) -> &str {
        &self.uri
    }

    /// The storage below.
    pub fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// The data variables: what is neither a coordinate nor serves one.
    pub fn variables(&self) -> &[Variable] {
        &self.grid.variables
    }

    /// Latitude, longitude and depth coordinates.
    pub fn coordinates(&self) -> &[Coordinate] {
        &self.grid.coordinates
    }

    /// Time coordinates.
    pub fn times(&self) -> &[TimeCoordinate] {
        &self.grid.times
    }

    /// Where metadata contradict each other, and what was made of it.
    pub fn warnings(&self) -> &[String] {
        &self.grid.warnings
    }

    /// Finds the variable a word means: a name, a standard name, or an everyday word such as `temperature`,
    /// `salinity`, `u`, `v`, `chlorophyll`, `oxygen`, `ssh`.
    ///
    /// # Errors
    /// [`VariableError`], with the variables there are.
    pub fn resolve_variable(&self, word: &str) -> Result<&Variable, VariableError> {
        resolve(&self.grid.variables, word)
    }

    /// A lazy field of one variable.
    ///
    /// # Errors
    /// [`SelectError`]: no such variable, a region or a time outside the data, an empty selection.
    pub fn select(self: &Arc<Self>, selection: &Selection) -> Result<Field, SelectError> {
        Field::select(self, selection)
    }

    /// What the dataset holds, for people and JSON.
    pub fn inspect(&self) -> Description {
        describe(self)
    }

    /// The digest of what the dataset describes: standard names, units, dimensions, calendar and decoded
    /// coordinates; not its address, attributes, chunking or compression.
    pub fn identity(&self) -> Digest {
        self.identity
    }

    /// The digest of where the bytes are: address, sizes and modification times of the files. Two datasets on
    /// one grid differ here.
    ///
    /// # Errors
    /// [`ReadError::Io`] when the files cannot be listed.
    pub fn fingerprint(&self) -> Result<Digest, ReadError> {
        let value = self.store.fingerprint()?;
        Ok(Digest::of(Domain::Fingerprint, value.to_string().as_bytes()))
    }

    pub(crate) fn grid(&self) -> &Grid {
        &self.grid
    }
}
