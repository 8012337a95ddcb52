//! Currents: kinematics, energy, balances, wind.

mod advect_particles;
mod compute_circulation;
mod compute_derived_field;
mod compute_divergence;
mod compute_eddy_flux;
mod compute_eddy_kinetic_energy;
mod compute_ekman_pumping;
mod compute_ekman_transport;
mod compute_energy_conversion;
mod compute_frontogenesis;
mod compute_ftle;
mod compute_geostrophic_velocity;
mod compute_kinetic_energy;
mod compute_okubo_weiss;
mod compute_potential_vorticity;
mod compute_richardson_number;
mod compute_rossby_number;
mod compute_rossby_radius;
pub(super) mod compute_spatial_vorticity_map;
mod compute_speed_from_uv;
mod compute_strain_rate;
mod compute_upwelling_index_sst;
mod compute_vertical_modes;
mod compute_vertical_shear;
mod compute_wind_stress;
mod departures;
mod drift;
pub(crate) mod flow;
pub(super) mod tracer_flow;

crate::computation::tools![
    compute_spatial_vorticity_map::ComputeSpatialVorticityMap,
    compute_derived_field::ComputeDerivedField,
    compute_divergence::ComputeDivergence,
    compute_strain_rate::ComputeStrainRate,
    compute_okubo_weiss::ComputeOkuboWeiss,
    compute_rossby_number::ComputeRossbyNumber,
    compute_speed_from_uv::ComputeSpeedFromUv,
    compute_kinetic_energy::ComputeKineticEnergy,
    compute_eddy_kinetic_energy::ComputeEddyKineticEnergy,
    compute_vertical_shear::ComputeVerticalShear,
    compute_frontogenesis::ComputeFrontogenesis,
    compute_richardson_number::ComputeRichardsonNumber,
    compute_geostrophic_velocity::ComputeGeostrophicVelocity,
    compute_wind_stress::ComputeWindStress,
    compute_ekman_transport::ComputeEkmanTransport,
    compute_ekman_pumping::ComputeEkmanPumping,
    compute_potential_vorticity::ComputePotentialVorticity,
    compute_rossby_radius::ComputeRossbyRadius,
    compute_vertical_modes::ComputeVerticalModes,
    compute_eddy_flux::ComputeEddyFlux,
    compute_energy_conversion::ComputeEnergyConversion,
    compute_circulation::ComputeCirculation,
    compute_upwelling_index_sst::ComputeUpwellingIndexSst,
    compute_ftle::ComputeFtle,
    advect_particles::AdvectParticles,
];
