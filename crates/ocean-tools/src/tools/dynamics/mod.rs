//! Currents: kinematics, energy, balances, wind.

pub(super) mod compute_derived_field;
pub(super) mod compute_divergence;
pub(super) mod compute_eddy_kinetic_energy;
pub(super) mod compute_ekman_pumping;
pub(super) mod compute_ekman_transport;
pub(super) mod compute_frontogenesis;
pub(super) mod compute_geostrophic_velocity;
pub(super) mod compute_kinetic_energy;
pub(super) mod compute_okubo_weiss;
pub(super) mod compute_richardson_number;
pub(super) mod compute_rossby_number;
pub(super) mod compute_spatial_vorticity_map;
pub(super) mod compute_speed_from_uv;
pub(super) mod compute_strain_rate;
pub(super) mod compute_vertical_shear;
pub(super) mod compute_wind_stress;
pub(crate) mod flow;
