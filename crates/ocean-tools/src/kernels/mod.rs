//! Kernels: pure functions on slices, without files, JSON or tools.
//!
//! A missing value is NaN, in and out. Transcendental functions come from `libm`, and sums run in the order of the
//! values, so that a result is the same bit for bit on every machine of one kind and on any number of threads.

pub mod anomaly;
pub mod climate_index;
pub mod climatology;
pub mod collapse;
pub mod currents;
pub mod differences;
pub mod geodesic;
pub mod gradient;
pub mod index_events;
pub mod interpolation;
pub mod k_means;
pub mod kinematics;
pub mod layers;
pub mod mann_kendall;
pub mod moments;
pub mod quantile;
pub mod regrid;
pub mod resample;
pub mod running_mean;
pub mod series_stats;
pub mod sphere;
pub mod student_t;
pub mod substance;
pub mod tendency;
pub mod teos10;
pub mod theil_sen;
pub mod time_axis;
pub mod transport;
pub mod trend;
pub mod vertical;
pub mod wind;

pub(crate) mod block_bootstrap;
pub(crate) mod butterworth;
pub(crate) mod cell_means;
pub(crate) mod cell_moments;
pub(crate) mod change_points;
pub(crate) mod chi_square;
pub(crate) mod correlation;
pub(crate) mod eof;
pub(crate) mod extremes;
pub(crate) mod false_discovery;
pub(crate) mod gaps;
pub(crate) mod gaussian_mixture;
pub(crate) mod generalised_trend;
pub(crate) mod histogram;
pub(crate) mod least_squares;
pub(crate) mod lomb_scargle;
pub(crate) mod maximum_covariance;
pub(crate) mod percentile_climatology;
pub(crate) mod phase_speed;
pub(crate) mod quality;
pub(crate) mod random;
pub(crate) mod regression;
pub(crate) mod sample;
pub(crate) mod seasonal_means;
pub(crate) mod smoothing;
pub(crate) mod spectrum;
pub(crate) mod steps;
pub(crate) mod t_test;
pub(crate) mod tide;
pub(crate) mod wavelet;
pub(crate) mod wavenumber;
