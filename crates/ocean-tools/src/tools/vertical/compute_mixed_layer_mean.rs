//! `compute_mixed_layer_mean`: a mean over the mixed layer.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::masking::Mask;
use crate::together::in_units;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence, reading};

/// Mean over the mixed layer.
pub(crate) struct ComputeMixedLayerMean;

/// Arguments of `compute_mixed_layer_mean`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Depth of the mixed layer, m, for each column of the data or for all times.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "scalar", "hovmoller"], "unit": "m"}))]
    mixed_layer_depth: FieldArgument,
    /// What stands for the values between the levels.
    #[serde(default)]
    layers: Layers,
    /// Share of the mixed layer that must have values.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

impl Computation for ComputeMixedLayerMean {
    const NAME: &'static str = "compute_mixed_layer_mean";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Mean of a field over the mixed layer, weighted by thickness.", port("=data"))
            .description(
                "Integral from the surface to the mixed layer depth over the thickness that had values, the level at the base counted in part. Array covered holds the share of the mixed layer that had values; below min_coverage, by default the whole, and where there is no mixed layer depth, the mean is missing.",
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
    let data = arguments.data.open(datasets, context)?;
    let base = in_units(&arguments.mixed_layer_depth.open(datasets, context)?, "m")?;
    let depth = Mask::laid(&data, &base, "mixed layer depth")?;
    let own_units = crate::series::units_of(&data);
    let name = data.variable().identity_name().to_owned();
    let columns = Columns::of(vec![data]);
    columns.need_levels(1)?;
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        let bottom = depth.at(view.place);
        if bottom.is_nan() || bottom <= 0.0 {
            return vec![vec![f64::NAN]; 2];
        }
        let part = arguments.layers.integral(view, &view.values[0], 0.0, bottom);
        let is_whole = layer_argument::covered(part, 0.0, bottom, arguments.min_coverage);
        vec![vec![if is_whole { part.sum / part.covered } else { f64::NAN }], vec![part.covered / bottom]]
    })?;
    let quantities =
        [Quantity::new(&format!("{name}_mixed_layer_mean"), &own_units), Quantity::new("covered", "1")];
    let notes = reading::notes(&base);
    columns.output(
        &Levels::None,
        &quantities,
        &computed,
        "mean from the surface to the mixed layer depth",
        notes,
    )
}
