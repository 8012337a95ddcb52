//! `extract_4d_subset`: a part of a field, read into memory.

use leg_core::{Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::{Frame, any_grid};
use crate::series::units_of;
use crate::{Datasets, evidence, reading};

/// Cuts a field and reads it.
pub(crate) struct Extract4dSubset;

/// Arguments of `extract_4d_subset`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Positions of the times to keep, from 0, after the window.
    #[serde(default)]
    time_indices: Option<Vec<usize>>,
}

impl Computation for Extract4dSubset {
    const NAME: &'static str = "extract_4d_subset";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = any_grid().unit("=data");
        ToolSpec::new("data", "Part of a field, read into memory.", port)
            .description(
                "Cuts a field by region, time and depth, by coordinate and with both ends, and reads its values. Times \
                 rise, depths go down, latitudes run from south to north and longitudes from west to east.",
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
        let mut field = narrow(
            &field,
            arguments.region.as_ref().map(|region| &region.0),
            arguments.depth.as_ref().map(|depth| &depth.0),
            arguments.time.as_ref().map(|window| &window.0),
        )?;
        if let Some(positions) = &arguments.time_indices {
            let length = field.full_shape()[0];
            field = field
                .at_times(positions)
                .filter(|cut| cut.full_shape()[0] == positions.len())
                .ok_or_else(|| {
                    ToolError::new(
                        ToolErrorKind::NoData,
                        format!(
                            "time_indices must be positions from 0 to {}, and the field needs times",
                            length.max(1) - 1
                        ),
                    )
                })?;
        }
        let read = by_cell(&[&field], context, |_, cell| cell[0])?;
        let frame = Frame::of(&field)?;
        let name = field.variable().identity_name();
        let mut variable = frame.variable(name, &units_of(&field), &read.values);
        variable.standard_name = field.standard_name().map(str::to_owned);
        let drafts = frame.evidence(&variable.values, &variable.units, "selected values", None);
        let artifact = frame.artifact(name, variable).with_attribute("method", "selection");
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &read.chunks[0])))
    }
}
