//! `compute_salt_transport`: salt transport through a line.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};

use super::carried::{SECTION, Told, absolute_salinity, answer, flow, spec};
use super::line_arguments::line_arguments;
use super::section_flow::Cargo;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::outcome::any_array;
use crate::water::SalinityKind;

/// Salt transport.
pub(crate) struct ComputeSaltTransport;

line_arguments! {
    /// Arguments of `compute_salt_transport`.
    {
        /// Salinity.
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "1e-3"}))]
        salt: FieldArgument,
        /// Which salinity it is; by its standard name and units if absent.
        #[serde(default)]
        salinity_kind: Option<SalinityKind>,
        /// Density of sea water in kg m-3.
        #[serde(default = "density")]
        #[schemars(range(min = 900, max = 1100))]
        rho0: f64,
    }
}

fn density() -> f64 {
    1026.0
}

impl Computation for ComputeSaltTransport {
    const NAME: &'static str = "compute_salt_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ToolSpec::new("transport", "Salt transport through a line.", any_array("kg s-1"));
        spec(own.description(&format!("ρ0 Σ S/1000 u_n h ds for each time in kg s-1, of absolute salinity in g kg-1; practical salinity is converted at the place and pressure of each face (TEOS-10). {SECTION}")))
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
        let salt = absolute_salinity(&flow, 0, arguments.salinity_kind, &mut notes);
        let of = format!("transport of salt by absolute salinity with {} kg m-3", arguments.rho0);
        let told = Told { name: "salt_transport", units: "kg s-1", unit: 1.0, of: &of, notes };
        let factor = arguments.rho0 / 1000.0;
        answer(&asked, &flow, Some(&salt.map(|salt| factor * salt)), told)
    }
}
