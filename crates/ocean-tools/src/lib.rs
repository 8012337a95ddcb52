//! Ocean kernels and the tools made from them.
//!
//! [`kernels`] are pure functions on slices: climatology, anomaly, trend, resampling, climate indices, statistics.
//! [`tools`] wrap them, and the reductions of `ocean-data`, as [`leg_core::Tool`]s that take a lazy field or a series
//! and return artifacts with evidence. [`Datasets`] holds the datasets that the tools may read, by name.
//!
//! The crate knows no language model, no agent and no address of a service.
//!
//! # Layout
//!
//! - [`kernels`]: numbers in, numbers out
//! - [`tools`]: one tool a file, `tools/<family>/<name>.rs`, and the table [`tools::all`]
//! - [`mod@reference`]: numbers of trusted peers, run through the tools
//! - `argument`: what tools take: selections, fields, series
//! - `derived`: walks over several fields at once; `frame`: the axes of a result
//! - `masking`: masks laid over a field; `reduce`: weighted sums for every time
//! - `series`, `map`, `baseline`, `evidence`, `reading`: what several tools share
//!
//! # Examples
//!
//! ```
//! use std::sync::Arc;
//!
//! use ocean_tools::{Datasets, tools};
//!
//! let datasets = Arc::new(Datasets::from_flags(&["sst=ersst.nc"])?);
//! let names: Vec<String> = tools::all(&datasets).iter().map(|tool| tool.spec().name.to_string()).collect();
//! assert!(names.contains(&"load_dataset".to_owned()));
//! # Ok::<(), ocean_tools::DatasetsError>(())
//! ```

mod along_line;
mod argument;
mod baseline;
mod bottom;
mod columns;
mod computation;
mod datasets;
mod derived;
mod evidence;
mod frame;
pub mod kernels;
mod map;
mod masking;
mod observed;
mod outcome;
mod reading;
mod reduce;
#[expect(dead_code, reason = "the tools that need the rest are being written; remove when nothing is unused")]
pub mod reference;
mod sections;
mod series;
mod tides;
mod together;
pub mod tools;
mod water;

pub use datasets::{Datasets, DatasetsError};
