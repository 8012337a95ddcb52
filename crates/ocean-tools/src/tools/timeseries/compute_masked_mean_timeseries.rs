//! `compute_masked_mean_timeseries`: mean inside a mask for every time.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::Weighting;

use super::region_sums::RegionArguments;
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Mean inside a mask.
pub(crate) struct ComputeMaskedMeanTimeseries;

impl Computation for ComputeMaskedMeanTimeseries {
    const NAME: &'static str = "compute_masked_mean_timeseries";
    type Arguments = RegionArguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=data");
        ToolSpec::new("timeseries", "Mean inside a mask.", port)
            .description(
                "Mean weighted by cell area and layer thickness over the cells where the mask is true and the field has a value; missing \
                 where no cell qualifies. Also the number of cells and their area or volume.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        if arguments.mask.is_none() {
            return Err(ToolError::invalid(
                "`mask` is missing; make one with `build_threshold_mask` or `build_polygon_mask`",
            ));
        }
        let found = arguments.sums(Weighting::Area, true, datasets, context)?;
        let values = found.sums.mean();
        let units = units_of(&found.field);
        found.output(values, units, "area-weighted mean inside the mask", true)
    }
}
