//! Transports through lines, and streamfunctions.

mod carried;
pub(super) mod compute_freshwater_transport;
pub(super) mod compute_heat_transport;
pub(super) mod compute_overturning_streamfunction;
pub(super) mod compute_salt_transport;
pub(super) mod compute_transport_streamfunction_map;
pub(super) mod compute_volume_transport;
