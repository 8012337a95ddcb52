//! Trends, indices, relations, distributions, patterns and spectra.

mod apply_fdr_control;
mod bootstrap_confidence;
mod cluster_regions;
mod compute_2d_histogram;
mod compute_climate_index;
mod compute_coherence;
mod compute_composite_field;
mod compute_decorrelation_scale;
mod compute_descriptive_statistics;
mod compute_effective_sample_size;
mod compute_extreme_return_level;
mod compute_field_trend;
mod compute_harmonic_fit;
mod compute_harmonic_tides;
mod compute_histogram;
mod compute_kernel_density;
mod compute_lag_correlation;
mod compute_lomb_scargle;
mod compute_mann_kendall;
mod compute_mca;
mod compute_multiple_regression;
mod compute_partial_correlation;
mod compute_percentile_climatology;
mod compute_percentile_field;
mod compute_regression_map;
mod compute_rotated_eof;
mod compute_skill_metrics;
mod compute_spectrum;
mod compute_trend;
mod compute_trend_difference;
mod compute_trend_gls;
mod compute_wavelet;
mod compute_wavenumber_spectrum;
mod detect_change_point;
mod detect_index_events;
mod perform_eof_analysis;
mod reconstruct_from_eof;

mod anomaly_matrix;
mod cell_maps;
pub(super) mod findings;
mod index_box;
pub(super) mod joined;
mod modes;
pub(super) mod preparation;
mod together;

crate::computation::tools![
    compute_trend::ComputeTrend,
    compute_trend_gls::ComputeTrendGls,
    compute_trend_difference::ComputeTrendDifference,
    compute_climate_index::ComputeClimateIndex,
    compute_field_trend::ComputeFieldTrend,
    compute_mann_kendall::ComputeMannKendall,
    compute_lag_correlation::ComputeLagCorrelation,
    compute_partial_correlation::ComputePartialCorrelation,
    compute_multiple_regression::ComputeMultipleRegression,
    compute_effective_sample_size::ComputeEffectiveSampleSize,
    bootstrap_confidence::BootstrapConfidence,
    apply_fdr_control::ApplyFdrControl,
    compute_regression_map::ComputeRegressionMap,
    compute_composite_field::ComputeCompositeField,
    detect_change_point::DetectChangePoint,
    detect_index_events::DetectIndexEvents,
    compute_spectrum::ComputeSpectrum,
    compute_wavelet::ComputeWavelet,
    compute_wavenumber_spectrum::ComputeWavenumberSpectrum,
    compute_coherence::ComputeCoherence,
    compute_lomb_scargle::ComputeLombScargle,
    compute_harmonic_fit::ComputeHarmonicFit,
    compute_harmonic_tides::ComputeHarmonicTides,
    compute_decorrelation_scale::ComputeDecorrelationScale,
    compute_histogram::ComputeHistogram,
    compute_2d_histogram::Compute2dHistogram,
    compute_percentile_field::ComputePercentileField,
    compute_kernel_density::ComputeKernelDensity,
    compute_descriptive_statistics::ComputeDescriptiveStatistics,
    compute_extreme_return_level::ComputeExtremeReturnLevel,
    compute_percentile_climatology::ComputePercentileClimatology,
    compute_skill_metrics::ComputeSkillMetrics,
    perform_eof_analysis::PerformEofAnalysis,
    compute_rotated_eof::ComputeRotatedEof,
    compute_mca::ComputeMca,
    cluster_regions::ClusterRegions,
    reconstruct_from_eof::ReconstructFromEof,
];
