//! Properties of sea water by TEOS-10, and water masses.

mod cell_volumes;
pub(super) mod cluster_water_masses;
pub(super) mod compute_apparent_oxygen_utilization;
pub(super) mod compute_brunt_vaisala_frequency;
pub(super) mod compute_density;
pub(super) mod compute_freezing_point_departure;
pub(super) mod compute_oxygen_saturation;
pub(super) mod compute_oxygen_solubility;
pub(super) mod compute_sea_water_property;
pub(super) mod compute_sound_speed;
pub(super) mod compute_spiciness;
pub(super) mod compute_thermal_haline_coefficients;
pub(super) mod compute_ts_volume_census;
pub(super) mod compute_turner_angle;
pub(super) mod compute_volume_by_class;
pub(super) mod convert_pressure_depth;
pub(super) mod convert_salinity;
pub(super) mod convert_temperature;
mod oxygen_columns;
pub(super) mod water_tool;
