//! Series from fields and from series.

pub(super) mod compute_area_weighted_mean;
pub(super) mod extract_point_timeseries;
pub(super) mod resample_timeseries;
