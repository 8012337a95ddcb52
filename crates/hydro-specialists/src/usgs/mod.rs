//! USGS: flood events and high-water marks of the Short-Term Network; stage, flow and annual peaks of stream gauges.
//!
//! One folder holds the services: [`Client`] speaks to them, `wire` reads their answers, [`mod@tools`] are what plans call,
//! [`Specialist`] is the agent. Stream gauges are asked at the Water Data OGC API; the older services, which are being switched
//! off, are asked when that one fails or has nothing.

mod client;
mod marks;
mod observed;
mod sentences;
mod site_id;
mod specialist;
pub mod tools;
mod topics;
mod wire;

pub use client::Client;
pub use site_id::{SiteId, SiteIdError};
pub use specialist::Specialist;

/// The tools of the specialist, over a client of the caller's own: one with a key, say.
pub fn tools(client: &Client) -> Vec<std::sync::Arc<dyn leg_core::Tool>> {
    tools::all(client)
}
