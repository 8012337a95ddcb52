//! Series from fields and from series.

pub(super) mod compute_area_integral;
pub(super) mod compute_area_weighted_mean;
pub(super) mod compute_masked_area_fraction_timeseries;
pub(super) mod compute_masked_mean_timeseries;
pub(super) mod compute_volume_integral;
pub(super) mod compute_volume_weighted_mean;
pub(super) mod extract_point_timeseries;
mod region_sums;
pub(super) mod resample_timeseries;
