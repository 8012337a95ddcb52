//! The tools of the specialist: a file each.

mod convert_datum;
mod find_nearest;
mod get_current_predictions;
mod get_currents;
mod get_daily_extremes;
mod get_datums;
mod get_extremes;
mod get_flood_days;
mod get_harmonics;
mod get_latest;
mod get_met;
mod get_predictions;
mod get_residual;
mod get_return_levels;
mod get_sea_level_trend;
mod get_station;
mod get_water_level;
mod list_stations;
mod list_storm_events;

pub use convert_datum::{ConvertDatum, ConvertDatumArguments};
pub use find_nearest::{FindNearest, FindNearestArguments};
pub use get_current_predictions::{GetCurrentPredictions, GetCurrentPredictionsArguments};
pub use get_currents::{GetCurrents, GetCurrentsArguments};
pub use get_daily_extremes::{GetDailyExtremes, GetDailyExtremesArguments};
pub use get_datums::{GetDatums, GetDatumsArguments};
pub use get_extremes::{GetExtremes, GetExtremesArguments};
pub use get_flood_days::{GetFloodDays, GetFloodDaysArguments};
pub use get_harmonics::{GetHarmonics, GetHarmonicsArguments};
pub use get_latest::{GetLatest, GetLatestArguments, LatestProduct};
pub use get_met::{GetMet, GetMetArguments, Sensor};
pub use get_predictions::{GetPredictions, GetPredictionsArguments, Step};
pub use get_residual::{GetResidual, GetResidualArguments};
pub use get_return_levels::{GetReturnLevels, GetReturnLevelsArguments};
pub use get_sea_level_trend::{GetSeaLevelTrend, GetSeaLevelTrendArguments};
pub use get_station::{Block, GetStation, GetStationArguments};
pub use get_water_level::{GetWaterLevel, GetWaterLevelArguments, Interval, TimeZone};
pub use list_stations::{ListStations, ListStationsArguments, StationType};
pub use list_storm_events::{ListStormEvents, ListStormEventsArguments};

crate::tool::tools![
    super::Client;
    get_water_level::GetWaterLevel,
    list_stations::ListStations,
    find_nearest::FindNearest,
    get_station::GetStation,
    get_predictions::GetPredictions,
    get_residual::GetResidual,
    get_datums::GetDatums,
    convert_datum::ConvertDatum,
    get_extremes::GetExtremes,
    get_flood_days::GetFloodDays,
    get_sea_level_trend::GetSeaLevelTrend,
    get_met::GetMet,
    get_latest::GetLatest,
    get_currents::GetCurrents,
    get_current_predictions::GetCurrentPredictions,
    get_daily_extremes::GetDailyExtremes,
    get_harmonics::GetHarmonics,
    get_return_levels::GetReturnLevels,
    list_storm_events::ListStormEvents,
];
