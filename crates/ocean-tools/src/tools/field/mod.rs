//! Maps from fields.

pub(super) mod compute_spatial_field;
pub(super) mod compute_spatial_statistics;
pub(super) mod compute_zonal_mean;
