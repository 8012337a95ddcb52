//! Columns: layers, surfaces and heights.

pub(super) mod compute_barrier_layer_thickness;
pub(super) mod compute_dynamic_height;
pub(super) mod compute_layer_mean;
pub(super) mod compute_ocean_heat_content;
pub(super) mod compute_potential_energy_anomaly;
pub(super) mod compute_steric_height;
pub(super) mod compute_vertical_integral;
pub(super) mod extract_isopycnal_surface;
pub(super) mod extract_vertical_profile;
pub(super) mod identify_halocline_depth;
pub(super) mod identify_isotherm_depth;
pub(super) mod identify_mixed_layer_depth;
pub(super) mod identify_pycnocline_depth;
pub(super) mod identify_thermocline_depth;
mod layer_argument;
mod occurrence;
pub(super) mod regrid_vertical;
