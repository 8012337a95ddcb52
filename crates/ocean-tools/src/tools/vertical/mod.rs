//! Columns: layers, surfaces and heights.

mod compute_barrier_layer_thickness;
mod compute_dynamic_height;
mod compute_layer_mean;
mod compute_ocean_heat_content;
mod compute_potential_energy_anomaly;
mod compute_steric_height;
mod compute_vertical_integral;
mod extract_isopycnal_surface;
mod extract_vertical_profile;
mod heat_maps;
mod identify_halocline_depth;
mod identify_isotherm_depth;
mod identify_mixed_layer_depth;
mod identify_pycnocline_depth;
mod identify_thermocline_depth;
mod layer_argument;
mod occurrence;
mod regrid_vertical;

crate::computation::tools![
    compute_barrier_layer_thickness::ComputeBarrierLayerThickness,
    compute_dynamic_height::ComputeDynamicHeight,
    compute_layer_mean::ComputeLayerMean,
    compute_ocean_heat_content::ComputeOceanHeatContent,
    compute_potential_energy_anomaly::ComputePotentialEnergyAnomaly,
    compute_steric_height::ComputeStericHeight,
    compute_vertical_integral::ComputeVerticalIntegral,
    extract_isopycnal_surface::ExtractIsopycnalSurface,
    extract_vertical_profile::ExtractVerticalProfile,
    identify_halocline_depth::IdentifyHaloclineDepth,
    identify_isotherm_depth::IdentifyIsothermDepth,
    identify_mixed_layer_depth::IdentifyMixedLayerDepth,
    identify_pycnocline_depth::IdentifyPycnoclineDepth,
    identify_thermocline_depth::IdentifyThermoclineDepth,
    regrid_vertical::RegridVertical,
];
