//! The tools of CO-OPS, one a file.

mod get_water_level;

pub use get_water_level::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};
