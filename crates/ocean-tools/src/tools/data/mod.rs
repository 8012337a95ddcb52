//! Looking at datasets and selecting from them.

pub(super) mod get_dataset_info;
pub(super) mod load_dataset;
