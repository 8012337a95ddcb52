//! `compute_light_attenuation`: euphotic depth and attenuation from chlorophyll.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::light;
use crate::together::in_units;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Light in the water by its chlorophyll.
pub(crate) struct ComputeLightAttenuation;

/// Arguments of `compute_light_attenuation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Chlorophyll; of a column its uppermost value is taken.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "mg m-3"}))]
    chlorophyll: FieldArgument,
}

impl Computation for ComputeLightAttenuation {
    const NAME: &'static str = "compute_light_attenuation";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Euphotic depth and attenuation of light from chlorophyll.", port("m"))
            .description(
                "By Morel et al. (2007, Remote Sensing of Environment 111, 69-88) from the chlorophyll C of the surface in mg m-3, for open-ocean water in which all else follows chlorophyll: the euphotic depth (1 % of the surface light) in m, log10 Zeu = 1.524 - 0.436 X - 0.0145 X2 + 0.0186 X3 with X = log10 C; array kd_490 is Kd(490) = 0.0166 + 0.0773 C^0.6715, kd_par the mean Kd(PAR) over two optical depths, 0.0665 + 0.874 Kd(490) - 0.00121 / Kd(490), and kd_par_one that over one, 0.0864 + 0.884 Kd(490) - 0.00137 / Kd(490), in m-1. Chlorophyll of 0 or less has no logarithm and is missing; fits were made from 0.02 to 30 mg m-3.",
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
    let chlorophyll = in_units(&arguments.chlorophyll.open(datasets, context)?, "mg m-3")?;
    let columns = Columns::of(vec![chlorophyll]);
    let computed = columns.compute(context, &Levels::None, 4, |view| {
        let surface = view.values[0].iter().copied().find(|value| !value.is_nan()).unwrap_or(f64::NAN);
        let kd = light::kd_490(surface);
        [light::euphotic_depth(surface), light::kd_par_two(kd), light::kd_par_one(kd), kd]
            .map(|part| vec![part])
            .to_vec()
    })?;
    let quantities = [("euphotic_depth", "m"), ("kd_par", "m-1"), ("kd_par_one", "m-1"), ("kd_490", "m-1")]
        .map(|(name, units)| Quantity::new(name, units));
    let method = "euphotic depth from chlorophyll of the surface (Morel et al. 2007)";
    columns.output(&Levels::None, &quantities, &computed, method, vec![])
}
