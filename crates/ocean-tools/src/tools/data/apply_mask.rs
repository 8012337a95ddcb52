//! `apply_mask`: blanks a field where a mask is not true.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::masking::Mask;
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// Blanks a field where a mask is not true.
pub(crate) struct ApplyMask;

/// Arguments of `apply_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// What `build_threshold_mask` and its kin return; an axis that it lacks holds for all places of the field's.
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    mask: FieldArgument,
    /// What stands where the mask is false or missing; missing if absent.
    #[serde(default)]
    fill_value: Option<f64>,
}

impl Computation for ApplyMask {
    const NAME: &'static str = "apply_mask";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Blanks a field where a mask is not true.", any_grid().unit("=data"))
            .description(
                "Keeps a value where the mask is true, and puts the fill value (missing by default) where it is false or \
                 missing. Axes of the mask are matched by name; its coordinates must be those of the field.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let mask = Mask::over(&field, &arguments.mask, datasets, context)?;
        let fill = arguments.fill_value.unwrap_or(f64::NAN);
        let masked =
            by_cell(&[&field], context, |place, cell| if mask.holds(place) { cell[0] } else { fill })?;
        let frame = Frame::of(&field)?;
        let name = field.variable().identity_name();
        let mut variable = frame.variable(name, &units_of(&field), &masked.values);
        variable.standard_name = field.standard_name().map(str::to_owned);
        let drafts = frame.evidence(&variable.values, &variable.units, "field under the mask", None);
        let artifact =
            frame.artifact(name, variable).with_attribute("method", "values where the mask is true");
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &masked.chunks[0])))
    }
}
