//! `compute_coverage`: how much of a field is there.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::frame::{Frame, any_grid};
use crate::{Datasets, evidence, reading};

/// Shares of valid data.
pub(crate) struct ComputeCoverage;

/// Arguments of `compute_coverage`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// What the share is given for: each time, each cell, or each level.
    #[serde(default)]
    by: By,
}

/// What a share is given for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum By {
    /// Each time: share of the wet places that have a value then.
    #[default]
    Time,
    /// Each cell: share of the times and levels that have a value.
    Space,
    /// Each level: share of the wet places and times that have a value.
    Depth,
}

impl Computation for ComputeCoverage {
    const NAME: &'static str = "compute_coverage";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Share of valid data by time, cell or level.", any_grid().unit("1"))
            .description(
                "Values that are there over those that could be. A place is wet when it has a value at any time; land counts \
                 neither above nor below the line, a gap counts below it.",
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
        let [times, levels, rows, columns] = field.full_shape();
        // Values at each place over time, and at each time and level over places.
        let mut places = Array4::<f64>::zeros([1, levels, rows, columns]);
        let mut layers = Array4::<f64>::zeros([times, levels, 1, 1]);
        let chunks = field
            .walk(
                &reading::control(context),
                |block| {
                    let (t, z, y, x) = block.values.dim();
                    let (mut places, mut layers) = (Array4::zeros([1, z, y, x]), Array4::zeros([t, z, 1, 1]));
                    for ((t, z, y, x), value) in block.values.indexed_iter() {
                        if !value.is_nan() {
                            places[[0, z, y, x]] += 1.0;
                            layers[[t, z, 0, 0]] += 1.0;
                        }
                    }
                    (block.offset, places, layers)
                },
                |([ot, oz, oy, ox], part, other): (_, Array4<f64>, Array4<f64>)| {
                    for ((_, z, y, x), count) in part.indexed_iter() {
                        places[[0, oz + z, oy + y, ox + x]] += count;
                    }
                    for ((t, z, _, _), count) in other.indexed_iter() {
                        layers[[ot + t, oz + z, 0, 0]] += count;
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let wet_at = |z: usize| {
            places.index_axis(ndarray::Axis(1), z).iter().filter(|count| **count > 0.0).count() as f64
        };
        let wet: Vec<f64> = (0..levels).map(wet_at).collect();
        let share = |have: f64, could: f64| if could > 0.0 { have / could } else { f64::NAN };
        let frame = Frame::of(&field)?;
        let (frame, values) = match arguments.by {
            By::Time => {
                let could: f64 = wet.iter().sum();
                let of = |t: usize| share((0..levels).map(|z| layers[[t, z, 0, 0]]).sum(), could);
                let frame = frame.without_depth().without_lat().without_lon();
                (frame, Array4::from_shape_fn([times, 1, 1, 1], |(t, ..)| of(t)))
            }
            By::Depth => {
                let of =
                    |z: usize| share((0..times).map(|t| layers[[t, z, 0, 0]]).sum(), wet[z] * times as f64);
                let frame = frame.without_time().without_lat().without_lon();
                (frame, Array4::from_shape_fn([1, levels, 1, 1], |(_, z, ..)| of(z)))
            }
            By::Space => {
                let of = |y: usize, x: usize| {
                    let counts: Vec<f64> = (0..levels).map(|z| places[[0, z, y, x]]).collect();
                    let could = counts.iter().filter(|count| **count > 0.0).count() * times;
                    share(counts.iter().sum(), could as f64)
                };
                let frame = frame.without_time().without_depth();
                (frame, Array4::from_shape_fn([1, 1, rows, columns], |(_, _, y, x)| of(y, x)))
            }
        };
        let variable = frame.variable("coverage", "1", &values);
        let drafts = frame.evidence(&variable.values, "1", "share of valid data", None);
        let artifact =
            frame.artifact("coverage", variable).with_attribute("method", "valid values over wet places");
        Ok(ToolOutput::of(artifact).with_evidence(drafts).with_source(reading::source(&field, &chunks)))
    }
}
