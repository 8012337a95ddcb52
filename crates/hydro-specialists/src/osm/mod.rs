//! Maps and imagery: street tiles of OpenStreetMap, imagery tiles of the USGS, places by name.
//!
//! `tiles` has the arithmetic of tiles, [`Client`] speaks to the servers within their rules, `mosaic` puts tiles together,
//! `tools` are what plans call, [`Specialist`] is the agent.

mod client;
mod mosaic;
mod places;
mod specialist;
mod tiles;
mod tools;

pub use client::Client;
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
