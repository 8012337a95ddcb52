//! `compute_steric_height`: steric height.

use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::dynamic_height::steric_height;
use crate::tools::watermass::water_tool::port;
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Steric height of a layer.
pub(crate) struct ComputeStericHeight;

/// Arguments of `compute_steric_height`.
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
    /// Upper and lower pressure of the layer, dbar.
    #[serde(default = "upper_kilometre")]
    pressure_range: [f64; 2],
    /// Gravity, m s-2.
    #[serde(default = "gravity")]
    gravity: f64,
}

fn upper_kilometre() -> [f64; 2] {
    [0.0, 1000.0]
}

/// The standard gravity of TEOS-10.
fn gravity() -> f64 {
    9.7963
}

impl Computation for ComputeStericHeight {
    const NAME: &'static str = "compute_steric_height";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Steric height of a layer between two pressures.", port("m"))
            .description(
                "Trapezoid of the specific volume anomaly (to 35.16504 g kg-1 and 0 degC) over the levels between two pressures, over gravity, in m (TEOS-10). A bound between levels is interpolated. Missing where the column does not reach both bounds.",
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
    water.columns.need_levels(2)?;
    let [upper, lower] = arguments.pressure_range;
    if !(upper < lower && arguments.gravity > 0.0) {
        return Err(ToolError::invalid(
            "pressure_range must be an upper and a larger lower pressure in dbar, and gravity positive",
        ));
    }
    let computed = water.columns.compute(context, &Levels::None, 1, |view| {
        vec![vec![steric_height(water.column(view).column(), upper, lower, arguments.gravity)]]
    })?;
    let method = format!("steric height from {upper} to {lower} dbar relative to 35.16504 g kg-1 and 0 degC");
    water.columns.output(
        &Levels::None,
        &[Quantity::new("steric_height", "m")],
        &computed,
        &method,
        water.notes.clone(),
    )
}
