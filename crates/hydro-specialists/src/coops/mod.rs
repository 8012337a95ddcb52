//! NOAA CO-OPS: water levels of tide gauges.
//!
//! One folder holds the service: [`Client`] speaks to it, `wire` reads its answers, `tools` are what plans call,
//! [`Specialist`] is the agent.

mod client;
mod datum;
mod moment;
mod specialist;
mod station_id;
mod summary;
mod task_text;
mod tools;
mod units;
mod wire;

pub use client::{Client, CoopsError, PUBLIC_ADDRESS};
pub use datum::Datum;
pub use moment::{Moment, MomentError, Window};
pub use specialist::Specialist;
pub use station_id::{StationId, StationIdError};
pub use tools::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};
pub use units::Units;
