//! The tools of the specialist: a file each.

mod get_advisory;
mod get_best_track;
mod get_forecast_track;
mod get_storm_surge_forecast;
mod get_watches_warnings;
mod list_active_storms;
mod position_at;
mod search_storms;
mod storm_argument;
mod track_near_point;

crate::tool::tools![
    super::Client;
    list_active_storms::ListActiveStorms,
    get_best_track::GetBestTrack,
    search_storms::SearchStorms,
    get_forecast_track::GetForecastTrack,
    get_watches_warnings::GetWatchesWarnings,
    get_advisory::GetAdvisory,
    get_storm_surge_forecast::GetStormSurgeForecast,
    track_near_point::TrackNearPoint,
    position_at::PositionAt,
];
