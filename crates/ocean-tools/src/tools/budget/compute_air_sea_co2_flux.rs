//! `compute_air_sea_co2_flux`: carbon dioxide between sea and air.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell_parts;
use crate::frame::Frame;
use crate::kernels::gas_exchange::{flux, solubility, transfer_velocity};
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, one_surface};
use crate::water::in_celsius;

/// Flux of carbon dioxide.
pub(crate) struct ComputeAirSeaCo2Flux;

/// Arguments of `compute_air_sea_co2_flux`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Partial pressure (or fugacity) in the sea at the temperature of the surface.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "uatm"}))]
    pco2_sea: FieldArgument,
    /// Partial pressure (or fugacity) in the moist air.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "uatm"}))]
    pco2_air: FieldArgument,
    /// Mean of the square of the wind at 10 m, not the square of its mean.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m2 s-2"}))]
    wind2: FieldArgument,
    /// Temperature of the surface.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "degC"}))]
    temp: FieldArgument,
    /// Practical salinity of the surface.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "1"}))]
    salt: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Scale of the transfer velocity, in cm h-1 (m s-1)-2; it belongs to a wind product.
    #[serde(default = "wanninkhof")]
    #[schemars(range(min = 0.01, max = 1))]
    coefficient: f64,
}

fn wanninkhof() -> f64 {
    0.251
}

impl Computation for ComputeAirSeaCo2Flux {
    const NAME: &'static str = "compute_air_sea_co2_flux";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("budget", "Flux of carbon dioxide from partial pressures and wind.", any_array("any"))
            .description(
                "F = k K0 (pCO2 of the sea − of the air), positive out of the sea, in mol m-2 yr-1 (a year has 365.25 days). \
                 k = 0.251 <U²> (Sc/660)^-1/2 in cm h-1 (Wanninkhof 2014), Sc at salinity 35; K0 in mol L-1 atm-1 (Weiss \
                 1974); k times 0.01 · 24 · 365.25 is m a-1, K0 times 1000 mol m-3 atm-1. Without ice. Outputs `flux`, \
                 `transfer_velocity` (cm h-1) and `solubility` (mol L-1 atm-1).",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["flux", "transfer_velocity", "solubility"], "any")
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let open = |argument: &FieldArgument, units: &str| part.open(argument, units, datasets, context);
        let sea = open(&arguments.pco2_sea, "uatm")?;
        let air = open(&arguments.pco2_air, "uatm")?;
        let wind = open(&arguments.wind2, "m2 s-2")?;
        let temperature = in_celsius(&part.open_as_is(&arguments.temp, datasets, context)?)?;
        let salinity = part.open_as_is(&arguments.salt, datasets, context)?;
        let fields = [&sea, &air, &wind, &temperature, &salinity];
        one_surface(&fields)?;
        let derived = by_cell_parts(&fields, context, 3, |_, cell, out| {
            let velocity = transfer_velocity(cell[2], cell[3], arguments.coefficient);
            let soluble = solubility(cell[3], cell[4]);
            out.copy_from_slice(&[flux(velocity, soluble, cell[0], cell[1]), velocity, soluble]);
        })?;
        let scale = arguments.coefficient;
        let how = format!(
            "flux k K0 (pCO2 sea − air) with k = {scale} <U²> (Sc/660)^-1/2, positive out of the sea"
        );
        let velocity_method = format!("transfer velocity {scale} <U²> (Sc/660)^-1/2 (Wanninkhof 2014)");
        let quantity = |name, standard_name, units, method| Quantity { name, standard_name, units, method };
        let upward = Some("surface_upward_mole_flux_of_carbon_dioxide");
        let parts = [
            ("flux", quantity("co2_flux", upward, "mol m-2 yr-1", &how), &derived.parts[0]),
            (
                "transfer_velocity",
                quantity("transfer_velocity", None, "cm h-1", &velocity_method),
                &derived.parts[1],
            ),
            (
                "solubility",
                quantity(
                    "co2_solubility",
                    None,
                    "mol L-1 atm-1",
                    "solubility of carbon dioxide (Weiss 1974)",
                ),
                &derived.parts[2],
            ),
        ];
        Ok(read_from(parts_output(&Frame::of(&sea)?, &parts), &fields, &derived.chunks))
    }
}
