//! The dataset: a store and its CF view.

use std::sync::Arc;

use leg_core::digest::{Digest, Domain};

use super::configured::Configured;
use super::coordinate::{Coordinate, TimeCoordinate};
use super::grid::Grid;
use super::inspect::{Description, describe};
use super::open::{OpenError, open_store};
use super::options::{Aliases, OpenOptions};
use super::store::{ReadError, Store};
use super::variable::{Variable, VariableError, resolve};
use crate::cf::Quantity;
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
    aliases: Aliases,
    identity: Digest,
}

impl Dataset {
    /// Opens a dataset by its address:
    ///
    /// - a NetCDF file or a Zarr folder, by path or `file://` address;
    /// - kerchunk references (`.json`, versions 0 and 1): a Zarr store whose chunks are parts of other files;
    /// - a table (`.csv`, `.tsv`) with a line of headings: each column is a variable over `time` when the times of its
    ///   rows rise, and over `obs` otherwise; see [`Table`](super::Table);
    /// - several of them as a list (`a.nc,b.nc`), a pattern (`runs/*.nc`) or a folder. Files with the same variables
    ///   are joined along time: they must have one grid, and times that rise and do not overlap. Files and stores with
    ///   different variables on one grid stand beside each other.
    ///
    /// With the feature `remote` each of them may also be an `https://`, `http://` or `s3://` address: files are read in
    /// ranges, Zarr stores by their consolidated metadata.
    ///
    /// Call it from a thread that may block.
    ///
    /// # Errors
    /// [`OpenError`], by what a caller can do about it.
    pub fn open(uri: &str) -> Result<Arc<Self>, OpenError> {
        Self::open_with(uri, &OpenOptions::default())
    }

    /// Opens a dataset with words for its variables and units that its file does not say.
    ///
    /// # Errors
    /// As [`Dataset::open`]; [`OpenError::Configuration`] for a variable that it does not have.
    pub fn open_with(uri: &str, options: &OpenOptions) -> Result<Arc<Self>, OpenError> {
        Self::configure(uri, open_store(uri, options)?, options)
    }

    /// A dataset over a store that is already open: the way in for other formats.
    ///
    /// # Errors
    /// [`OpenError::Read`] when a coordinate cannot be read.
    pub fn from_store(uri: &str, store: Arc<dyn Store>) -> Result<Arc<Self>, OpenError> {
        Self::configure(uri, store, &OpenOptions::default())
    }

    fn configure(uri: &str, store: Arc<dyn Store>, options: &OpenOptions) -> Result<Arc<Self>, OpenError> {
        options.check(store.variables())?;
        let store: Arc<dyn Store> =
            if options.units.is_empty() { store } else { Arc::new(Configured::new(store, &options.units)) };
        let mut grid = Grid::read(store.as_ref())?;
        for variable in &mut grid.variables {
            let mut quantities = options.aliases.iter().filter(|alias| alias.1 == variable.name);
            let quantity = quantities.find_map(|alias| Quantity::from_word(alias.0));
            if variable.quantity.is_none() && quantity.is_some() {
                (variable.quantity, variable.quantity_reason) = (quantity, Some("the configuration"));
            }
            if options.unpacking.is_single(&store.variables()[variable.index]) {
                variable.packing = variable.packing.clone().in_single();
            }
        }
        let identity = match store.identity() {
            Some(own) => Digest::of(Domain::Dataset, own.to_string().as_bytes()),
            None => super::identity::identity(store.as_ref(), &grid)?,
        };
        let aliases = options.aliases.clone();
        Ok(Arc::new(Self { uri: uri.to_owned(), store, grid, aliases, identity }))
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

    /// Finds the variable a word means: an alias, a name, a standard name, or an everyday word such as
    /// `temperature`, `salinity`, `u`, `v`, `chlorophyll`, `oxygen`, `ssh`.
    ///
    /// # Errors
    /// [`VariableError`], with the variables there are.
    pub fn resolve_variable(&self, word: &str) -> Result<&Variable, VariableError> {
        resolve(&self.grid.variables, self.aliases.get(word).unwrap_or(word))
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
