//! `compute_vertical_advection`: what vertical motion brings to each place.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_local_tendency::per_day;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_column;
use crate::frame::Frame;
use crate::kernels::tendency::vertical_advection;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::{Part, column_axis, one_grid};
use crate::{Datasets, evidence};

/// Advection by vertical velocity.
pub(crate) struct ComputeVerticalAdvection;

/// Arguments of `compute_vertical_advection`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Tracer.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section"], "dims": ["time?", "depth", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Vertical velocity, positive upwards, on the levels of the tracer.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section"], "dims": ["time?", "depth", "lat?", "lon?"], "unit": "m s-1"}))]
    w_data: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
}

impl Computation for ComputeVerticalAdvection {
    const NAME: &'static str = "compute_vertical_advection";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("budget", "Tendency of a tracer by vertical motion.", any_array("data day-1"))
            .description(
                "−w ∂C/∂z per day with w and z positive upwards, at the levels: differences centred for any spacing, \
                 one-sided at the ends of a column and beside missing values. Both fields must stand on one grid.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let tracer = part.open_as_is(&arguments.data, datasets, context)?;
        let w = part.open(&arguments.w_data, "m s-1", datasets, context)?;
        one_grid(&[&tracer, &w])?;
        let depth = column_axis(&tracer)?;
        let derived = by_column(&[&tracer, &w], context, depth.len(), |_, columns, out| {
            out.copy_from_slice(&vertical_advection(&columns[0], &columns[1], &depth));
        })?;
        let name = format!("{}_vertical_advection", tracer.variable().identity_name());
        let units = per_day(&units_of(&tracer));
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "vertical advection −w ∂C/∂z per day, w positive upwards",
        };
        Ok(read_from(quantity.output(&Frame::of(&tracer)?, &derived.values), &[&tracer, &w], &derived.chunks))
    }
}
