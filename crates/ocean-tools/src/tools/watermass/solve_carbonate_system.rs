//! `solve_carbonate_system`: acidity, partial pressure and saturation from two variables of the carbonate system.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::oxygen_columns::amount_in;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::columns::Levels;
use crate::computation::Computation;
use crate::kernels::carbonate::{Constants, State, Variable, solve};
use crate::kernels::teos10::{sea_water, temperature};
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::in_units;
use crate::water::{SalinityKind, TemperatureKind, Water};

/// The whole carbonate system from two variables of it.
pub(crate) struct SolveCarbonateSystem;

/// Arguments of `solve_carbonate_system`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// One variable.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    par1: FieldArgument,
    /// Which it is.
    par1_type: Kind,
    /// Another variable.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    par2: FieldArgument,
    /// Which it is.
    par2_type: Kind,
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
}

/// A variable of the carbonate system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// Total alkalinity, umol kg-1 or mmol m-3.
    Alkalinity,
    /// Dissolved inorganic carbon, umol kg-1 or mmol m-3.
    Dic,
    /// pH on the total scale.
    Ph,
    /// Partial pressure of carbon dioxide, uatm or Pa.
    Pco2,
}

impl Kind {
    fn variable(self) -> Variable {
        match self {
            Self::Alkalinity => Variable::Alkalinity,
            Self::Dic => Variable::Dic,
            Self::Ph => Variable::Ph,
            Self::Pco2 => Variable::Pco2,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Alkalinity => "alkalinity",
            Self::Dic => "dissolved inorganic carbon",
            Self::Ph => "pH",
            Self::Pco2 => "pCO2",
        }
    }

    /// The field in the unit of the kernel; the flag says whether it is per volume, in mmol m-3.
    fn read(self, field: &Field) -> Result<(Field, bool), ToolError> {
        match self {
            Self::Alkalinity => amount_in(field, "alkalinity"),
            Self::Dic => amount_in(field, "dissolved carbon"),
            // Files say `1`, nothing or the name of a scale.
            Self::Ph => Ok((field.clone(), false)),
            Self::Pco2 => Ok((in_units(field, "uatm")?, false)),
        }
    }
}

/// Outputs with their units and standard names.
const PARTS: [(&str, &str, Option<&str>); 6] = [
    ("ph", "1", Some("sea_water_ph_reported_on_total_scale")),
    ("pco2", "uatm", None),
    ("aragonite_saturation", "1", None),
    ("alkalinity", "umol kg-1", None),
    ("dic", "umol kg-1", None),
    ("carbonate", "umol kg-1", None),
];

impl Computation for SolveCarbonateSystem {
    const NAME: &'static str = "solve_carbonate_system";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new(
            "watermass",
            "pH, pCO2 and the saturation of aragonite from two carbonate variables.",
            any_array("any"),
        )
        .description(
            "Equilibrium at the temperature and pressure of each cell with the constants of CO2SYS: carbonic acid of Lueker \
             et al. (2000), bisulfate and boric acid of Dickson (1990), hydrogen fluoride of Dickson and Riley (1979), water \
             of Millero (1995), borate of Uppström (1974), aragonite of Mucci (1983), effect of pressure of Millero (1995); \
             carbon dioxide of Weiss (1974) at one atmosphere. No nutrients. pH is on the total scale, given and made. \
             Amounts in mmol m-3 are divided by the potential density. Where the two have no common solution all are missing.",
        )
        .purity(Purity::ReadsData);
        parts_spec(spec, &PARTS.map(|part| part.0), "any")
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
    let kinds = [arguments.par1_type, arguments.par2_type];
    if kinds[0] == kinds[1] {
        return Err(ToolError::invalid(
            "par1_type and par2_type are the same and two different variables are needed, such as alkalinity and dic",
        ));
    }
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let (first, is_first_by_volume) = kinds[0].read(&arguments.par1.open(datasets, context)?)?;
    let (second, is_second_by_volume) = kinds[1].read(&arguments.par2.open(datasets, context)?)?;
    let more = vec![first.clone(), second.clone()];
    let water = Water::new(&temp, &salt, more, arguments.temperature_kind, arguments.salinity_kind)?;
    let computed = water.columns.compute(context, &Levels::Same, PARTS.len(), |view| {
        let column = water.column(view);
        let states: Vec<_> = (0..column.p.len())
            .map(|at| {
                let (sa, ct, p) = (column.sa[at], column.ct[at], column.p[at]);
                let constants = Constants::at(temperature::t_from_ct(sa, ct, p), column.sp[at], p);
                let amount = |own: f64, by_volume: bool| {
                    if by_volume { own * 1000.0 / sea_water::rho(sa, ct, 0.0) } else { own }
                };
                let known = [
                    (kinds[0].variable(), amount(view.values[2][at], is_first_by_volume)),
                    (kinds[1].variable(), amount(view.values[3][at], is_second_by_volume)),
                ];
                solve(&constants, known)
            })
            .collect();
        let all: [fn(&State) -> f64; 6] = [
            |own| own.ph,
            |own| own.pco2,
            |own| own.aragonite,
            |own| own.alkalinity,
            |own| own.dic,
            |own| own.carbonate,
        ];
        all.iter().map(|value| states.iter().map(value).collect()).collect()
    })?;
    let method = format!(
        "carbonate system of {} and {} at the temperature and pressure of the cell, total scale, constants of Lueker et al. \
         (2000)",
        kinds[0].words(),
        kinds[1].words()
    );
    let frame = water.columns.frame(&Levels::Same)?;
    let parts: Vec<_> = PARTS
        .iter()
        .zip(&computed.arrays)
        .map(|(&(name, units, standard_name), values)| {
            (name, Quantity { name, standard_name, units, method: &method }, values)
        })
        .collect();
    let output = parts_output(&frame, &parts);
    Ok(read_from(output, &[&temp, &salt, &first, &second], &computed.chunks).with_notes(water.notes.clone()))
}
