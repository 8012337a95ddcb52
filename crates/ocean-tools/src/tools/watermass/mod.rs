//! Properties of sea water by TEOS-10, and water masses.

pub(super) mod cell_volumes;
mod cluster_water_masses;
mod compute_apparent_oxygen_utilization;
mod compute_brunt_vaisala_frequency;
mod compute_density;
mod compute_freezing_point_departure;
mod compute_isopycnal_layer_mean;
mod compute_nutrient_ratio;
mod compute_oxygen_saturation;
mod compute_oxygen_solubility;
mod compute_sea_water_property;
mod compute_sound_speed;
mod compute_spiciness;
mod compute_thermal_haline_coefficients;
mod compute_ts_diagram;
mod compute_ts_volume_census;
mod compute_turner_angle;
mod compute_volume_by_class;
mod compute_watermass_fraction;
mod convert_pressure_depth;
mod convert_salinity;
mod convert_temperature;
mod identify_salinity_extremum;
mod oxygen_columns;
mod solve_carbonate_system;
pub(super) mod water_tool;

crate::computation::tools![
    cluster_water_masses::ClusterWaterMasses,
    compute_apparent_oxygen_utilization::ComputeApparentOxygenUtilization,
    compute_brunt_vaisala_frequency::ComputeBruntVaisalaFrequency,
    compute_density::ComputeDensity,
    compute_freezing_point_departure::ComputeFreezingPointDeparture,
    compute_isopycnal_layer_mean::ComputeIsopycnalLayerMean,
    compute_nutrient_ratio::ComputeNutrientRatio,
    compute_oxygen_saturation::ComputeOxygenSaturation,
    compute_oxygen_solubility::ComputeOxygenSolubility,
    compute_sea_water_property::ComputeSeaWaterProperty,
    compute_sound_speed::ComputeSoundSpeed,
    compute_spiciness::ComputeSpiciness,
    compute_thermal_haline_coefficients::ComputeThermalHalineCoefficients,
    compute_ts_diagram::ComputeTsDiagram,
    compute_ts_volume_census::ComputeTsVolumeCensus,
    compute_turner_angle::ComputeTurnerAngle,
    compute_volume_by_class::ComputeVolumeByClass,
    compute_watermass_fraction::ComputeWatermassFraction,
    convert_pressure_depth::ConvertPressureDepth,
    convert_salinity::ConvertSalinity,
    convert_temperature::ConvertTemperature,
    identify_salinity_extremum::IdentifySalinityExtremum,
    solve_carbonate_system::SolveCarbonateSystem,
];
