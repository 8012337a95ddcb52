//! `compute_nutrient_ratio`: nitrate over phosphate, and the excess of nitrate.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::cf::{Conversion, Unit};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::substance::Substance;
use crate::together::one_grid;
use crate::{Datasets, evidence};

/// Nitrate that goes with a phosphate (Redfield, Ketchum and Richards 1963).
const REDFIELD: f64 = 16.0;
/// Constant that makes the mean of N* 0 in the ocean, umol kg-1.
const CONSTANT: f64 = 2.9;
/// Factor of the original form.
const FACTOR: f64 = 0.87;

/// Nitrate over phosphate, and N*.
pub(crate) struct ComputeNutrientRatio;

/// Arguments of `compute_nutrient_ratio`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Nitrate, as moles or mass of N in a volume, or moles in a mass of water.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    nitrate: FieldArgument,
    /// Phosphate, likewise of P.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    phosphate: FieldArgument,
    /// Density of the water, kg m-3, with which amounts in a mass of water become those in a volume.
    #[serde(default = "density")]
    #[schemars(range(min = 990.0, max = 1070.0))]
    density: f64,
    /// Which N*.
    #[serde(default)]
    form: Form,
}

/// Which N*.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Form {
    /// NO3 - 16 PO4 + 2.9 umol kg-1.
    #[default]
    Plain,
    /// 0.87 times that, as Gruber and Sarmiento (1997) have it.
    GruberSarmiento,
}

fn density() -> f64 {
    1025.0
}

impl Computation for ComputeNutrientRatio {
    const NAME: &'static str = "compute_nutrient_ratio";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["n_star_mean", "n_star_min", "n_star_max"]].concat();
        ToolSpec::new("watermass", "Nitrate over phosphate, and the excess nitrate N*.", port("1"))
            .description(
                "The molar ratio N:P, missing where phosphate is not positive, and array n_star: N* = NO3 - 16 PO4 + 2.9 umol kg-1 in mmol m-3 (after Gruber and Sarmiento 1997, Global Biogeochemical Cycles 11, 235-266, whose form has the factor 0.87 besides), the constant made 2.9 rho / 1000 mmol m-3 with the stated density (2.9725 for 1025 kg m-3). Positive N* is more nitrate than 16 to 1.",
            )
            .evidence(&names)
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
    let nitrate = arguments.nitrate.open(datasets, context)?;
    let phosphate = arguments.phosphate.open(datasets, context)?;
    one_grid(&[&nitrate, &phosphate])?;
    let n = in_a_volume(&nitrate, Substance::N, arguments.density)?;
    let p = in_a_volume(&phosphate, Substance::P, arguments.density)?;
    let constant = CONSTANT * arguments.density / 1000.0;
    let factor = if arguments.form == Form::GruberSarmiento { FACTOR } else { 1.0 };
    let columns = Columns::of(vec![nitrate, phosphate]);
    let computed = columns.compute(context, &Levels::Same, 2, |view| {
        let pairs = || {
            view.values[0].iter().zip(&view.values[1]).map(|(&own, &other)| (n.apply(own), p.apply(other)))
        };
        let ratio = pairs().map(|(n, p)| if p > 0.0 { n / p } else { f64::NAN }).collect();
        vec![ratio, pairs().map(|(n, p)| factor * (n - REDFIELD * p + constant)).collect()]
    })?;
    let quantities = [Quantity::new("nitrate_to_phosphate_ratio", "1"), Quantity::new("n_star", "mmol m-3")];
    let output = columns.output(
        &Levels::Same,
        &quantities,
        &computed,
        "molar ratio of nitrate to phosphate",
        vec![],
    )?;
    let stars = || computed.arrays[1].iter().copied().filter(|own| !own.is_nan());
    let n = stars().count();
    let or_none = |value: f64| if n > 0 { value } else { f64::NAN };
    let form = format!("{factor} (NO3 - 16 PO4 + {constant} mmol m-3)");
    let draft = |name: &str, value: f64, how: &str| {
        EvidenceDraft::new(name, or_none(value), "mmol m-3", &format!("{how} of N* = {form}")).n(n)
    };
    Ok(output.with_evidence([
        draft("n_star_mean", stars().sum::<f64>() / n as f64, "plain mean over the cells"),
        draft("n_star_min", stars().fold(f64::INFINITY, f64::min), "smallest value"),
        draft("n_star_max", stars().fold(f64::NEG_INFINITY, f64::max), "largest value"),
    ]))
}

/// What turns a field into mmol m-3.
fn in_a_volume(field: &Field, substance: Substance, density: f64) -> Result<Conversion, ToolError> {
    let refuse = |error: String| {
        ToolError::invalid(format!("`{}` cannot be given in mmol m-3: {error}", field.name()))
    };
    let from: Unit = field.units().parse().map_err(|error| refuse(format!("{error}")))?;
    let to: Unit = "mmol m-3".parse().map_err(|error| refuse(format!("{error}")))?;
    Ok(substance.conversion(&from, &to, Some(density)).map_err(refuse)?.0)
}
