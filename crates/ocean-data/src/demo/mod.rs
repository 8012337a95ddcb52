//! The demo ocean: a small sea that is invented, with everything planted in it known.
//!
//! [`write()`] writes it as a Zarr v3 store with `truth.json` inside: temperature, salinity, currents, chlorophyll and
//! oxygen, weekly from 2014 to 2018, in the outline of the South China Sea. Two named boxes warm at rates that are
//! known, and events of known place, time and size are planted: marine heatwaves, a bloom, low oxygen, an eddy.
//!
//! [`scene_names`] lists larger seas that are computed on demand and opened as `demo:NAME`.
//!
//! Every value is a pure function of its place, its time and the seed, so that any chunk can be made alone and the
//! store is the same on every machine.

mod events;
mod grid;
mod noise;
mod ocean;
mod scene;
mod signal;
mod store;
mod truth;

pub use events::{Event, EventKind};
pub(crate) use scene::open_scene;
pub use scene::{SceneTruth, scene_names, scene_truth};
pub use store::{DemoError, is_current, write};
pub use truth::{AnnualMean, BoxTruth, NamedBox, SEED, Trend, Truth, VERSION, boxes, truth};
