//! `compute_heat_transport`: heat transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};

use super::carried::{SECTION, Told, answer, flow, spec};
use super::line_arguments::line_arguments;
use super::section_flow::Cargo;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::outcome::any_array;
use crate::water::TemperatureKind;

/// Heat transport.
pub(crate) struct ComputeHeatTransport;

line_arguments! {
    /// Arguments of `compute_heat_transport`.
    {
        /// Temperature.
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "degC"}))]
        temp: FieldArgument,
        /// Density of sea water in kg m-3.
        #[serde(default = "density")]
        #[schemars(range(min = 900, max = 1100))]
        rho0: f64,
        /// Heat capacity in J kg-1 K-1.
        #[serde(default = "capacity")]
        #[schemars(range(min = 3000, max = 5000))]
        cp: f64,
        /// Temperature in degC that carries no heat.
        #[serde(default)]
        reference_temperature: f64,
    }
}

fn density() -> f64 {
    1026.0
}

fn capacity() -> f64 {
    crate::kernels::teos10::CP0
}

impl Computation for ComputeHeatTransport {
    const NAME: &'static str = "compute_heat_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Heat transport through a line.", any_array("W"));
        spec(own.description(&format!("ρ0 c_p Σ (T − T_ref) u_n h ds for each time in W. It depends on the reference temperature unless the volume transport, given beside it, is zero; then it is a temperature transport (Schauer and Beszczynska-Möller 2009). c_p is that of Conservative Temperature in TEOS-10, 3991.86795711963 J kg-1 K-1, unless stated. {SECTION}")))
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let asked = arguments.asked();
        let cargo = Cargo { field: &arguments.temp, units: "degC" };
        let flow = flow(&asked, &[cargo], datasets, context)?;
        let reference = arguments.reference_temperature;
        let mut notes = vec![format!(
            "heat is relative to {reference} degC: where the volume transport is not zero it is a temperature transport"
        )];
        let kind = TemperatureKind::of(flow.cargo(0), &mut notes);
        let of = format!(
            "heat transport of {} relative to {reference} degC with {} kg m-3 and {} J kg-1 K-1",
            kind.words(),
            arguments.rho0,
            arguments.cp
        );
        let told = Told { name: "heat_transport", units: "W", unit: 1.0, of: &of, notes };
        let factor = arguments.rho0 * arguments.cp;
        let heat = flow.tracers[0].map(|temp| factor * (temp - reference));
        answer(&asked, &flow, Some(&heat), told)
    }
}
