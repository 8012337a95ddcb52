//! `compute_volume_integral`: inventory over a region for every time.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::Weighting;

use super::region_sums::{RegionArguments, times_units};
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Integral over volume: the inventory of a concentration.
pub(crate) struct ComputeVolumeIntegral;

impl Computation for ComputeVolumeIntegral {
    const NAME: &'static str = "compute_volume_integral";
    type Arguments = RegionArguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("data m3");
        ToolSpec::new("timeseries", "Integral over volume: the inventory of a concentration.", port)
            .description(
                "Sum of value times cell area times layer thickness over the wet cells; thickness as in `compute_volume_weighted_mean`. \
                 A field without levels is refused.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let found = arguments.sums(Weighting::Area, true, datasets, context)?;
        if found.field.depths().is_none_or(|axis| axis.values.len() < 2) {
            return Err(ToolError::invalid(
                "the field has no layers to integrate over; select a depth range, or use `compute_area_integral`",
            ));
        }
        let values = found.sums.integral();
        let units = times_units(&units_of(&found.field), "m3");
        found.output(values, units, "integral over volume", false)
    }
}
