//! NOAA CO-OPS: water levels of tide gauges.
//!
//! One folder holds the service: [`Client`] speaks to it, `wire` reads its answers, `tools` are what plans call,
//! [`Specialist`] is the agent.

mod client;
mod specialist;
mod summary;
mod task_text;
mod tools;
mod wire;

pub use client::Client;
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
pub use tools::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};
