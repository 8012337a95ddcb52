//! `compute_local_tendency`: the rate of change of a field.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::TimeAxis;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_series;
use crate::frame::Frame;
use crate::kernels::tendency::tendency;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::Part;
use crate::{Datasets, evidence};

/// The local rate of change.
pub(crate) struct ComputeLocalTendency;

/// Arguments of `compute_local_tendency`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["series", "hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
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
}

impl Computation for ComputeLocalTendency {
    const NAME: &'static str = "compute_local_tendency";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("budget", "Rate of change of a field at each place.", any_array("data day-1"))
            .description(
                "∂C/∂t per day by centred differences on the real times, of second order for any spacing, one-sided at the \
                 ends; missing beside a missing value and across a step longer than 1.5 times the usual one. Of means over \
                 an interval it is smoother than the change from the interval's start to its end, which a closed budget \
                 needs.",
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
        let field = part.open_as_is(&arguments.data, datasets, context)?;
        let days = days_of(&field)?;
        let derived = by_series(&[&field], context, |_, series, out| {
            out.copy_from_slice(&tendency(&series[0], &days));
        })?;
        let name = format!("{}_tendency", field.variable().identity_name());
        let units = per_day(&units_of(&field));
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "centred rate of change per day",
        };
        Ok(read_from(quantity.output(&Frame::of(&field)?, &derived.values), &[&field], &derived.chunks))
    }
}

/// The units of a rate per day.
pub(super) fn per_day(units: &str) -> String {
    if units == "1" { "day-1".to_owned() } else { format!("{units} day-1") }
}

/// The times of a field in days.
///
/// # Errors
/// When it has fewer than two.
pub(super) fn days_of(field: &Field) -> Result<Vec<f64>, ToolError> {
    let several = field.times().filter(|times| times.dates.len() > 1);
    several.map(TimeAxis::elapsed_days).ok_or_else(|| {
        ToolError::invalid(format!(
            "`{}` has fewer than two times, so it has no tendency; choose a longer window",
            field.name()
        ))
    })
}
