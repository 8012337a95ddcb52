//! `extract_timeseries` and `extract_regional_mean`: the series at a point or over a region.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ocean_data::Field;
use ocean_data::field::Depth;
use ocean_data::field::reduce::{PointMethod, PointOptions, Weighting, cell_weights, point_series};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::extract_point_timeseries::cannot_extract;
use super::region_statistics::{Levels, Statistic, series};
use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::masking::Mask;
use crate::series::{Series, along_time, axis_of, units_of};
use crate::{Datasets, evidence, reading};

/// Takes the series of a point or a region.
pub(crate) struct ExtractTimeseries;

/// Takes the mean series of a region.
pub(crate) struct ExtractRegionalMean;

/// Arguments of `extract_timeseries`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller", "series"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Longitude of a point in degrees east; with `lat`, and without `region`.
    #[serde(default)]
    #[schemars(range(min = -720.0, max = 720.0))]
    lon: Option<f64>,
    /// Latitude of a point in degrees north.
    #[serde(default)]
    #[schemars(range(min = -90.0, max = 90.0))]
    lat: Option<f64>,
    /// A region inside the field's own; the whole field if neither it nor a point is given.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// What stands for the cells of the region.
    #[serde(default)]
    spatial_aggregation: SpatialAggregation,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What stands for several levels.
    #[serde(default)]
    depth_aggregation: DepthAggregation,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// For a point: the nearest cell, or bilinear interpolation.
    #[serde(default)]
    method: Method,
    /// For a region: only cells where this mask is true.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "mask", "unit": "1"}))]
    mask: Option<FieldArgument>,
    /// Weights of the cells and levels.
    #[serde(default)]
    weighting: WeightingArgument,
}

/// Arguments of `extract_regional_mean`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RegionalArguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller", "series"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// A region inside the field's own; the whole field if absent.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// What stands for several levels.
    #[serde(default)]
    depth_aggregation: DepthAggregation,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Weights of the cells and levels.
    #[serde(default)]
    weighting: WeightingArgument,
}

/// What stands for the cells of a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum SpatialAggregation {
    /// The weighted mean.
    #[default]
    Mean,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The weighted median.
    Median,
}

/// What stands for several levels.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DepthAggregation {
    /// Each counts by its thickness.
    #[default]
    Mean,
    /// The largest of each column.
    Max,
    /// The smallest of each column.
    Min,
    /// The level nearest the surface.
    Surface,
}

/// How a point is met on the grid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The nearest cell.
    #[default]
    Nearest,
    /// Bilinear.
    Linear,
}

/// Weights of the cells.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WeightingArgument {
    /// Area of the cell and thickness of the level, from their bounds.
    #[default]
    Area,
    /// All alike.
    Equal,
}

impl Computation for ExtractTimeseries {
    const NAME: &'static str = "extract_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        spec("Series at a point or over a region.").description(
            "At a point: the nearest cell or bilinear (see `extract_point_timeseries`). Over a region: the mean weighted by \
             cell area and level thickness, the extremes, or the weighted median (type 7) of the cells with a value, whose \
             centre is in the region. Arrays std, count and wet_fraction hold the weighted spread over the cells, their \
             number, and the share of the region's weight that had values. `max` and `min` over depth come before the region's \
             statistic, `mean` with it.",
        )
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = opened(
            &arguments.data,
            arguments.region.as_ref(),
            arguments.depth.as_ref(),
            arguments.time.as_ref(),
            arguments.depth_aggregation,
            datasets,
            context,
        )?;
        match (arguments.lon, arguments.lat, &arguments.region) {
            (Some(lon), Some(lat), None) if arguments.mask.is_none() => {
                at_point(&field, [lon, lat], arguments, context)
            }
            (None, None, _) => {
                let mask = arguments
                    .mask
                    .as_ref()
                    .map(|mask| Mask::over(&field, mask, datasets, context))
                    .transpose()?;
                let way = Way {
                    spatial: arguments.spatial_aggregation,
                    depth: arguments.depth_aggregation,
                    weighting: arguments.weighting,
                };
                over_region(&field, way, mask.as_ref(), context)
            }
            _ => Err(ToolError::invalid(
                "give lon and lat for a point (without region and mask), or a region, or neither for the whole field",
            )),
        }
    }
}

impl Computation for ExtractRegionalMean {
    const NAME: &'static str = "extract_regional_mean";
    type Arguments = RegionalArguments;

    fn describe() -> ToolSpec {
        spec("Mean over a region, per time.").description(
            "`extract_timeseries` over a region: sum(a h x) / sum(a h) over the cells with a value, a the cell's area and h the \
             level's thickness; with weighting equal the plain mean.",
        )
    }

    fn run(
        arguments: &RegionalArguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = opened(
            &arguments.data,
            arguments.region.as_ref(),
            arguments.depth.as_ref(),
            arguments.time.as_ref(),
            arguments.depth_aggregation,
            datasets,
            context,
        )?;
        let way = Way {
            spatial: SpatialAggregation::Mean,
            depth: arguments.depth_aggregation,
            weighting: arguments.weighting,
        };
        over_region(&field, way, None, context)
    }
}

/// What a region becomes.
#[derive(Debug, Clone, Copy)]
struct Way {
    spatial: SpatialAggregation,
    depth: DepthAggregation,
    weighting: WeightingArgument,
}

fn spec(summary: &str) -> ToolSpec {
    ToolSpec::new("timeseries", summary, Port::of(Kind::Series).dims(&["time"]).unit("=data"))
        .evidence(&evidence::SERIES)
        .purity(Purity::ReadsData)
}

fn opened(
    data: &FieldArgument,
    region: Option<&RegionArgument>,
    depth: Option<&DepthArgument>,
    time: Option<&WindowArgument>,
    aggregation: DepthAggregation,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<Field, ToolError> {
    let field = data.open(datasets, context)?;
    let field = narrow(
        &field,
        region.map(|region| &region.0),
        depth.map(|depth| &depth.0),
        time.map(|window| &window.0),
    )?;
    let several = field.full_shape()[1] > 1;
    if aggregation != DepthAggregation::Surface || !several {
        return Ok(field);
    }
    field.at_levels(&[0]).map_or_else(|| narrow(&field, None, Some(&Depth::Surface), None), Ok)
}

fn over_region(
    field: &Field,
    way: Way,
    mask: Option<&Mask>,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let (weighting, name) = match way.weighting {
        WeightingArgument::Area => (Weighting::Area, "area"),
        WeightingArgument::Equal => (Weighting::Equal, "equal"),
    };
    let weights = cell_weights(field, weighting);
    let thickness = match way.weighting {
        WeightingArgument::Area => field.layer_thickness(),
        WeightingArgument::Equal => vec![1.0],
    };
    let (statistic, word) = match way.spatial {
        SpatialAggregation::Mean => (Statistic::Mean, "mean"),
        SpatialAggregation::Max => (Statistic::Max, "maximum"),
        SpatialAggregation::Min => (Statistic::Min, "minimum"),
        SpatialAggregation::Median => (Statistic::Median, "median"),
    };
    let levels = match way.depth {
        DepthAggregation::Mean | DepthAggregation::Surface => Levels::ByThickness,
        DepthAggregation::Max => Levels::Max,
        DepthAggregation::Min => Levels::Min,
    };
    let found = series(field, &weights, &thickness, statistic, levels, mask, context)?;
    let method = match way.weighting {
        WeightingArgument::Area => format!("area-weighted {word} over the region"),
        WeightingArgument::Equal => format!("unweighted {word} over the region"),
    };
    let mut attributes = reading::place(field);
    attributes.insert("method".to_owned(), json!(method));
    attributes.insert("weighting".to_owned(), json!(name));
    let own = Series {
        name: field.variable().identity_name().to_owned(),
        standard_name: field.standard_name().map(str::to_owned),
        units: units_of(field),
        axis: axis_of(field)?,
        values: found.values,
        attributes,
    };
    let counts = found.count.iter().map(|&count| count as f64).collect();
    let artifact = own
        .to_artifact()
        .with_variable(along_time("std", &own.units, found.std, None))
        .with_variable(along_time("count", "1", counts, None))
        .with_variable(along_time("wet_fraction", "1", found.covered, None));
    let mut notes = reading::notes(field);
    if found.count.iter().all(|&count| count == 0) {
        notes.push("no cell of the region has a value at any time; every value is missing".to_owned());
    }
    Ok(ToolOutput::of(artifact)
        .with_evidence(evidence::of_series(&own.axis, &own.values, &own.units, &method, None))
        .with_notes(notes)
        .with_source(reading::source(field, &found.chunks)))
}

fn at_point(
    field: &Field,
    [lon, lat]: [f64; 2],
    arguments: &Arguments,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let (method, word) = match arguments.method {
        Method::Nearest => (PointMethod::Nearest, "nearest cell"),
        Method::Linear => (PointMethod::Linear, "bilinear interpolation"),
    };
    let options = PointOptions { lon, lat, method, wet_only: false, max_distance_km: None };
    let point =
        point_series(field, &options, &reading::control(context)).map_err(|error| cannot_extract(&error))?;
    let thickness = match arguments.weighting {
        WeightingArgument::Area => field.layer_thickness(),
        WeightingArgument::Equal => vec![1.0; point.values.ncols()],
    };
    let column = |row: ndarray::ArrayView1<'_, f64>| {
        let present = || row.iter().zip(&thickness).filter(|(value, _)| !value.is_nan());
        match arguments.depth_aggregation {
            DepthAggregation::Max => present().map(|own| *own.0).fold(f64::NAN, f64::max),
            DepthAggregation::Min => present().map(|own| *own.0).fold(f64::NAN, f64::min),
            DepthAggregation::Mean | DepthAggregation::Surface => {
                let (sum, weight) =
                    present().fold((0.0, 0.0), |(sum, total), (value, h)| (sum + value * h, total + h));
                if weight > 0.0 { sum / weight } else { f64::NAN }
            }
        }
    };
    let mut attributes = reading::place(field);
    attributes.remove("region");
    attributes.extend([
        ("method".to_owned(), json!(word)),
        ("point".to_owned(), json!([lon, lat])),
        ("cell".to_owned(), json!([point.lon, point.lat])),
        ("distance_km".to_owned(), json!(point.distance_km)),
    ]);
    let own = Series {
        name: field.variable().identity_name().to_owned(),
        standard_name: field.standard_name().map(str::to_owned),
        units: units_of(field),
        axis: axis_of(field)?,
        values: point.values.rows().into_iter().map(column).collect(),
        attributes,
    };
    let there = json!({"lon": point.lon, "lat": point.lat});
    let drafts = evidence::of_series(&own.axis, &own.values, &own.units, &format!("{word} series"), None);
    let mut notes = reading::notes(field);
    if own.values.iter().all(|value| value.is_nan()) {
        notes.push(
            "the cell has no value at any time (land?); `extract_point_timeseries` with wet_only takes the nearest that has"
                .to_owned(),
        );
    }
    Ok(ToolOutput::of(own.to_artifact())
        .with_evidence(drafts.into_iter().map(|draft| draft.place(there.clone())))
        .with_notes(notes)
        .with_source(reading::source(field, &point.chunks)))
}
