//! The annual cycle and departures from it.

pub(super) mod compute_anomaly;
pub(super) mod compute_climatology;
