//! `compute_oxygen_saturation`: oxygen as a share of its solubility.

use super::oxygen_columns::{oxygen_in, solubility};
use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Oxygen as a percentage of its solubility.
pub(crate) struct ComputeOxygenSaturation;

/// Arguments of `compute_oxygen_saturation`.
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
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    oxygen: FieldArgument,
}

impl Computation for ComputeOxygenSaturation {
    const NAME: &'static str = "compute_oxygen_saturation";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Oxygen as a percentage of its solubility.", port("percent"))
            .description(
                "100 O2 / O2sat with the solubility of Garcia and Gordon (1992, Benson and Krause). Oxygen per mass or per volume; per volume the solubility is taken with the potential density.",
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
    let (oxygen, by_volume) = oxygen_in(&arguments.oxygen.open(datasets, context)?)?;
    let water = Water::new(&temp, &salt, vec![oxygen], arguments.temperature_kind, arguments.salinity_kind)?;
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        let saturated = &solubility(&water.column(view))[usize::from(by_volume)];
        vec![
            view.values[2]
                .iter()
                .zip(saturated)
                .map(|(oxygen, saturated)| 100.0 * oxygen / saturated)
                .collect(),
        ]
    })?;
    let units = "percent";
    water.columns.output(
        &Levels::Same,
        &[Quantity::new("oxygen_saturation", units)],
        &computed,
        "oxygen saturation",
        water.notes.clone(),
    )
}
