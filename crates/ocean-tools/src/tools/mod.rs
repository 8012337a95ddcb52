//! The ocean tools: one file each, and [`all`], the one table.

mod budget;
mod climatology;
mod data;
mod dynamics;
mod field;
mod hovmoller;
mod section;
mod statistic;
mod synthesis;
mod timeseries;
mod transport;
mod vertical;
mod watermass;

use std::sync::Arc;

use leg_core::Tool;

use crate::Datasets;

/// Every tool, in the order in which they are listed.
#[expect(
    clippy::needless_pass_by_value,
    clippy::too_many_lines,
    reason = "every tool keeps a share; one table"
)]
pub fn all(datasets: Arc<Datasets>) -> Vec<Arc<dyn Tool>> {
    let data = || Arc::clone(&datasets);
    vec![
        Arc::new(data::get_dataset_info::GetDatasetInfo::new(data())),
        Arc::new(data::load_dataset::LoadDataset::new(data())),
        Arc::new(data::list_available_datasets::ListAvailableDatasets::new(data())),
        Arc::new(data::compute_variable_summary::ComputeVariableSummary::new(data())),
        Arc::new(data::decode_time::DecodeTime),
        Arc::new(data::extract_4d_subset::Extract4dSubset::new(data())),
        Arc::new(data::interpolate_data::InterpolateData::new(data())),
        Arc::new(data::regrid::Regrid::new(data())),
        Arc::new(data::convert_units::ConvertUnits::new(data())),
        Arc::new(data::build_threshold_mask::BuildThresholdMask::new(data())),
        Arc::new(data::build_region_mask::BuildPolygonMask::new(data())),
        Arc::new(data::build_region_mask::BuildNamedRegionMask::new(data())),
        Arc::new(data::combine_masks::CombineMasks::new(data())),
        Arc::new(data::apply_mask::ApplyMask::new(data())),
        Arc::new(data::compute_coverage::ComputeCoverage::new(data())),
        Arc::new(data::compute_cell_metrics::ComputeCellMetrics::new(data())),
        Arc::new(data::compute_bottom_index::ComputeBottomIndex::new(data())),
        Arc::new(timeseries::compute_area_weighted_mean::ComputeAreaWeightedMean::new(data())),
        Arc::new(timeseries::compute_volume_weighted_mean::ComputeVolumeWeightedMean::new(data())),
        Arc::new(timeseries::compute_area_integral::ComputeAreaIntegral::new(data())),
        Arc::new(timeseries::compute_volume_integral::ComputeVolumeIntegral::new(data())),
        Arc::new(timeseries::compute_masked_mean_timeseries::ComputeMaskedMeanTimeseries::new(data())),
        Arc::new(
            timeseries::compute_masked_area_fraction_timeseries::ComputeMaskedAreaFractionTimeseries::new(
                data(),
            ),
        ),
        Arc::new(timeseries::extract_point_timeseries::ExtractPointTimeseries::new(data())),
        Arc::new(timeseries::resample_timeseries::ResampleTimeseries),
        Arc::new(climatology::compute_climatology::ComputeClimatology),
        Arc::new(climatology::compute_anomaly::ComputeAnomaly),
        Arc::new(climatology::compute_field_climatology::ComputeFieldClimatology::new(data())),
        Arc::new(climatology::compute_field_anomaly::ComputeFieldAnomaly::new(data())),
        Arc::new(statistic::compute_trend::ComputeTrend),
        Arc::new(statistic::compute_climate_index::ComputeClimateIndex::new(data())),
        Arc::new(statistic::compute_field_trend::ComputeFieldTrend::new(data())),
        Arc::new(statistic::compute_mann_kendall::ComputeMannKendall),
        Arc::new(statistic::compute_lag_correlation::ComputeLagCorrelation),
        Arc::new(statistic::compute_regression_map::ComputeRegressionMap::new(data())),
        Arc::new(statistic::compute_composite_field::ComputeCompositeField::new(data())),
        Arc::new(statistic::detect_index_events::DetectIndexEvents),
        Arc::new(statistic::compute_spectrum::ComputeSpectrum),
        Arc::new(statistic::compute_coherence::ComputeCoherence),
        Arc::new(statistic::compute_lomb_scargle::ComputeLombScargle),
        Arc::new(statistic::compute_harmonic_fit::ComputeHarmonicFit),
        Arc::new(statistic::compute_decorrelation_scale::ComputeDecorrelationScale),
        Arc::new(statistic::compute_histogram::ComputeHistogram::new(data())),
        Arc::new(statistic::compute_kernel_density::ComputeKernelDensity::new(data())),
        Arc::new(statistic::compute_descriptive_statistics::ComputeDescriptiveStatistics::new(data())),
        Arc::new(statistic::compute_extreme_return_level::ComputeExtremeReturnLevel),
        Arc::new(statistic::compute_percentile_climatology::ComputePercentileClimatology),
        Arc::new(statistic::compute_skill_metrics::ComputeSkillMetrics::new(data())),
        Arc::new(statistic::perform_eof_analysis::PerformEofAnalysis::new(data())),
        Arc::new(statistic::compute_rotated_eof::ComputeRotatedEof),
        Arc::new(statistic::reconstruct_from_eof::ReconstructFromEof),
        Arc::new(data::filter_data::FilterData::new(data())),
        Arc::new(field::compute_spatial_field::ComputeSpatialField::new(data())),
        Arc::new(field::compute_spatial_statistics::ComputeSpatialStatistics::new(data())),
        Arc::new(field::compute_zonal_mean::ComputeZonalMean::new(data())),
        Arc::new(dynamics::compute_spatial_vorticity_map::ComputeSpatialVorticityMap::new(data())),
        Arc::new(dynamics::compute_derived_field::ComputeDerivedField::new(data())),
        Arc::new(dynamics::compute_divergence::ComputeDivergence::new(data())),
        Arc::new(dynamics::compute_strain_rate::ComputeStrainRate::new(data())),
        Arc::new(dynamics::compute_okubo_weiss::ComputeOkuboWeiss::new(data())),
        Arc::new(dynamics::compute_rossby_number::ComputeRossbyNumber::new(data())),
        Arc::new(dynamics::compute_speed_from_uv::ComputeSpeedFromUv::new(data())),
        Arc::new(dynamics::compute_kinetic_energy::ComputeKineticEnergy::new(data())),
        Arc::new(dynamics::compute_eddy_kinetic_energy::ComputeEddyKineticEnergy::new(data())),
        Arc::new(dynamics::compute_vertical_shear::ComputeVerticalShear::new(data())),
        Arc::new(budget::compute_local_tendency::ComputeLocalTendency::new(data())),
        Arc::new(budget::compute_horizontal_advection::ComputeHorizontalAdvection::new(data())),
        Arc::new(budget::compute_tracer_advection_map::ComputeTracerAdvectionMap::new(data())),
        Arc::new(budget::compute_vertical_advection::ComputeVerticalAdvection::new(data())),
        Arc::new(dynamics::compute_frontogenesis::ComputeFrontogenesis::new(data())),
        Arc::new(dynamics::compute_richardson_number::ComputeRichardsonNumber::new(data())),
        Arc::new(dynamics::compute_geostrophic_velocity::ComputeGeostrophicVelocity::new(data())),
        Arc::new(dynamics::compute_wind_stress::ComputeWindStress::new(data())),
        Arc::new(dynamics::compute_ekman_transport::ComputeEkmanTransport::new(data())),
        Arc::new(dynamics::compute_ekman_pumping::ComputeEkmanPumping::new(data())),
        Arc::new(hovmoller::compute_hovmoller::ComputeHovmoller::new(data())),
        Arc::new(section::compute_distance::ComputeDistance),
        Arc::new(transport::compute_volume_transport::ComputeVolumeTransport::new(data())),
        Arc::new(transport::compute_heat_transport::ComputeHeatTransport::new(data())),
        Arc::new(transport::compute_salt_transport::ComputeSaltTransport::new(data())),
        Arc::new(transport::compute_freshwater_transport::ComputeFreshwaterTransport::new(data())),
        Arc::new(
            transport::compute_overturning_streamfunction::ComputeOverturningStreamfunction::new(data()),
        ),
        Arc::new(transport::compute_transport_streamfunction_map::ComputeTransportStreamfunctionMap::new(
            data(),
        )),
        Arc::new(watermass::compute_apparent_oxygen_utilization::ComputeApparentOxygenUtilization::new(
            data(),
        )),
        Arc::new(watermass::cluster_water_masses::ClusterWaterMasses::new(data())),
        Arc::new(watermass::compute_brunt_vaisala_frequency::ComputeBruntVaisalaFrequency::new(data())),
        Arc::new(watermass::compute_density::ComputeDensity::new(data())),
        Arc::new(watermass::compute_freezing_point_departure::ComputeFreezingPointDeparture::new(data())),
        Arc::new(watermass::compute_oxygen_saturation::ComputeOxygenSaturation::new(data())),
        Arc::new(watermass::compute_oxygen_solubility::ComputeOxygenSolubility::new(data())),
        Arc::new(watermass::compute_sea_water_property::ComputeSeaWaterProperty::new(data())),
        Arc::new(watermass::compute_sound_speed::ComputeSoundSpeed::new(data())),
        Arc::new(watermass::compute_spiciness::ComputeSpiciness::new(data())),
        Arc::new(watermass::compute_thermal_haline_coefficients::ComputeThermalHalineCoefficients::new(
            data(),
        )),
        Arc::new(watermass::compute_ts_volume_census::ComputeTsVolumeCensus::new(data())),
        Arc::new(watermass::compute_turner_angle::ComputeTurnerAngle::new(data())),
        Arc::new(watermass::compute_volume_by_class::ComputeVolumeByClass::new(data())),
        Arc::new(watermass::convert_pressure_depth::ConvertPressureDepth::new(data())),
        Arc::new(watermass::convert_salinity::ConvertSalinity::new(data())),
        Arc::new(watermass::convert_temperature::ConvertTemperature::new(data())),
        Arc::new(vertical::compute_barrier_layer_thickness::ComputeBarrierLayerThickness::new(data())),
        Arc::new(vertical::compute_dynamic_height::ComputeDynamicHeight::new(data())),
        Arc::new(vertical::compute_layer_mean::ComputeLayerMean::new(data())),
        Arc::new(vertical::compute_ocean_heat_content::ComputeOceanHeatContent::new(data())),
        Arc::new(vertical::compute_potential_energy_anomaly::ComputePotentialEnergyAnomaly::new(data())),
        Arc::new(vertical::compute_steric_height::ComputeStericHeight::new(data())),
        Arc::new(vertical::compute_vertical_integral::ComputeVerticalIntegral::new(data())),
        Arc::new(vertical::extract_isopycnal_surface::ExtractIsopycnalSurface::new(data())),
        Arc::new(vertical::extract_vertical_profile::ExtractVerticalProfile::new(data())),
        Arc::new(vertical::identify_halocline_depth::IdentifyHaloclineDepth::new(data())),
        Arc::new(vertical::identify_isotherm_depth::IdentifyIsothermDepth::new(data())),
        Arc::new(vertical::identify_mixed_layer_depth::IdentifyMixedLayerDepth::new(data())),
        Arc::new(vertical::identify_pycnocline_depth::IdentifyPycnoclineDepth::new(data())),
        Arc::new(vertical::identify_thermocline_depth::IdentifyThermoclineDepth::new(data())),
        Arc::new(vertical::regrid_vertical::RegridVertical::new(data())),
        Arc::new(synthesis::render_figure::RenderFigure),
        Arc::new(synthesis::export_table::ExportTable),
    ]
}
