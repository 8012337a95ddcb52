//! STOFS: NOAA's forecast of water level, tide and surge, out of object storage.
//!
//! One folder holds the service: [`Client`] speaks to the buckets, `points` reads station files, `fields` reads the fields on
//! the mesh by ranges of bytes, `tools` are what plans call, [`Specialist`] is the agent.

mod client;
mod cycle;
mod field_work;
mod fields;
mod listing;
mod mesh;
mod model;
mod observed;
mod points;
mod ranges;
mod scores;
mod series;
mod specialist;
mod task_text;
mod tools;

#[cfg(test)]
pub(crate) use points::Points;

pub use client::Client;
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
