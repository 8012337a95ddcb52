//! `osm_annotate`: markers, lines and areas on a map.

use async_trait::async_trait;
use leg_core::tool::ArtifactArgument;
use leg_core::{DataClass, EvidenceDraft, Kind, Port, ToolContext, ToolOutput, ToolSpec};
use ocean_chart::{MosaicMark, MosaicSpec, MosaicTile, picture_size};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::ServiceError;
use crate::osm::Client;
use crate::osm::tiles::{Area, place};
use crate::picture::{figure, file_of};
use crate::tool::ServiceTool;

/// The most marks of a picture, and points of a line.
const MAX_MARKS: usize = 500;
const MAX_POINTS: usize = 20_000;
/// Places are worked out at the deepest zoom.
const ZOOM: u8 = 19;

/// Markers, lines and areas on a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Annotate;

/// The arguments of [`Annotate`].
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The result of `osm_map` or `osm_satellite`: a picture with bounds.
    #[schemars(extend("x-leg-port" = {"kind": "figure", "or": ["file"], "unit": "any"}))]
    artifact: ArtifactArgument,
    /// Places with names.
    #[serde(default)]
    markers: Vec<Marker>,
    /// Lines: each a list of longitude and latitude, or one such list for one line.
    #[serde(default)]
    lines: Vec<Line>,
    /// Areas, as lines; the last point is joined with the first.
    #[serde(default)]
    polygons: Vec<Line>,
}

/// A place with a name.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Marker {
    /// Latitude, degrees north.
    lat: f64,
    /// Longitude, degrees east.
    lon: f64,
    /// Its name.
    #[serde(default)]
    label: String,
}

/// A point of a single line, or a whole line.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Line {
    /// Longitude and latitude.
    Point([f64; 2]),
    /// A list of them.
    Points(Vec<[f64; 2]>),
}

/// Lines of which each point may have stood alone.
fn joined(lines: &[Line]) -> Vec<Vec<[f64; 2]>> {
    let mut all = Vec::new();
    let mut single = Vec::new();
    for line in lines {
        match line {
            Line::Point(point) => single.push(*point),
            Line::Points(points) => all.push(points.clone()),
        }
    }
    if !single.is_empty() {
        all.insert(0, single);
    }
    all
}

#[async_trait]
impl ServiceTool for Annotate {
    const NAME: &'static str = "osm_annotate";

    type Client = Client;
    type Arguments = Arguments;

    fn describe(_: &Client) -> ToolSpec {
        ToolSpec::new("osm", "Markers, lines and areas drawn on a map.", Port::of(Kind::Figure))
            .description(
                "Takes the result of `osm_map` or `osm_satellite`, whose bounds tell where a longitude and a latitude lie in \
                 the picture (Web Mercator). What lies outside is counted and not drawn.",
            )
            .evidence(&["n_markers", "n_lines", "n_polygons", "n_outside"])
            .output("png", Port::of(Kind::File))
            .data_class(DataClass::Observation)
            .produces_images()
    }

    async fn run(
        arguments: Arguments,
        _: &Client,
        context: &ToolContext,
    ) -> Result<ToolOutput, ServiceError> {
        let artifact = arguments.artifact.read(context)?;
        let (file, said) = file_of(artifact, context)?;
        let edges =
            said.get("bounds").and_then(|bounds| serde_json::from_value::<[f64; 4]>(bounds.clone()).ok());
        let edges = edges.ok_or_else(|| {
            ServiceError::BadArgument(format!(
                "the picture `{}` says no bounds; take the result of `osm_map`",
                file.name
            ))
        })?;
        let area = Area::new(edges)?;
        let size = picture_size(&file.payload)
            .ok_or_else(|| ServiceError::BadArgument(format!("`{}` is no PNG", file.name)))?;
        let (lines, polygons) = (joined(&arguments.lines), joined(&arguments.polygons));
        let points: usize = lines.iter().chain(&polygons).map(Vec::len).sum();
        if arguments.markers.len() + lines.len() + polygons.len() > MAX_MARKS || points > MAX_POINTS {
            return Err(ServiceError::TooMuch(format!(
                "at most {MAX_MARKS} marks and {MAX_POINTS} points are drawn; give fewer"
            )));
        }
        let places = arguments.markers.iter().map(|own| [own.lon, own.lat]);
        if places
            .chain(lines.iter().chain(&polygons).flatten().copied())
            .any(|[lon, lat]| !lon.is_finite() || !lat.is_finite() || lon.abs() > 360.0 || lat.abs() > 90.0)
        {
            return Err(ServiceError::BadArgument(
                "a mark is no place; write longitude and latitude in degrees".to_owned(),
            ));
        }
        let [left, top, right, bottom] = area.pixels(ZOOM);
        let sides = size.map(f64::from);
        let pixel = |lon: f64, lat: f64| {
            let [x, y] = place(lon, lat, ZOOM);
            [(x - left) / (right - left) * sides[0], (y - top) / (bottom - top) * sides[1]]
        };
        let [west, south, east, north] = area.edges();
        let inside = |lon: f64, lat: f64| lon >= west && lon <= east && lat >= south && lat <= north;
        let drawn: Vec<_> = arguments.markers.iter().filter(|own| inside(own.lon, own.lat)).collect();
        let outside = arguments.markers.len() - drawn.len();
        let to_pixels = |lines: &[Vec<[f64; 2]>]| -> Vec<Vec<[f64; 2]>> {
            lines.iter().map(|line| line.iter().map(|[lon, lat]| pixel(*lon, *lat)).collect()).collect()
        };
        let (line_pixels, polygon_pixels) = (to_pixels(&lines), to_pixels(&polygons));
        let marks: Vec<MosaicMark<'_>> = polygon_pixels
            .iter()
            .map(|points| MosaicMark::Polygon { points, label: "" })
            .chain(line_pixels.iter().map(|points| MosaicMark::Line { points, label: "" }))
            .chain(
                drawn.iter().map(|own| MosaicMark::Point { at: pixel(own.lon, own.lat), label: &own.label }),
            )
            .collect();
        let tiles = [MosaicTile { picture: &file.payload, area: [0.0, 0.0, sides[0], sides[1]] }];
        let spec = MosaicSpec {
            title: "annotated map",
            size,
            tiles: &tiles,
            marks: &marks,
            ..MosaicSpec::default()
        };
        let png = spec.to_png().map_err(|error| ServiceError::BadArgument(error.to_string()))?;
        let markers: Vec<Value> =
            drawn.iter().map(|own| json!({ "lat": own.lat, "lon": own.lon, "label": own.label })).collect();
        let mut content = if said.is_object() { said } else { json!({}) };
        content["bounds"] = json!(edges);
        content["markers"] = json!(markers);
        content["lines"] = json!(lines);
        content["polygons"] = json!(polygons);
        content["outside"] = json!(outside);
        content["drawn_on"] = json!(arguments.artifact.digest());
        let mut output = figure("annotated_map", content, png);
        let draft = |name: &str, value: usize, method: &str| {
            EvidenceDraft::new(name, value, "1", method).output("result")
        };
        output.evidence = vec![
            draft("n_markers", drawn.len(), "number of markers in the picture"),
            draft("n_lines", lines.len(), "number of lines"),
            draft("n_polygons", polygons.len(), "number of areas"),
            draft("n_outside", outside, "number of markers outside of the picture, which are not drawn"),
        ];
        if outside > 0 {
            output.notes.push(format!("{outside} markers lie outside of the picture and are not drawn"));
        }
        Ok(output)
    }
}
