//! The annual cycle and departures from it.

pub(super) mod compute_anomaly;
pub(super) mod compute_climatology;
pub(super) mod compute_field_anomaly;
pub(super) mod compute_field_climatology;
