//! Maps from fields.

mod compute_spatial_field;
mod compute_spatial_statistics;
mod compute_zonal_mean;

crate::computation::tools![
    compute_spatial_field::ComputeSpatialField,
    compute_spatial_statistics::ComputeSpatialStatistics,
    compute_zonal_mean::ComputeZonalMean,
];
