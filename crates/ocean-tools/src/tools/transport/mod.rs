//! Transports through lines, and streamfunctions.

mod carried;
mod compute_closed_boundary_flux;
mod compute_freshwater_transport;
mod compute_geostrophic_transport;
mod compute_heat_transport;
mod compute_overturning_streamfunction;
mod compute_salt_transport;
mod compute_transect_normal_flux_hovmoller;
mod compute_transport_by_layer;
mod compute_transport_streamfunction_map;
mod compute_volume_transport;
mod line_arguments;
mod section_flow;

crate::computation::tools![
    compute_closed_boundary_flux::ComputeClosedBoundaryFlux,
    compute_freshwater_transport::ComputeFreshwaterTransport,
    compute_geostrophic_transport::ComputeGeostrophicTransport,
    compute_heat_transport::ComputeHeatTransport,
    compute_overturning_streamfunction::ComputeOverturningStreamfunction,
    compute_salt_transport::ComputeSaltTransport,
    compute_transect_normal_flux_hovmoller::ComputeTransectNormalFluxHovmoller,
    compute_transport_by_layer::ComputeTransportByLayer,
    compute_transport_streamfunction_map::ComputeTransportStreamfunctionMap,
    compute_volume_transport::ComputeVolumeTransport,
];
