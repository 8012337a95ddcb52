//! The annual cycle and departures from it.

mod compute_anomaly;
pub(super) mod compute_climatology;
mod compute_doy_climatology;
mod compute_field_anomaly;
mod compute_field_climatology;
mod remove_seasonal_cycle;

crate::computation::tools![
    compute_climatology::ComputeClimatology,
    compute_anomaly::ComputeAnomaly,
    compute_field_climatology::ComputeFieldClimatology,
    compute_doy_climatology::ComputeDoyClimatology,
    remove_seasonal_cycle::RemoveSeasonalCycle,
    compute_field_anomaly::ComputeFieldAnomaly,
];
