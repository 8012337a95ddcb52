//! `convert_temperature`: one kind of temperature from another.

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::temperature::{pt_from_ct, t_from_ct};
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// In-situ, potential and Conservative Temperature.
pub(crate) struct ConvertTemperature;

/// Arguments of `convert_temperature`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    source_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    salinity_kind: Option<SalinityKind>,
    /// Which temperature is wanted.
    target_kind: TemperatureKind,
}

impl Computation for ConvertTemperature {
    const NAME: &'static str = "convert_temperature";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Converts between in-situ, potential and Conservative Temperature.", port("degC"))
            .description(
                "By TEOS-10, through entropy (potential temperature, reference pressure 0) and potential enthalpy (Conservative Temperature), in degC. Salinity enters weakly and must be given.",
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
    let (data, salt) = (arguments.data.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let water = Water::new(&data, &salt, vec![], arguments.source_kind, arguments.salinity_kind)?;
    let target = arguments.target_kind;
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        vec![water.column(view).map(|sa, ct, p| match target {
            TemperatureKind::InSitu => t_from_ct(sa, ct, p),
            TemperatureKind::Potential => pt_from_ct(sa, ct),
            TemperatureKind::Conservative => ct,
        })]
    })?;
    let name = match target {
        TemperatureKind::InSitu => "sea_water_temperature",
        TemperatureKind::Potential => "sea_water_potential_temperature",
        TemperatureKind::Conservative => "sea_water_conservative_temperature",
    };
    let method = format!("TEOS-10 {}", name.replace('_', " "));
    water.columns.output(
        &Levels::Same,
        &[Quantity::standard(name, "degC")],
        &computed,
        &method,
        water.notes.clone(),
    )
}
