//! `regrid_vertical`: a field on other levels.

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::vertical;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// A field on other depths.
pub(crate) struct RegridVertical;

/// Arguments of `regrid_vertical`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// The depths, m, from top to bottom.
    levels: Vec<f64>,
    /// How values between levels are found.
    #[serde(default)]
    method: MethodArgument,
}

/// How values between levels are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MethodArgument {
    /// Straight lines.
    #[default]
    Linear,
    /// Monotone cubic (PCHIP).
    MonotoneCubic,
    /// Akima (1970).
    Akima,
    /// Cubic spline, not-a-knot.
    CubicSpline,
    /// Means over the cells of the new levels, weighted by overlap.
    Conservative,
}

impl Computation for RegridVertical {
    const NAME: &'static str = "regrid_vertical";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Interpolates a field to other depths.", port("=data"))
            .description(
                "Linear, monotone cubic (Fritsch and Butland 1984), Akima (1970) or not-a-knot cubic spline through the levels that have values; or, conservative, the mean over the new cells (bounds half-way, the first from 0) weighted by the thickness that overlaps. Nothing is extrapolated: a depth outside of the data is missing.",
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
    let data = arguments.data.open(datasets, context)?;
    if arguments.levels.is_empty() || arguments.levels.windows(2).any(|pair| pair[1] <= pair[0]) {
        return Err(ToolError::invalid("levels must be depths in m that increase, such as [0, 10, 50, 100]"));
    }
    let quantity = Quantity {
        name: data.variable().identity_name().to_owned(),
        units: crate::series::units_of(&data),
        standard_name: data.standard_name().map(str::to_owned),
    };
    let columns = Columns::of(vec![data]);
    columns.need_levels(2)?;
    let (method, name) = match arguments.method {
        MethodArgument::Linear => (Some(Method::Linear), "linear"),
        MethodArgument::MonotoneCubic => (Some(Method::Pchip), "monotone cubic"),
        MethodArgument::Akima => (Some(Method::Akima), "Akima"),
        MethodArgument::CubicSpline => (Some(Method::CubicSpline), "cubic spline"),
        MethodArgument::Conservative => (None, "conservative"),
    };
    let levels = Levels::At(arguments.levels.clone());
    let cells = vertical::midpoint_bounds(&arguments.levels);
    let computed = columns.compute(context, &levels, 1, |view| {
        let values = &view.values[0];
        if let Some(method) = method {
            let (z, v) = vertical::present(view.depth, values);
            return vec![interpolate(&z, &v, &arguments.levels, method)];
        }
        let mean = |[top, bottom]: &[f64; 2]| {
            let part = vertical::layer_integral(view.bounds, values, *top, *bottom);
            if part.covered > 0.0 { part.sum / part.covered } else { f64::NAN }
        };
        vec![cells.iter().map(mean).collect()]
    })?;
    columns.output(&levels, &[quantity], &computed, &format!("{name} interpolation in depth"), vec![])
}
