//! Looking at datasets, selecting from them, cutting, masking, filtering and sampling fields.

mod apply_mask;
mod assemble_dataset;
mod build_condition_mask;
mod build_isobath_mask;
mod build_region_mask;
mod build_threshold_mask;
mod combine_masks;
mod compute_bottom_index;
mod compute_cell_metrics;
mod compute_coverage;
mod compute_distance_to_coast;
mod compute_variable_summary;
mod concat_time;
mod condition;
mod convert_units;
mod decode_time;
mod extract_4d_subset;
mod fill_gaps;
mod filter_data;
mod get_dataset_info;
mod interpolate_data;
mod list_available_datasets;
mod load_dataset;
mod match_observations;
mod qc_flag_series;
mod regrid;
mod rotate_vectors;
mod select_vertical;

crate::computation::tools![
    get_dataset_info::GetDatasetInfo,
    load_dataset::LoadDataset,
    list_available_datasets::ListAvailableDatasets,
    compute_variable_summary::ComputeVariableSummary,
    decode_time::DecodeTime,
    extract_4d_subset::Extract4dSubset,
    interpolate_data::InterpolateData,
    regrid::Regrid,
    convert_units::ConvertUnits,
    build_threshold_mask::BuildThresholdMask,
    build_region_mask::BuildPolygonMask,
    build_region_mask::BuildNamedRegionMask,
    combine_masks::CombineMasks,
    apply_mask::ApplyMask,
    compute_coverage::ComputeCoverage,
    compute_cell_metrics::ComputeCellMetrics,
    compute_bottom_index::ComputeBottomIndex,
    filter_data::FilterData,
    assemble_dataset::AssembleDataset,
    select_vertical::SelectVertical,
    build_condition_mask::BuildConditionMask,
    build_isobath_mask::BuildIsobathMask,
    fill_gaps::FillGaps,
    compute_distance_to_coast::ComputeDistanceToCoast,
    concat_time::ConcatTime,
    rotate_vectors::RotateVectors,
    match_observations::MatchObservations,
    qc_flag_series::QcFlagSeries,
];
