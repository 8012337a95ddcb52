//! `compute_volume_weighted_mean`: mean over area and thickness for every time.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::Weighting;

use super::region_sums::RegionArguments;
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Volume-weighted mean over a region and depth range.
pub(crate) struct ComputeVolumeWeightedMean;

impl Computation for ComputeVolumeWeightedMean {
    const NAME: &'static str = "compute_volume_weighted_mean";
    type Arguments = RegionArguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=data");
        ToolSpec::new("timeseries", "Volume-weighted mean over a region and depth range.", port)
            .description(
                "Sum of value times cell area times layer thickness over that of area times thickness, wet cells only. Thickness comes \
                 from depth bounds, or from mid-points with the first edge at the surface and the last extended by half \
                 the last spacing; first and last layers are clipped to the range.",
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
        let values = found.sums.mean();
        let units = units_of(&found.field);
        found.output(values, units, "volume-weighted mean", true)
    }
}
