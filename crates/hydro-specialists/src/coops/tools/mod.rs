//! The tools of the specialist: a file each.

mod get_water_level;

pub use get_water_level::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};

crate::tool::tools![super::Client; get_water_level::GetWaterLevel];
