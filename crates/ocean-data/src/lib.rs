//! Ocean datasets: readers of Zarr, NetCDF, kerchunk references and tables, CF conventions, named regions, lazy fields
//! and chunk walks.
//!
//! - [`dataset::Dataset`] opens a file or folder and gives the CF view: variables, axes, coverage.
//! - [`field::Selection`] is the one form of "which variable, where, when, how deep".
//! - [`field::Field`] is a variable over a selection, not read yet; [`field::Field::walk`] reads it chunk by
//!   chunk in parallel and folds in a fixed order, hashing every chunk.
//! - [`field::Field::horizontal`] tells the kind of grid: axes, rows and columns with positions of their own, or nodes;
//!   [`field::metrics`] has widths, areas and volumes of cells, [`field::collocate`] brings staggered velocities together.
//! - [`field::reduce`] has the reductions that need no array in memory.
//!
//! It knows no tools and no agents, and draws nothing. With the feature `remote` datasets may lie on HTTP servers and in
//! S3-compatible buckets; without it addresses are local.
//!
//! ```no_run
//! use ocean_data::dataset::Dataset;
//! use ocean_data::field::{reduce, Selection, WalkControl};
//!
//! let dataset = Dataset::open("sst.nc")?;
//! let mut selection = Selection::of("temperature");
//! selection.depth = Some(ocean_data::field::Depth::Surface);
//! let field = dataset.select(&selection)?;
//! let mean = reduce::area_mean_series(&field, reduce::AreaMeanOptions::default(), &WalkControl::default())?;
//! assert_eq!(mean.mean.len(), field.full_shape()[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod cf;
pub mod dataset;
pub mod demo;
pub mod field;
mod nearest;
pub mod write;

pub use dataset::Dataset;
pub use field::{Field, Selection};
