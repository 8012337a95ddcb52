//! FEMA National Flood Hazard Layer: mapped flood zones, base flood elevations, panels.
//!
//! A regulatory surface: neither an observation nor a forecast. [`Client`] speaks to the map service, `wire` reads its rows,
//! `tools` are what plans call, [`Specialist`] is the agent.

mod bbox;
mod client;
mod sentences;
mod specialist;
mod tools;
mod wanted;
pub mod wire;

pub use bbox::Bbox;
pub use client::Client;
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
