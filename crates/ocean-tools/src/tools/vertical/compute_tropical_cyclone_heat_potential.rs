//! `compute_tropical_cyclone_heat_potential`: heat above the 26 degC isotherm.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{ColumnView, Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::{CP0, sea_water};
use crate::kernels::vertical::{self, Occurrence};
use crate::tools::watermass::water_tool::port;
use crate::water::{TemperatureKind, Water, in_celsius};
use crate::{Datasets, evidence};

/// Joule per square metre in a kilojoule per square centimetre.
const KILOJOULE_PER_SQUARE_CENTIMETRE: f64 = 1e7;

/// Heat above an isotherm.
pub(crate) struct ComputeTropicalCycloneHeatPotential;

/// Arguments of `compute_tropical_cyclone_heat_potential`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Temperature, taken as it is.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "degC"}))]
    temp: FieldArgument,
    /// Salinity, with which the density of each level is computed; without it density is `rho0`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: Option<FieldArgument>,
    /// The isotherm, degC.
    #[serde(default = "twenty_six")]
    isotherm: f64,
    /// Density without salinity, kg m-3.
    #[serde(default = "density")]
    #[schemars(range(min = 900.0, max = 1100.0))]
    rho0: f64,
    /// Heat capacity, J kg-1 K-1.
    #[serde(default = "heat_capacity")]
    #[schemars(range(min = 3000.0, max = 5000.0))]
    cp0: f64,
    /// What stands for the values between the levels.
    #[serde(default = "layer_argument::trapezoids")]
    layers: Layers,
}

fn twenty_six() -> f64 {
    26.0
}

fn density() -> f64 {
    1026.0
}

fn heat_capacity() -> f64 {
    CP0
}

impl Computation for ComputeTropicalCycloneHeatPotential {
    const NAME: &'static str = "compute_tropical_cyclone_heat_potential";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Heat above the 26 degC isotherm.", port("kJ cm-2"))
            .description(
                "rho cp times the integral of (T - 26 degC) from the surface to the first depth of the isotherm (Leipper and Volgenau 1972), in kJ cm-2 (1e7 J m-2), with rho 1026 kg m-3, or the TEOS-10 density of each level when salinity is given, and cp 3991.86795711963 J kg-1 K-1. Where the first value is not above the isotherm there is no such heat: 0. Array isotherm_depth holds the depth (missing there); a column warmer down to its last value counts to it and has 1 in array to_last_value.",
            )
            .evidence(&evidence::SERIES)
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
    let temp = in_celsius(&arguments.temp.open(datasets, context)?)?;
    let mut notes = Vec::new();
    let kind = TemperatureKind::of(&temp, &mut notes);
    let lists = |parts: Option<[f64; 3]>| {
        parts.map_or(vec![vec![f64::NAN]; 3], |parts| parts.map(|part| vec![part]).to_vec())
    };
    let (columns, computed, rho) = if let Some(salt) = &arguments.salt {
        let water = Water::new(&temp, &salt.open(datasets, context)?, vec![], None, None)?;
        let computed = water.columns.compute(context, &Levels::None, 3, |view| {
            lists(potential(arguments, view, &water.column(view).map(sea_water::rho)))
        })?;
        notes.extend(water.notes);
        notes.dedup();
        (water.columns, computed, "the density of each level".to_owned())
    } else {
        let columns = Columns::of(vec![temp]);
        let computed = columns.compute(context, &Levels::None, 3, |view| {
            lists(potential(arguments, view, &vec![arguments.rho0; view.depth.len()]))
        })?;
        (columns, computed, format!("{} kg m-3", arguments.rho0))
    };
    columns.need_levels(2)?;
    let method = format!(
        "heat above {} degC of {}, with {rho} and {} J kg-1 K-1",
        arguments.isotherm,
        kind.words(),
        arguments.cp0
    );
    let quantities = [
        Quantity::new("tropical_cyclone_heat_potential", "kJ cm-2"),
        Quantity::new("isotherm_depth", "m"),
        Quantity::new("to_last_value", "1"),
    ];
    columns.output(&Levels::None, &quantities, &computed, &method, notes)
}

/// Heat, depth of the isotherm, and whether the column is warmer down to its last value.
fn potential(arguments: &Arguments, view: &ColumnView<'_>, rho: &[f64]) -> Option<[f64; 3]> {
    let temp = &view.values[0];
    let (z, v) = vertical::present(view.depth, temp);
    if *v.first()? <= arguments.isotherm {
        return Some([0.0, f64::NAN, 0.0]);
    }
    let end = vertical::crossing(view.depth, temp, arguments.isotherm, Occurrence::First);
    let heat: Vec<f64> =
        temp.iter().zip(rho).map(|(temp, rho)| rho * arguments.cp0 * (temp - arguments.isotherm)).collect();
    let part = arguments.layers.integral(view, &heat, 0.0, end.unwrap_or(*z.last()?));
    let to_last = f64::from(u8::from(end.is_none()));
    Some([part.sum / KILOJOULE_PER_SQUARE_CENTIMETRE, end.unwrap_or(f64::NAN), to_last])
}
