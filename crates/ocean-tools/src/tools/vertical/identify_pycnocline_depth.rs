//! `identify_pycnocline_depth`: the depth of the pycnocline.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Depth of the pycnocline.
pub(crate) struct IdentifyPycnoclineDepth;

/// Arguments of `identify_pycnocline_depth`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    density: FieldArgument,
    /// The smallest gradient that counts, of the data over m.
    #[serde(default = "min_gradient")]
    min_gradient: f64,
    /// The depth from which on gradients count, m.
    #[serde(default)]
    below_depth: f64,
    /// Whether a parabola through three gradients refines the depth.
    #[serde(default = "yes")]
    refine: bool,
}

impl Arguments {
    /// The usual arguments for a field.
    pub(super) fn of(density: FieldArgument) -> Self {
        Self { density, min_gradient: min_gradient(), below_depth: 0.0, refine: yes() }
    }
}

fn min_gradient() -> f64 {
    0.02
}

fn yes() -> bool {
    true
}

impl Computation for IdentifyPycnoclineDepth {
    const NAME: &'static str = "identify_pycnocline_depth";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Depth of the pycnocline.", port("m"))
            .description(
                "Depth of the largest gradient by size between neighbouring levels, at their middle or, with refine, at the top of a parabola through it and its neighbours; in m. Array gradient holds the gradient with its sign (kg m-3 m-1, positive when the value increases downwards). Missing where the largest gradient is smaller than min_gradient (0.02 by default).",
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
    let field = arguments.density.open(datasets, context)?;
    let units = format!("{} m-1", crate::series::units_of(&field));
    let columns = Columns::of(vec![field]);
    columns.need_levels(3)?;
    let (below, refine) = (arguments.below_depth, arguments.refine);
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        let found = vertical::steepest(view.depth, &view.values[0], below, refine)
            .filter(|found| found.gradient.abs() >= arguments.min_gradient);
        found.map_or(vec![vec![f64::NAN]; 2], |found| vec![vec![found.depth], vec![found.gradient]])
    })?;
    let quantities = [Quantity::new("pycnocline_depth", "m"), Quantity::new("gradient", &units)];
    columns.output(&Levels::None, &quantities, &computed, "depth of the largest gradient", vec![])
}
