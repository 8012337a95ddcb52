//! Trends and indices.

pub(super) mod compute_climate_index;
pub(super) mod compute_trend;
mod index_box;
