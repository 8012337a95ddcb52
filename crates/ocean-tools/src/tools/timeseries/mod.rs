//! Series from fields and from series.

mod compute_area_integral;
pub(super) mod compute_area_weighted_mean;
mod compute_masked_area_fraction_timeseries;
mod compute_masked_mean_timeseries;
mod compute_volume_integral;
mod compute_volume_weighted_mean;
mod detide_series;
pub(super) mod extract_point_timeseries;
mod extract_timeseries;
mod merge_observations;
mod region_statistics;
mod region_sums;
mod resample_timeseries;

crate::computation::tools![
    compute_area_weighted_mean::ComputeAreaWeightedMean,
    compute_volume_weighted_mean::ComputeVolumeWeightedMean,
    compute_area_integral::ComputeAreaIntegral,
    compute_volume_integral::ComputeVolumeIntegral,
    compute_masked_mean_timeseries::ComputeMaskedMeanTimeseries,
    compute_masked_area_fraction_timeseries::ComputeMaskedAreaFractionTimeseries,
    extract_point_timeseries::ExtractPointTimeseries,
    extract_timeseries::ExtractTimeseries,
    extract_timeseries::ExtractRegionalMean,
    merge_observations::MergeObservations,
    detide_series::DetideSeries,
    resample_timeseries::ResampleTimeseries,
];
