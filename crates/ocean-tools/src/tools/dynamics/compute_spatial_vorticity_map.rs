//! `compute_spatial_vorticity_map`: relative vorticity, reduced over time and depth.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{CoastsArgument, DERIVATIVES, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::collapse::{self, Statistic};
use crate::outcome::{Quantity, read_from};
use crate::together::Part;
use crate::{Datasets, evidence};

/// A map of relative vorticity.
pub(crate) struct ComputeSpatialVorticityMap;

/// Arguments of `compute_spatial_vorticity_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What becomes of the times.
    #[serde(default)]
    time_aggregation: Aggregation,
    /// What becomes of several levels, before the times; a mean weighs them by thickness.
    #[serde(default)]
    depth_aggregation: DepthAggregation,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

/// What becomes of the times.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Aggregation {
    /// Mean.
    #[default]
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// Population standard deviation.
    Std,
    /// Median.
    Median,
}

impl Aggregation {
    pub(crate) fn parts(self) -> (Statistic, &'static str) {
        match self {
            Self::Mean => (Statistic::Mean, "mean"),
            Self::Max => (Statistic::Max, "maximum"),
            Self::Min => (Statistic::Min, "minimum"),
            Self::Std => (Statistic::Std, "standard deviation"),
            Self::Median => (Statistic::Median, "median"),
        }
    }
}

/// What becomes of several levels.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DepthAggregation {
    /// Mean by thickness.
    #[default]
    Mean,
    /// Largest value.
    Max,
    /// Smallest value.
    Min,
    /// The first level.
    Surface,
}

impl Computation for ComputeSpatialVorticityMap {
    const NAME: &'static str = "compute_spatial_vorticity_map";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Map).dims(&["lat", "lon"]).unit("s-1");
        ToolSpec::new("dynamics", "Map of relative vorticity.", port)
            .description(&format!(
                "ζ = v_x − u_y + u tan φ / R at each time and level, positive anticlockwise, reduced over levels and \
                 times afterwards. {DERIVATIVES}"
            ))
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
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let derived = flow.by_gradient(&plane, context, |_, gradient| gradient.vorticity())?;
        let layers = match arguments.depth_aggregation {
            DepthAggregation::Mean => collapse::levels(&derived.values, &flow.u.layer_thickness()),
            DepthAggregation::Max => collapse::axis(&derived.values, 1, Statistic::Max),
            DepthAggregation::Min => collapse::axis(&derived.values, 1, Statistic::Min),
            DepthAggregation::Surface => collapse::first_level(&derived.values),
        };
        let (statistic, noun) = arguments.time_aggregation.parts();
        let map = collapse::axis(&layers, 0, statistic);
        let mut frame = flow.frame.clone().without_depth();
        if let Some(time) = &frame.time {
            frame.facts.insert("time".to_owned(), time.window().into());
        }
        frame = frame.without_time();
        let method = format!("{noun} over time of the relative vorticity v_x − u_y + u tan φ / R");
        let quantity = Quantity {
            name: "relative_vorticity",
            standard_name: Some("ocean_relative_vorticity"),
            units: "s-1",
            method: &method,
        };
        Ok(read_from(quantity.output(&frame, &map), &[&flow.u, &flow.v], &derived.chunks))
    }
}
