//! Looking at datasets, selecting from them, cutting, masking, filtering and sampling fields.

pub(super) mod apply_mask;
pub(super) mod build_region_mask;
pub(super) mod build_threshold_mask;
pub(super) mod combine_masks;
pub(super) mod compute_bottom_index;
pub(super) mod compute_cell_metrics;
pub(super) mod compute_coverage;
pub(super) mod compute_variable_summary;
pub(super) mod convert_units;
pub(super) mod decode_time;
pub(super) mod extract_4d_subset;
pub(super) mod filter_data;
pub(super) mod get_dataset_info;
pub(super) mod interpolate_data;
pub(super) mod list_available_datasets;
pub(super) mod load_dataset;
pub(super) mod regrid;
