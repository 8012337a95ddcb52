//! The tools of the specialist: a file each.

mod compare_observed;
mod contour_map;
mod list_cycles;
mod max_stations;
mod node_series;
mod point_forecast;
mod station_forecast;
mod system_info;

pub(crate) use compare_observed::CompareObserved;
pub(crate) use contour_map::ContourMap;
pub(crate) use list_cycles::ListCycles;
pub(crate) use max_stations::{MaxStations, Region};
pub(crate) use node_series::NodeSeries;
pub(crate) use point_forecast::PointForecast;
pub(crate) use station_forecast::StationForecast;
pub(crate) use system_info::SystemInfo;

crate::tool::tools![
    super::Client;
    list_cycles::ListCycles,
    system_info::SystemInfo,
    station_forecast::StationForecast,
    point_forecast::PointForecast,
    max_stations::MaxStations,
    node_series::NodeSeries,
    contour_map::ContourMap,
    compare_observed::CompareObserved,
];
