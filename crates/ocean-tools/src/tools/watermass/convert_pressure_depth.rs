//! `convert_pressure_depth`: pressure from depth and back.

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::sea_water;
use crate::{Datasets, evidence};
use leg_core::ToolErrorKind;
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::cf::Unit;
use schemars::JsonSchema;
use serde::Deserialize;

/// Pressure of levels, or depth.
pub(crate) struct ConvertPressureDepth;

/// Arguments of `convert_pressure_depth`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// What is wanted.
    target: Target,
}

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Target {
    /// Pressure above one atmosphere, dbar.
    Pressure,
    /// Depth below the surface, m.
    Depth,
}

impl Computation for ConvertPressureDepth {
    const NAME: &'static str = "convert_pressure_depth";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Converts depth to pressure and pressure to depth.", port("any"))
            .description(
                "By TEOS-10 (z = -depth at the latitude of each cell, no dynamic height). Data in metres or in decibars are converted themselves; of any other data the depths of the levels are taken, where they have a value.",
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
    let field = arguments.data.open(datasets, context)?;
    let unit: Option<Unit> = field.units().parse().ok();
    let is_pressure = unit.as_ref().is_some_and(Unit::is_pressure);
    let is_length = unit.as_ref().is_some_and(Unit::is_length);
    let converted = if is_pressure {
        field.with_units("dbar")
    } else if is_length {
        field.with_units("m")
    } else {
        Ok(field.clone())
    };
    let field =
        converted.map_err(|error| ToolError::new(ToolErrorKind::InvalidArguments, error.to_string()))?;
    let columns = Columns::of(vec![field]);
    columns.need_place()?;
    let target = arguments.target;
    let computed = columns.compute(context, &Levels::Same, 1, |view| {
        let convert = |(&depth, &own): (&f64, &f64)| {
            let own = if own.is_nan() || is_pressure || is_length { own } else { depth };
            match (target, is_pressure) {
                _ if own.is_nan() => f64::NAN,
                (Target::Pressure, false) => sea_water::pressure(own, view.lat),
                (Target::Depth, true) => sea_water::depth(own, view.lat),
                _ => own,
            }
        };
        vec![view.depth.iter().zip(&view.values[0]).map(convert).collect()]
    })?;
    let quantity = match target {
        Target::Pressure => Quantity::standard("sea_water_pressure_due_to_sea_water", "dbar"),
        Target::Depth => Quantity::standard("depth_below_geoid", "m"),
    };
    columns.output(&Levels::Same, &[quantity], &computed, "TEOS-10 pressure and depth", vec![])
}
