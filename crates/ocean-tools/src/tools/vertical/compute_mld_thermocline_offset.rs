//! `compute_mld_thermocline_offset`: distance between the mixed layer and the thermocline.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::Frame;
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::{in_units, one_grid};
use crate::{Datasets, evidence};

/// Thermocline depth less mixed layer depth.
pub(crate) struct ComputeMldThermoclineOffset;

/// Arguments of `compute_mld_thermocline_offset`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Depth of the mixed layer, m.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "m"}))]
    mixed_layer_depth: FieldArgument,
    /// Depth of the thermocline, m, on the same grid.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "m"}))]
    thermocline_depth: FieldArgument,
}

impl Computation for ComputeMldThermoclineOffset {
    const NAME: &'static str = "compute_mld_thermocline_offset";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["thermocline_above"]].concat();
        ToolSpec::new("vertical", "Thermocline depth less mixed layer depth.", any_array("m"))
            .description(
                "The signed distance in m: positive where the thermocline is below the base of the mixed layer, negative where it is above. `thermocline_above` is the share of the values that are negative.",
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
    let open = |field: &FieldArgument| in_units(&field.open(datasets, context)?, "m");
    let (mixed, thermocline) = (open(&arguments.mixed_layer_depth)?, open(&arguments.thermocline_depth)?);
    one_grid(&[&mixed, &thermocline])?;
    let derived = by_cell(&[&mixed, &thermocline], context, |_, cell| cell[1] - cell[0])?;
    let quantity = Quantity {
        name: "mld_thermocline_offset",
        standard_name: None,
        units: "m",
        method: "thermocline depth less mixed layer depth",
    };
    let output = quantity.output(&Frame::of(&mixed)?, &derived.values);
    let n = derived.values.iter().filter(|value| !value.is_nan()).count();
    let above = derived.values.iter().filter(|&&value| value < 0.0).count();
    let draft = EvidenceDraft::new(
        "thermocline_above",
        above as f64 / n as f64,
        "1",
        "share of the values with the thermocline above the base of the mixed layer",
    )
    .n(n);
    Ok(read_from(output.with_evidence([draft]), &[&mixed, &thermocline], &derived.chunks))
}
