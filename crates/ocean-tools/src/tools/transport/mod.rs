//! Transports through lines, and streamfunctions.

mod carried;
mod compute_freshwater_transport;
mod compute_heat_transport;
mod compute_overturning_streamfunction;
mod compute_salt_transport;
mod compute_transport_streamfunction_map;
mod compute_volume_transport;

crate::computation::tools![
    compute_volume_transport::ComputeVolumeTransport,
    compute_heat_transport::ComputeHeatTransport,
    compute_salt_transport::ComputeSaltTransport,
    compute_freshwater_transport::ComputeFreshwaterTransport,
    compute_overturning_streamfunction::ComputeOverturningStreamfunction,
    compute_transport_streamfunction_map::ComputeTransportStreamfunctionMap,
];
