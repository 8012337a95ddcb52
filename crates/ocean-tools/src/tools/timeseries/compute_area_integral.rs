//! `compute_area_integral`: integral over area for every time.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::Weighting;

use super::region_sums::{RegionArguments, times_units};
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Integral over area.
pub(crate) struct ComputeAreaIntegral;

impl Computation for ComputeAreaIntegral {
    const NAME: &'static str = "compute_area_integral";
    type Arguments = RegionArguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("data m2");
        ToolSpec::new("timeseries", "Integral over area.", port)
            .description(
                "Sum of value times cell area R^2 (sin n - sin s) dlon over the wet cells of the region, R = 6371000 m. Several levels are \
                 refused: choose one, or use `compute_volume_integral`.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let found = arguments.sums(Weighting::Area, false, datasets, context)?;
        if found.field.full_shape()[1] > 1 {
            return Err(ToolError::invalid(
                "the field has several levels; choose one by `depth`, or use `compute_volume_integral`",
            ));
        }
        let values = found.sums.integral();
        let units = times_units(&units_of(&found.field), "m2");
        found.output(values, units, "integral over area", false)
    }
}
