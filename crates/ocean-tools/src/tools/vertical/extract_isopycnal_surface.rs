//! `extract_isopycnal_surface`: depth and values of an isopycnal surface.

use super::occurrence::OccurrenceArgument;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::vertical;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// A field on a surface of potential density.
pub(crate) struct ExtractIsopycnalSurface;

/// Arguments of `extract_isopycnal_surface`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    density: FieldArgument,
    /// Potential density less 1000 kg m-3.
    target_sigma0: f64,
    /// Which crossing, seen from the surface.
    #[serde(default)]
    occurrence: OccurrenceArgument,
}

impl Computation for ExtractIsopycnalSurface {
    const NAME: &'static str = "extract_isopycnal_surface";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Values of a field on an isopycnal surface, and its depth.", port("=data"))
            .description(
                "Linear interpolation at the first (or last) depth from the surface where density takes the value; array isopycnal_depth holds the depth in m. Densities above 500 kg m-3 are taken less 1000. Missing where the column never takes it, as where the surface outcrops.",
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
    let data = arguments.data.open(datasets, context)?;
    let name = data.variable().identity_name().to_owned();
    let quantity = Quantity {
        name: format!("{name}_on_isopycnal"),
        units: crate::series::units_of(&data),
        standard_name: data.standard_name().map(str::to_owned),
    };
    let columns = Columns::of(vec![data, arguments.density.open(datasets, context)?]);
    columns.need_levels(2)?;
    let (target, occurrence) = (arguments.target_sigma0, arguments.occurrence.into());
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        let sigma: Vec<f64> =
            view.values[1].iter().map(|&own| if own > 500.0 { own - 1000.0 } else { own }).collect();
        let depth = vertical::crossing(view.depth, &sigma, target, occurrence).unwrap_or(f64::NAN);
        let (z, values) = vertical::present(view.depth, &view.values[0]);
        vec![interpolate(&z, &values, &[depth], Method::Linear), vec![depth]]
    })?;
    let method = format!("interpolation on the surface of {target} kg m-3");
    columns.output(
        &Levels::None,
        &[quantity, Quantity::new("isopycnal_depth", "m")],
        &computed,
        &method,
        vec![],
    )
}
