//! Trends, indices, relations, distributions, patterns and spectra.

pub(super) mod compute_climate_index;
pub(super) mod compute_coherence;
pub(super) mod compute_composite_field;
pub(super) mod compute_decorrelation_scale;
pub(super) mod compute_descriptive_statistics;
pub(super) mod compute_extreme_return_level;
pub(super) mod compute_field_trend;
pub(super) mod compute_harmonic_fit;
pub(super) mod compute_histogram;
pub(super) mod compute_kernel_density;
pub(super) mod compute_lag_correlation;
pub(super) mod compute_lomb_scargle;
pub(super) mod compute_mann_kendall;
pub(super) mod compute_percentile_climatology;
pub(super) mod compute_regression_map;
pub(super) mod compute_rotated_eof;
pub(super) mod compute_skill_metrics;
pub(super) mod compute_spectrum;
pub(super) mod compute_trend;
pub(super) mod detect_index_events;
pub(super) mod perform_eof_analysis;
pub(super) mod reconstruct_from_eof;

mod anomaly_matrix;
mod cell_maps;
pub(super) mod findings;
mod index_box;
mod joined;
mod modes;
mod preparation;
