//! `compute_bottom_index`: the deepest wet level of each column.

use leg_core::{EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::bottom::deepest_levels;
use crate::computation::Computation;
use crate::frame::Frame;
use crate::{Datasets, reading};

/// Finds the bottom of each column from the data.
pub(crate) struct ComputeBottomIndex;

/// Arguments of `compute_bottom_index`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
}

impl Computation for ComputeBottomIndex {
    const NAME: &'static str = "compute_bottom_index";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Map).dims(&["lat", "lon"]).unit("m");
        ToolSpec::new("data", "Depth and level of the deepest wet cell of each column.", port)
            .description(
                "The deepest level that has a value at any time of the field: a static mask, so that a gap at the bottom at \
                 one time does not move it. `level` counts from 0 at the top; the depth is that of the cell's centre and \
                 `floor` its lower edge. A column without any value is missing.",
            )
            .evidence(&["min", "max", "mean", "n", "n_dry"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let Some(depths) = field.depths().filter(|_| field.lats().is_some() && field.lons().is_some()) else {
            return Err(ToolError::invalid(format!(
                "`{}` has no depth, latitude and longitude axes; select all levels with depth \"column\"",
                field.name()
            )));
        };
        let (deepest, chunks) = deepest_levels(&field, context)?;
        let frame = Frame::of(&field)?.without_time().without_depth();
        let map = |of: &dyn Fn(usize) -> f64| {
            Array4::from_shape_fn(frame.full_shape(), |(_, _, y, x)| deepest[[y, x]].map_or(f64::NAN, of))
        };
        let main = frame.variable("bottom_depth", "m", &map(&|level| depths.values[level]));
        let mut drafts = frame.evidence(&main.values, "m", "depth of the deepest wet cell", None);
        let dry = deepest.iter().filter(|level| level.is_none()).count();
        drafts.push(EvidenceDraft::new("n_dry", dry as u64, "1", "number of columns without any value"));
        let artifact = frame
            .artifact("bottom_depth", main)
            .with_variable(frame.variable("level", "1", &map(&|level| level as f64)))
            .with_variable(frame.variable("floor", "m", &map(&|level| depths.bounds[level][1])))
            .with_attribute("method", "deepest level with a value at any time");
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &chunks)))
    }
}
