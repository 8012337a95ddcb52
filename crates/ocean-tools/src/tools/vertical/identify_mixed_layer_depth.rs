//! `identify_mixed_layer_depth`: the depth of the mixed layer.

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical;
use crate::kernels::vertical::{Departure, MixedLayer};
use crate::tools::watermass::water_tool::port;
use crate::water::in_celsius;
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Mixed layer depth by a threshold.
pub(crate) struct IdentifyMixedLayerDepth;

/// Arguments of `identify_mixed_layer_depth`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// For the density criterion.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller"], "unit": "kg m-3"}))]
    pub(super) density: Option<FieldArgument>,
    /// For the temperature criterion.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller"], "unit": "any"}))]
    pub(super) temp: Option<FieldArgument>,
    /// Density if it is given, else temperature.
    #[serde(default)]
    pub(super) criterion: Option<Criterion>,
    /// 0.03 kg m-3 or 0.2 K if absent.
    #[serde(default)]
    pub(super) threshold: Option<f64>,
    /// Depth of the reference value, m.
    #[serde(default = "ten")]
    pub(super) reference_depth: f64,
}

/// What departs from its value at the reference depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Criterion {
    /// An increase of density.
    Density,
    /// A change of temperature to either side.
    Temperature,
}

pub(super) fn ten() -> f64 {
    10.0
}

impl Computation for IdentifyMixedLayerDepth {
    const NAME: &'static str = "identify_mixed_layer_depth";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Mixed layer depth by a threshold of density or temperature.", port("m"))
            .description(
                "The first depth below the reference depth (10 m) where potential density exceeds its value there by 0.03 kg m-3, or temperature differs by 0.2 K, linear between levels (de Boyer Montegut et al. 2004, Journal of Geophysical Research 109, C12003); in m. The reference value is interpolated; a column that begins deeper takes its first value. A column mixed to its last level gets the depth of that level and 1 in array mixed_to_bottom.",
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
    let criterion = arguments.criterion.unwrap_or(if arguments.density.is_some() {
        Criterion::Density
    } else {
        Criterion::Temperature
    });
    let (field, departure, usual, unit) = match criterion {
        Criterion::Density => (&arguments.density, Departure::Increase, 0.03, "kg m-3"),
        Criterion::Temperature => (&arguments.temp, Departure::Absolute, 0.2, "K"),
    };
    let field = field.as_ref().ok_or_else(|| {
        ToolError::invalid("the criterion needs its field: give density for density, or temp for temperature")
    })?;
    let field = field.open(datasets, context)?;
    let field = if criterion == Criterion::Temperature { in_celsius(&field)? } else { field };
    let threshold = arguments.threshold.unwrap_or(usual);
    if threshold.is_nan() || threshold <= 0.0 {
        return Err(ToolError::invalid(format!(
            "threshold is {threshold}; it must be positive, such as {usual}"
        )));
    }
    let reference = arguments.reference_depth;
    let columns = Columns::of(vec![field]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        match vertical::mixed_layer(view.depth, &view.values[0], reference, threshold, departure) {
            Some(MixedLayer::To(depth)) => vec![vec![depth], vec![0.0]],
            Some(MixedLayer::WholeColumn(depth)) => vec![vec![depth], vec![1.0]],
            None => vec![vec![f64::NAN]; 2],
        }
    })?;
    let method = format!("mixed layer depth, {threshold} {unit} from {reference} m");
    let quantities =
        [Quantity::standard("ocean_mixed_layer_thickness", "m"), Quantity::new("mixed_to_bottom", "1")];
    columns.output(&Levels::None, &quantities, &computed, &method, vec![])
}
