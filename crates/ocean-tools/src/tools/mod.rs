//! The ocean tools: one file each, and [`all`], the one table.

mod climatology;
mod data;
mod field;
mod statistic;
mod synthesis;
mod timeseries;

use std::sync::Arc;

use leg_core::Tool;

use crate::Datasets;

/// Every tool, in the order in which they are listed.
#[expect(clippy::needless_pass_by_value, reason = "every tool keeps a share of it")]
pub fn all(datasets: Arc<Datasets>) -> Vec<Arc<dyn Tool>> {
    let data = || Arc::clone(&datasets);
    vec![
        Arc::new(data::get_dataset_info::GetDatasetInfo::new(data())),
        Arc::new(data::load_dataset::LoadDataset::new(data())),
        Arc::new(timeseries::compute_area_weighted_mean::ComputeAreaWeightedMean::new(data())),
        Arc::new(timeseries::extract_point_timeseries::ExtractPointTimeseries::new(data())),
        Arc::new(timeseries::resample_timeseries::ResampleTimeseries),
        Arc::new(climatology::compute_climatology::ComputeClimatology),
        Arc::new(climatology::compute_anomaly::ComputeAnomaly),
        Arc::new(statistic::compute_trend::ComputeTrend),
        Arc::new(statistic::compute_climate_index::ComputeClimateIndex::new(data())),
        Arc::new(field::compute_spatial_field::ComputeSpatialField::new(data())),
        Arc::new(synthesis::render_figure::RenderFigure),
        Arc::new(synthesis::export_table::ExportTable),
    ]
}
