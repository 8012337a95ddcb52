//! `compute_vertical_integral`: an integral over depth.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Integral over a layer.
pub(crate) struct ComputeVerticalIntegral;

/// Arguments of `compute_vertical_integral`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Upper and lower depth, m.
    depth_range: [f64; 2],
    /// What stands for the values between the levels.
    #[serde(default)]
    layers: Layers,
    /// Share of the layer that must have values.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

impl Computation for ComputeVerticalIntegral {
    const NAME: &'static str = "compute_vertical_integral";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Integral of a field over a layer.", port("data m"))
            .description(
                "Sum of values times the thickness that each level has inside of the layer, in the units of the data times m; the sign is that of the data. Array covered holds the share of the layer that had values; below min_coverage, by default the whole, the integral is missing.",
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
    layer_argument::check(arguments.depth_range, arguments.min_coverage)?;
    let [top, bottom] = arguments.depth_range;
    let data = arguments.data.open(datasets, context)?;
    let own_units = crate::series::units_of(&data);
    let name = data.variable().identity_name().to_owned();
    let columns = Columns::of(vec![data]);
    columns.need_levels(1)?;
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        let part = arguments.layers.integral(view, &view.values[0], top, bottom);
        let is_whole = layer_argument::covered(part, top, bottom, arguments.min_coverage);
        vec![vec![if is_whole { part.sum } else { f64::NAN }], vec![part.covered / (bottom - top)]]
    })?;
    let method = format!("integral from {top} to {bottom} m");
    let quantities = [
        Quantity::new(
            &format!("{name}_integral"),
            &crate::tools::timeseries::compute_area_weighted_mean::times_metres(&own_units),
        ),
        Quantity::new("covered", "1"),
    ];
    columns.output(&Levels::None, &quantities, &computed, &method, vec![])
}
