//! The tools of the specialist: a file each.

mod annotate;
mod geocode;
mod map;
mod reverse;
mod satellite;
mod tile_cover;

pub(crate) use geocode::Geocode;
pub(crate) use map::Map;
pub(crate) use reverse::Reverse;
pub(crate) use satellite::Satellite;
pub(crate) use tile_cover::TileCover;

crate::tool::tools![
    super::Client;
    map::Map,
    satellite::Satellite,
    annotate::Annotate,
    geocode::Geocode,
    tile_cover::TileCover,
    reverse::Reverse,
];
