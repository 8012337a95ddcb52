//! NOAA CO-OPS: water levels of tide gauges, predicted tides, datums, extremes, trends, weather sensors and currents.
//!
//! One folder holds the service: [`Client`] speaks to it, `wire` reads its answers, [`tools`] are what plans call,
//! [`Specialist`] is the agent.

mod also;
mod answers;
mod calls;
mod clauses;
mod client;
mod dates;
mod levels;
mod reach;
mod said_series;
mod samples;
mod sentences;
mod specialist;
mod storm;
mod summary;
mod task_text;
pub mod tools;
mod topics;
mod wire;
mod words;

pub use client::Client;
pub use specialist::Specialist;
pub(crate) use tools::all as tools;
pub use tools::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};

/// The dates of a storm at the coast, as evidence of earlier layers tells them.
pub(crate) fn storm_window(evidence: &[leg_core::Evidence]) -> Option<crate::Window> {
    storm::Storm::of(evidence).window
}
