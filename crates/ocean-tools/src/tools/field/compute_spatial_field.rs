//! `compute_spatial_field`: a map of a variable reduced over time.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::field::reduce::{TimeStatistic, time_reduce_map};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::map::Grid;
use crate::reading::place;
use crate::series::{axis_of, units_of};
use crate::{Datasets, evidence, reading};

/// Reduces every cell over time.
pub(crate) struct ComputeSpatialField;

/// Arguments of `compute_spatial_field`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
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
    /// What becomes of the times.
    #[serde(default)]
    time_aggregation: TimeAggregation,
}

/// What becomes of the times.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TimeAggregation {
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

impl TimeAggregation {
    fn parts(self) -> (TimeStatistic, &'static str) {
        match self {
            Self::Mean => (TimeStatistic::Mean, "mean"),
            Self::Max => (TimeStatistic::Max, "maximum"),
            Self::Min => (TimeStatistic::Min, "minimum"),
            Self::Std => (TimeStatistic::Std, "standard deviation"),
            Self::Median => (TimeStatistic::Median, "median"),
        }
    }
}

impl Computation for ComputeSpatialField {
    const NAME: &'static str = "compute_spatial_field";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Map).dims(&["lat", "lon"]).unit("=data");
        ToolSpec::new("field", "Map of a variable reduced over time.", port)
            .description(
                "Mean, maximum, minimum, population standard deviation or median over the times of each cell, missing \
                 values left out, with the number of times that had a value. Several levels are averaged by thickness \
                 first. The mean in the evidence is weighted by cell area.",
            )
            .evidence(&evidence::MAP)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let field = narrow(
            &field,
            arguments.region.as_ref().map(|region| &region.0),
            arguments.depth.as_ref().map(|depth| &depth.0),
            arguments.time.as_ref().map(|window| &window.0),
        )?;
        field.require_axes().map_err(|error| ToolError::invalid(error.to_string()))?;
        if field.lats().is_none() || field.lons().is_none() {
            return Err(ToolError::invalid(format!(
                "`{}` has no latitude and longitude axes, so it makes no map",
                field.name()
            )));
        }
        let (statistic, noun) = arguments.time_aggregation.parts();
        let map = time_reduce_map(&field, statistic, &reading::control(context))
            .map_err(|error| reading::cannot_read(&error))?;
        let window = if field.times().is_some() { Some(axis_of(&field)?.window()) } else { None };
        let grid = Grid::of(&field);
        let name = field.variable().identity_name();
        let mut values = grid.variable(name, &units_of(&field), &map.values);
        values.standard_name = field.standard_name().map(str::to_owned);
        let method = format!("{noun} over time");
        let drafts = evidence::of_map(grid.view(&values.values), &values.units, &method, window.as_deref());
        let counts = grid.variable("count", "1", &map.count.map(|&count| count as f64));
        let mut artifact = grid.artifact(name, values).with_variable(counts).with_attribute("method", method);
        artifact.attributes.extend(place(&field));
        if let Some(window) = window {
            artifact = artifact.with_attribute("time", window);
        }
        Ok(ToolOutput::of(artifact)
            .with_evidence(drafts)
            .with_notes(reading::notes(&field))
            .with_source(reading::source(&field, &map.chunks)))
    }
}
