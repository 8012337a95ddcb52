//! National Hurricane Center: best tracks, active storms, official forecasts, advisories.
//!
//! [`Client`] speaks to three hosts: the web site, the ATCF files and the map service. `wire` reads their answers, `tools` are
//! what plans call, [`Specialist`] is the agent.

mod category;
mod client;
mod deck;
mod great_circle;
mod sentences;
mod specialist;
mod tools;
mod track;
mod wanted;
pub mod wire;

pub use category::saffir_simpson;
pub use client::Client;
pub(crate) use great_circle::distance_km;
pub use great_circle::{Closest, closest};
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
pub use track::{Point, Radii, Track, TrackSource};
