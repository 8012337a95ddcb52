//! Columns: layers, surfaces and heights.

mod analyze_vertical_structure;
mod compute_barrier_layer_thickness;
mod compute_dynamic_height;
mod compute_freshwater_content;
mod compute_layer_mean;
mod compute_light_attenuation;
mod compute_mixed_layer_mean;
mod compute_mld_thermocline_offset;
mod compute_ocean_heat_content;
mod compute_potential_energy_anomaly;
mod compute_steric_height;
mod compute_stratification_index;
mod compute_tropical_cyclone_heat_potential;
mod compute_vertical_integral;
mod compute_vertical_stability_timeseries;
mod detect_oxygen_minimum_zone;
mod detect_subsurface_chlorophyll_maximum;
mod extract_isopycnal_surface;
mod extract_vertical_profile;
mod heat_maps;
mod identify_halocline_depth;
mod identify_isotherm_depth;
mod identify_mixed_layer_depth;
mod identify_pycnocline_depth;
mod identify_thermocline_depth;
pub(super) mod layer_argument;
mod occurrence;
mod regrid_vertical;

crate::computation::tools![
    analyze_vertical_structure::AnalyzeVerticalStructure,
    compute_barrier_layer_thickness::ComputeBarrierLayerThickness,
    compute_dynamic_height::ComputeDynamicHeight,
    compute_freshwater_content::ComputeFreshwaterContent,
    compute_layer_mean::ComputeLayerMean,
    compute_light_attenuation::ComputeLightAttenuation,
    compute_mixed_layer_mean::ComputeMixedLayerMean,
    compute_mld_thermocline_offset::ComputeMldThermoclineOffset,
    compute_ocean_heat_content::ComputeOceanHeatContent,
    compute_potential_energy_anomaly::ComputePotentialEnergyAnomaly,
    compute_steric_height::ComputeStericHeight,
    compute_stratification_index::ComputeStratificationIndex,
    compute_tropical_cyclone_heat_potential::ComputeTropicalCycloneHeatPotential,
    compute_vertical_integral::ComputeVerticalIntegral,
    compute_vertical_stability_timeseries::ComputeVerticalStabilityTimeseries,
    detect_oxygen_minimum_zone::DetectOxygenMinimumZone,
    detect_subsurface_chlorophyll_maximum::DetectSubsurfaceChlorophyllMaximum,
    extract_isopycnal_surface::ExtractIsopycnalSurface,
    extract_vertical_profile::ExtractVerticalProfile,
    identify_halocline_depth::IdentifyHaloclineDepth,
    identify_isotherm_depth::IdentifyIsothermDepth,
    identify_mixed_layer_depth::IdentifyMixedLayerDepth,
    identify_pycnocline_depth::IdentifyPycnoclineDepth,
    identify_thermocline_depth::IdentifyThermoclineDepth,
    regrid_vertical::RegridVertical,
];
