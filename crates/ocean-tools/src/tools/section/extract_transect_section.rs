//! `extract_transect_section`: a field along a path.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Datasets;
use crate::along_line::{SECTION_EVIDENCE, evidence_of, places_of};
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::BOUNDS;
use crate::outcome::read_from;
use crate::sections::{Line, sample};
use crate::series::{axis_of, units_of, with_times};
use crate::together::Part;

/// A field along a path.
pub(crate) struct ExtractTransectSection;

/// Arguments of `extract_transect_section`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    data: FieldArgument,
    /// Places `[lon, lat]` of the path, two or more.
    transect_points: Vec<[f64; 2]>,
    /// Places along the path, both ends among them.
    #[serde(default = "samples")]
    #[schemars(range(min = 2, max = 100_000))]
    n_samples: usize,
    /// How the value of a place is found.
    #[serde(default)]
    method: Sampling,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the field's own.
    #[serde(default)]
    depth: Option<DepthArgument>,
}

/// How the value of a place is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sampling {
    /// Bilinear between the cell centres around it that have a value.
    #[default]
    Linear,
    /// That of the cell whose centre is nearest in longitude and latitude.
    Nearest,
}

fn samples() -> usize {
    200
}

impl Computation for ExtractTransectSection {
    const NAME: &'static str = "extract_transect_section";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port = Port { or: vec![Kind::Hovmoller, Kind::Series], ..Port::of(Kind::Section) }.unit("=data");
        ToolSpec::new("section", "Vertical section of a field along a path.", port)
            .description(
                "The field at places at equal distances along the great circles through the points (R = 6371000 m), against distance in km, with arrays longitude and latitude. Values are bilinear between the cell centres around the place; beside land the weights of the cells that have a value are made to sum up to 1, and a place without any is missing. Array bottom_depth is the lower edge of the deepest level that ever has a value there, in m: the sea floor as the field has it.",
            )
            .evidence(&SECTION_EVIDENCE)
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
    let part = Part { region: None, time: arguments.time.as_ref(), depth: arguments.depth.as_ref() };
    let field = part.open_as_is(&arguments.data, datasets, context)?;
    let is_nearest = arguments.method == Sampling::Nearest;
    let line = Line::at_places(&field, &arguments.transect_points, arguments.n_samples, is_nearest)?;
    let (values, chunks) = sample(&[&field], &line, context)?;
    let values = &values[0];
    let (times, levels, faces) = values.dim();
    let depth = field.depths().filter(|axis| !axis.squeezed);
    let axis = field.times().map(|_| axis_of(&field)).transpose()?;
    let name = field.variable().identity_name();
    let present =
        [("time", axis.as_ref().map(|_| times)), ("depth", depth.map(|_| levels)), ("distance", Some(faces))];
    let (dims, shape) =
        present.into_iter().filter_map(|(dim, length)| Some((dim.to_owned(), length?))).unzip();
    let variable = Variable {
        name: name.to_owned(),
        standard_name: field.standard_name().map(str::to_owned),
        units: units_of(&field),
        dims,
        shape,
        values: values.iter().copied().collect(),
    };
    let thickness: Vec<f64> = depth
        .map_or_else(Vec::new, |axis| axis.bounds.iter().map(|[top, bottom]| (bottom - top).abs()).collect());
    let view = depth.map(|axis| (axis.values.as_slice(), thickness.as_slice()));
    let evidence = evidence_of(&line, axis.as_ref(), view, &variable, &format!("section of {}", line.method));
    let kind = match (&axis, depth) {
        (_, Some(_)) => Kind::Section,
        (Some(_), None) => Kind::Hovmoller,
        (None, None) => Kind::Series,
    };
    let mut artifact = Artifact::array(kind, name, variable)
        .with_coord("distance", Coord::numbers(&line.distances(), "km", "distance"))
        .with_attribute("method", line.method.clone())
        .with_attribute("path", json!(arguments.transect_points));
    if let Some(axis) = &axis {
        artifact = with_times(artifact, axis);
    }
    artifact.variables.extend(places_of(&line));
    if let Some(depth) = depth {
        let floor = |face: usize| {
            let wet = (0..levels).rev().find(|&z| (0..times).any(|t| !values[[t, z, face]].is_nan()));
            wet.map_or(f64::NAN, |z| depth.bounds[z][0].max(depth.bounds[z][1]))
        };
        artifact = artifact
            .with_coord("depth", Coord::numbers(&depth.values, "m", "depth"))
            .with_attribute(BOUNDS, json!({"depth": depth.bounds}))
            .with_variable(Variable {
                name: "bottom_depth".to_owned(),
                standard_name: None,
                units: "m".to_owned(),
                dims: vec!["distance".to_owned()],
                shape: vec![faces],
                values: (0..faces).map(floor).collect(),
            });
    }
    Ok(read_from(ToolOutput::of(artifact).with_evidence(evidence), &[&field], &chunks))
}
