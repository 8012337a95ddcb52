//! `extract_point_timeseries`: the series at a place.

use std::collections::BTreeMap;

use leg_core::{
    EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolErrorKind, ToolOutput, ToolSpec,
};
use ocean_data::field::reduce::{PointMethod, PointOptions, PointSeries, PointSeriesError, point_series};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::argument::field::narrow;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::reading::place;
use crate::series::{Series, axis_of, units_of};
use crate::{Datasets, evidence, reading};

/// Takes the series of one cell, or interpolates one.
pub(crate) struct ExtractPointTimeseries;

/// Arguments of `extract_point_timeseries`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// Longitude in degrees east, on any turn.
    #[schemars(range(min = -720.0, max = 720.0))]
    lon: f64,
    /// Latitude in degrees north.
    #[schemars(range(min = -90.0, max = 90.0))]
    lat: f64,
    /// A depth inside the field's own; needed when the field has several levels.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// The nearest cell, or bilinear interpolation.
    #[serde(default)]
    method: Method,
    /// Take the nearest cell that has values, for `nearest`.
    #[serde(default)]
    wet_only: bool,
    /// Refuse a cell farther away than this, in kilometres.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    max_distance_km: Option<f64>,
}

/// How the place is met on the grid.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The cell whose centre is nearest in latitude and in longitude.
    #[default]
    Nearest,
    /// Bilinear between the four centres around the place.
    Linear,
}

impl Computation for ExtractPointTimeseries {
    const NAME: &'static str = "extract_point_timeseries";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port::of(Kind::Series).dims(&["time"]).unit("=data");
        let mut names = evidence::SERIES.to_vec();
        names.push("distance");
        ToolSpec::new("timeseries", "Series at a point: nearest cell or bilinear.", port)
            .description(
                "`nearest` takes the cell whose centre is nearest in latitude and in longitude, as xarray's \
                 sel(method=\"nearest\"); with `wet_only` the nearest by great-circle distance that ever has a value. \
                 `linear` is bilinear over the wet corners and missing where dry corners carry more than half of the \
                 weight. The cell's own place and its distance are returned.",
            )
            .evidence(&names)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        extract(arguments, datasets, context)
    }
}

fn extract(
    arguments: &Arguments,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let field = arguments.data.open(datasets, context)?;
    let depth = arguments.depth.as_ref().map(|depth| &depth.0);
    let field = narrow(&field, None, depth, arguments.time.as_ref().map(|window| &window.0))?;
    let [_, levels, _, _] = field.full_shape();
    if levels > 1 {
        return Err(ToolError::invalid(format!(
            "`{}` has {levels} levels here and a series has one; give depth as \"surface\", \"bottom\" or {{\"at\": 50}}",
            field.name()
        )));
    }
    let axis = axis_of(&field)?;
    let options = PointOptions {
        lon: arguments.lon,
        lat: arguments.lat,
        method: match arguments.method {
            Method::Nearest => PointMethod::Nearest,
            Method::Linear => PointMethod::Linear,
        },
        wet_only: arguments.wet_only,
        max_distance_km: arguments.max_distance_km,
    };
    let point =
        point_series(&field, &options, &reading::control(context)).map_err(|error| cannot_extract(&error))?;
    let mut attributes: BTreeMap<String, Value> = place(&field);
    attributes.remove("region");
    let method = match arguments.method {
        Method::Nearest => "nearest cell",
        Method::Linear => "bilinear interpolation",
    };
    attributes.extend([
        ("method".to_owned(), json!(method)),
        ("point".to_owned(), json!([arguments.lon, arguments.lat])),
        ("cell".to_owned(), json!([point.lon, point.lat])),
        ("distance_km".to_owned(), json!(point.distance_km)),
    ]);
    let series = Series {
        name: field.variable().identity_name().to_owned(),
        standard_name: field.standard_name().map(str::to_owned),
        units: units_of(&field),
        axis,
        values: point.values.iter().copied().collect(),
        attributes,
    };
    let where_ = json!({"lon": point.lon, "lat": point.lat});
    let mut drafts =
        evidence::of_series(&series.axis, &series.values, &series.units, &format!("{method} series"), None);
    drafts.push(distance(&point));
    let drafts = drafts.into_iter().map(|draft| draft.place(where_.clone()));
    let mut notes = reading::notes(&field);
    if series.values.iter().all(|value| value.is_nan()) {
        notes.push(
            "the cell has no value at any time (land?); `wet_only` takes the nearest cell that has"
                .to_owned(),
        );
    }
    Ok(ToolOutput::of(series.to_artifact())
        .with_evidence(drafts)
        .with_notes(notes)
        .with_source(reading::source(&field, &point.chunks)))
}

fn distance(point: &PointSeries) -> EvidenceDraft {
    let method = "great-circle distance from the place to the centre of the cell";
    EvidenceDraft::new("distance", point.distance_km, "km", method).pointer("/attributes/distance_km")
}

/// What a failed extraction means for the caller.
pub(crate) fn cannot_extract(error: &PointSeriesError) -> ToolError {
    match error {
        PointSeriesError::Walk(walk) => reading::cannot_read(walk),
        PointSeriesError::NoMap { .. } => ToolError::invalid(error.to_string()),
        _ => ToolError::new(ToolErrorKind::NoData, error.to_string()),
    }
}
