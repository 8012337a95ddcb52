//! `compute_masked_mean_timeseries`: mean inside a mask for every time.

use std::sync::Arc;

use async_trait::async_trait;
use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool};
use ocean_data::field::reduce::Weighting;

use super::region_sums::RegionArguments;
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Mean inside a mask.
#[derive(Debug)]
pub(crate) struct ComputeMaskedMeanTimeseries {
    datasets: Arc<Datasets>,
}

impl ComputeMaskedMeanTimeseries {
    pub(crate) fn new(datasets: Arc<Datasets>) -> Self {
        Self { datasets }
    }
}

#[async_trait]
impl TypedTool for ComputeMaskedMeanTimeseries {
    const NAME: &'static str = "compute_masked_mean_timeseries";
    type Arguments = RegionArguments;

    fn describe(&self) -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=data");
        ToolSpec::new("timeseries", "Mean inside a mask.", port)
            .description(
                "Mean weighted by cell area and layer thickness over the cells where the mask is true and the field has a value; missing \
                 where no cell qualifies. Also the number of cells and their area or volume.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    async fn run(&self, arguments: Self::Arguments, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let datasets = Arc::clone(&self.datasets);
        context
            .blocking(move |context| {
                if arguments.mask.is_none() {
                    return Err(ToolError::invalid(
                        "`mask` is missing; make one with `build_threshold_mask` or `build_polygon_mask`",
                    ));
                }
                let found = arguments.sums(Weighting::Area, true, &datasets, context)?;
                let values = found.sums.mean();
                let units = units_of(&found.field);
                found.output(values, units, "area-weighted mean inside the mask", true)
            })
            .await
    }
}
