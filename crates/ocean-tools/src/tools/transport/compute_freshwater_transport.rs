//! `compute_freshwater_transport`: freshwater transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};

use super::carried::{SECTION, Told, answer, flow, spec};
use super::line_arguments::line_arguments;
use super::section_flow::Cargo;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::outcome::any_array;
use crate::water::SalinityKind;

/// Freshwater transport.
pub(crate) struct ComputeFreshwaterTransport;

line_arguments! {
    /// Arguments of `compute_freshwater_transport`.
    {
        /// Salinity.
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "1e-3"}))]
        salt: FieldArgument,
        /// Salinity that carries no fresh water, of the kind of `salt`.
        #[serde(default = "reference")]
        #[schemars(range(min = 1, max = 50))]
        s_ref: f64,
    }
}

fn reference() -> f64 {
    35.0
}

impl Computation for ComputeFreshwaterTransport {
    const NAME: &'static str = "compute_freshwater_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Freshwater transport through a line.", any_array("Sv"));
        spec(own.description(&format!("Σ (1 − S/S_ref) u_n h ds for each time in Sv. It depends on the reference salinity unless the volume transport, given beside it, is zero. {SECTION}")))
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let asked = arguments.asked();
        let cargo = Cargo { field: &arguments.salt, units: "1e-3" };
        let flow = flow(&asked, &[cargo], datasets, context)?;
        let mut notes = Vec::new();
        let kind = SalinityKind::of(flow.cargo(0), &mut notes);
        let of = format!("freshwater transport relative to a {} of {}", kind.words(), arguments.s_ref);
        let told = Told { name: "freshwater_transport", units: "Sv", unit: 1e6, of: &of, notes };
        let fresh = flow.tracers[0].map(|salt| 1.0 - salt / arguments.s_ref);
        answer(&asked, &flow, Some(&fresh), told)
    }
}
