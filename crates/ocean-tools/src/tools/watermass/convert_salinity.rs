//! `convert_salinity`: practical from absolute salinity and back.

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::sea_water;
use crate::water::SalinityKind;
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Practical and absolute salinity.
pub(crate) struct ConvertSalinity;

/// Arguments of `convert_salinity`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Which salinity is wanted.
    target_kind: SalinityKind,
}

impl Computation for ConvertSalinity {
    const NAME: &'static str = "convert_salinity";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Converts between practical, absolute and reference salinity.", port("any"))
            .description(
                "By TEOS-10 with the anomaly atlas of McDougall et al. (2012) at pressure, longitude and latitude of each cell, and the Baltic formula in the Baltic Sea. Data that state their kind by standard name or g kg-1 are taken as that; others as practical, or as absolute when practical is wanted. Reference salinity is 35.16504/35 g kg-1 times the practical one; absolute and reference salinity are in g kg-1.",
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
    let target = arguments.target_kind;
    let source = SalinityKind::stated(&field).unwrap_or(match target {
        SalinityKind::Practical => SalinityKind::Absolute,
        SalinityKind::Absolute | SalinityKind::Reference => SalinityKind::Practical,
    });
    let note = format!("`{}` is taken as {}", field.name(), source.words());
    let columns = Columns::of(vec![field]);
    columns.need_place()?;
    let computed = columns.compute(context, &Levels::Same, 1, |view| {
        let place = [view.lon, view.lat];
        let convert = |(&depth, &own): (&f64, &f64)| {
            let p = sea_water::pressure(depth, view.lat);
            match target {
                SalinityKind::Absolute => source.absolute(own, p, place),
                SalinityKind::Practical => source.practical(own, p, place),
                SalinityKind::Reference => source.reference(own, p, place),
            }
        };
        vec![view.depth.iter().zip(&view.values[0]).map(convert).collect()]
    })?;
    let quantity = match target {
        SalinityKind::Absolute => Quantity::standard("sea_water_absolute_salinity", "g kg-1"),
        SalinityKind::Practical => Quantity::standard("sea_water_practical_salinity", "1"),
        SalinityKind::Reference => Quantity::standard("sea_water_reference_salinity", "g kg-1"),
    };
    let method = format!("TEOS-10 {}", quantity.name.replace('_', " "));
    columns.output(&Levels::Same, &[quantity], &computed, &method, vec![note])
}
