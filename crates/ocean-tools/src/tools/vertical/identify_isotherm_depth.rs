//! `identify_isotherm_depth`: the depth of a temperature.

use super::occurrence::OccurrenceArgument;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical;
use crate::tools::watermass::water_tool::port;
use crate::water::in_celsius;
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Depth of an isotherm.
pub(crate) struct IdentifyIsothermDepth;

/// Arguments of `identify_isotherm_depth`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    /// The temperature, degC.
    #[serde(default = "twenty")]
    value: f64,
    /// Which crossing, seen from the surface.
    #[serde(default)]
    occurrence: OccurrenceArgument,
}

fn twenty() -> f64 {
    20.0
}

impl Computation for IdentifyIsothermDepth {
    const NAME: &'static str = "identify_isotherm_depth";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Depth of an isotherm.", port("m"))
            .description(
                "The depth at which temperature takes a value, linear between levels, at the first crossing from the surface or the last; in m. Missing where the column never takes it.",
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
    let field = in_celsius(&arguments.temp.open(datasets, context)?)?;
    let columns = Columns::of(vec![field]);
    columns.need_levels(2)?;
    let (value, occurrence) = (arguments.value, arguments.occurrence.into());
    let computed = columns.compute(context, &Levels::None, 1, |view| {
        vec![vec![vertical::crossing(view.depth, &view.values[0], value, occurrence).unwrap_or(f64::NAN)]]
    })?;
    let method = format!("depth of the {value} degC isotherm");
    columns.output(&Levels::None, &[Quantity::new("isotherm_depth", "m")], &computed, &method, vec![])
}
