//! `compute_spiciness`: spiciness.

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::spice::{SpicePressure, spiciness};
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Spiciness by TEOS-10.
pub(crate) struct ComputeSpiciness;

/// Arguments of `compute_spiciness`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    temperature_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    salinity_kind: Option<SalinityKind>,
    /// Reference pressure in dbar: 0, 1000 or 2000.
    #[serde(default)]
    reference_pressure: u32,
}

impl Computation for ComputeSpiciness {
    const NAME: &'static str = "compute_spiciness";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Spiciness of McDougall and Krzysik (2015).", port("kg m-3"))
            .description(
                "Spiciness in kg m-3 from absolute salinity and Conservative Temperature (McDougall and Krzysik 2015, Journal of Marine Research 73, 141-152), referred to 0 (default), 1000 or 2000 dbar.",
            )
            .evidence(&evidence::MAP)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let water = Water::new(&temp, &salt, vec![], arguments.temperature_kind, arguments.salinity_kind)?;
    let pressure = match arguments.reference_pressure {
        0 => SpicePressure::Surface,
        1000 => SpicePressure::Thousand,
        2000 => SpicePressure::TwoThousand,
        other => {
            return Err(ToolError::invalid(format!(
                "reference_pressure is {other}; spiciness is defined for 0, 1000 and 2000 dbar"
            )));
        }
    };
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        vec![water.column(view).map(|sa, ct, _| spiciness(sa, ct, pressure))]
    })?;
    let quantity = Quantity::new(&format!("spiciness{}", arguments.reference_pressure / 1000), "kg m-3");
    let method = format!("spiciness relative to {} dbar", arguments.reference_pressure);
    water.columns.output(&Levels::Same, &[quantity], &computed, &method, water.notes.clone())
}
