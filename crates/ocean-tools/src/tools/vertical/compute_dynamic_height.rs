//! `compute_dynamic_height`: dynamic height anomaly.

use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::dynamic_height::dynamic_height;
use crate::kernels::teos10::sea_water;
use crate::tools::watermass::water_tool::port;
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Dynamic height relative to a pressure.
pub(crate) struct ComputeDynamicHeight;

/// Arguments of `compute_dynamic_height`.
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
    /// Pressure of no dynamic height, dbar; 1000 without a depth.
    #[serde(default)]
    reference_pressure: Option<f64>,
    /// Depth of no dynamic height in place of the pressure, m.
    #[serde(default)]
    reference_depth: Option<f64>,
}

/// Where the dynamic height is none.
#[derive(Debug, Clone, Copy)]
enum Reference {
    /// At a pressure, dbar.
    Pressure(f64),
    /// At a depth, m, which is another pressure at each latitude.
    Depth(f64),
}

impl Reference {
    fn of(arguments: &Arguments) -> Result<Self, ToolError> {
        match (arguments.reference_pressure, arguments.reference_depth) {
            (pressure, None) => Ok(Self::Pressure(pressure.unwrap_or(1000.0))),
            (None, Some(depth)) => Ok(Self::Depth(depth)),
            (Some(_), Some(_)) => {
                Err(ToolError::invalid("give reference_pressure or reference_depth, not both"))
            }
        }
    }

    fn pressure(self, lat: f64) -> f64 {
        match self {
            Self::Pressure(pressure) => pressure,
            Self::Depth(depth) => sea_water::pressure(depth, lat),
        }
    }
}

impl Computation for ComputeDynamicHeight {
    const NAME: &'static str = "compute_dynamic_height";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Dynamic height anomaly relative to a pressure or a depth.", port("m2 s-2"))
            .description(
                "Integral of the specific volume anomaly (to 35.16504 g kg-1 and 0 degC) from each level to the reference pressure, or to that of the reference depth, in m2 s-2 (TEOS-10 section 3.27), with monotone cubics of salinity and temperature in pressure and steps of 1 dbar. Missing where the column does not reach the reference.",
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
    let reference = Reference::of(arguments)?;
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        vec![dynamic_height(water.column(view).column(), reference.pressure(view.lat))]
    })?;
    let method = match reference {
        Reference::Pressure(p) => format!("dynamic height anomaly relative to {p} dbar"),
        Reference::Depth(depth) => format!("dynamic height anomaly relative to the pressure at {depth} m"),
    };
    water.columns.output(
        &Levels::Same,
        &[Quantity::new("dynamic_height_anomaly", "m2 s-2")],
        &computed,
        &method,
        water.notes.clone(),
    )
}
