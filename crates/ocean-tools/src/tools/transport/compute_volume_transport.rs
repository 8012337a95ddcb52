//! `compute_volume_transport`: volume transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};

use super::carried::{SECTION, Told, answer, flow, spec};
use super::line_arguments::line_arguments;
use crate::Datasets;
use crate::computation::Computation;
use crate::outcome::any_array;

/// Volume transport.
pub(crate) struct ComputeVolumeTransport;

line_arguments! {
    /// Arguments of `compute_volume_transport`.
    {
    }
}

impl Computation for ComputeVolumeTransport {
    const NAME: &'static str = "compute_volume_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Volume transport through a line.", any_array("Sv"));
        spec(own.description(&format!(
            "Σ u_n h ds for each time in Sv (1e6 m3 s-1), and its positive and negative parts. {SECTION}"
        )))
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let asked = arguments.asked();
        let flow = flow(&asked, &[], datasets, context)?;
        let told = Told {
            name: "volume_transport",
            units: "Sv",
            unit: 1e6,
            of: "volume transport",
            notes: Vec::new(),
        };
        answer(&asked, &flow, None, told)
    }
}
