//! `compute_geostrophic_transport`: velocity by thermal wind between the columns of a section, and its transport.

use leg_core::{
    Artifact, Coord, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec,
    Variable,
};
use ndarray::{Array3, Axis};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::section_flow::{Positive, layers_of, samples};
use crate::Datasets;
use crate::along_line::{SECTION_EVIDENCE, evidence_of, places_of};
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::BOUNDS;
use crate::kernels::thermal_wind::{Between, between_columns};
use crate::kernels::transport::{Through, through};
use crate::outcome::read_from;
use crate::sections::{Line, layers, sample};
use crate::series::{axis_of, with_times};
use crate::together::{Part, column_axis};

/// Geostrophic velocity and transport through a section.
pub(crate) struct ComputeGeostrophicTransport;

/// Arguments of `compute_geostrophic_transport`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Dynamic height, as `compute_dynamic_height` makes it; the velocity is relative to its reference level.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "m2 s-2"}))]
    dynamic_height: FieldArgument,
    /// Places `[lon, lat]` of the line, two or more.
    transect_points: Vec<[f64; 2]>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Depths between which the water is counted: {"range": [0, 2000]}.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Which columns the line stops at.
    #[serde(default)]
    columns: Stations,
    /// Pairs of columns this near the equator, in degrees, have no velocity.
    #[serde(default = "five")]
    #[schemars(range(min = 0, max = 90))]
    mask_lat: f64,
    /// Columns of a line that follows no meridian or parallel.
    #[serde(default = "samples")]
    #[schemars(range(min = 2, max = 100_000))]
    n_samples: usize,
    /// The positive direction.
    #[serde(default)]
    positive: Positive,
}

/// Which columns the line stops at.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stations {
    /// Those with a value at any level.
    #[default]
    Wet,
    /// Those with a value at every level of the field, at and beyond `depth`.
    Complete,
}

impl Stations {
    fn words(self) -> &'static str {
        match self {
            Self::Wet => "columns with a value",
            Self::Complete => "columns with a value at every level",
        }
    }
}

fn five() -> f64 {
    5.0
}

/// Cubic metres a second of a sverdrup.
const SVERDRUP: f64 = 1e6;

impl Computation for ComputeGeostrophicTransport {
    const NAME: &'static str = "compute_geostrophic_transport";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let own = ["transport_mean", "positive_mean", "negative_mean", "section_area", "columns"];
        ToolSpec::new(
            "transport",
            "Geostrophic velocity between the columns of a section, and its transport.",
            Port::of(Kind::Section).unit("m s-1"),
        )
        .description(
            "Thermal wind: (Ψ₂ − Ψ₁) / (f Δx) of the dynamic heights of neighbouring columns, with f at their mean \
             latitude and their distance on the great circle (R = 6371000 m), relative to the level of no dynamic height. \
             Columns without a value are passed over, so that two columns with land between them are neighbours; a level \
             has a velocity where both have a value, and the water below the shallower of two columns is not counted. A \
             line along one meridian or parallel stops at the cell centres, others at `n_samples` places on the great \
             circles. Transport: velocity times distance times thickness; layers reach from the surface, half-way between \
             the levels, clipped to `depth`. Arrays width (m) and, with times, transport (Sv).",
        )
        .evidence(&[&SECTION_EVIDENCE[..], &own].concat())
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
    let part = Part { region: None, time: arguments.time.as_ref(), depth: None };
    let field = part.open(&arguments.dynamic_height, "m2 s-2", datasets, context)?;
    let depths = column_axis(&field)?;
    let range = layers_of(arguments.depth.as_ref())?;
    let line = Line::through(&field, &arguments.transect_points, arguments.n_samples)?;
    let (heights, chunks) = sample(&[&field], &line, context)?;
    let heights = &heights[0];

    let columns = line.directed(&stations(heights, arguments.columns));
    if columns.len() < 2 {
        return Err(ToolError::no_data(format!(
            "{} of the line's columns count and two are needed ({}); choose another line, a shallower reference of the \
             dynamic height, or columns \"wet\"",
            columns.len(),
            arguments.columns.words()
        )));
    }
    let pairs = line.between(&columns);
    let turn = arguments.positive.turn(&pairs);
    let gaps: Vec<Between> = pairs
        .faces
        .iter()
        .zip(columns.windows(2))
        .map(|(face, pair)| Between { columns: [pair[0], pair[1]], width: face.width, lat: face.place[1] })
        .collect();
    let inside: Vec<usize> = (0..depths.len())
        .filter(|&z| range.is_none_or(|[top, bottom]| (top..=bottom).contains(&depths[z])))
        .collect();
    if inside.is_empty() {
        return Err(ToolError::no_data("no level of the dynamic height lies inside of `depth`; widen it"));
    }
    let velocity = turn * between_columns(heights, &gaps, arguments.mask_lat);
    let width: Vec<f64> = pairs.faces.iter().map(|face| face.width).collect();
    let thickness = layers(&field, range);
    let sums = through(&velocity, |_| 1.0, &thickness, &width);

    let method = format!(
        "geostrophic velocity between {} along the line, {}",
        arguments.columns.words(),
        arguments.positive.words()
    );
    let axis = field.times().map(|_| axis_of(&field)).transpose()?;
    let shown = velocity.select(Axis(1), &inside);
    let (times, levels, gaps) = shown.dim();
    let present = [("time", axis.as_ref().map(|_| times)), ("depth", Some(levels)), ("distance", Some(gaps))];
    let (dims, shape) =
        present.into_iter().filter_map(|(dim, length)| Some((dim.to_owned(), length?))).unzip();
    let variable = Variable {
        name: "geostrophic_velocity".to_owned(),
        standard_name: None,
        units: "m s-1".to_owned(),
        dims,
        shape,
        values: shown.iter().copied().collect(),
    };
    let pick = |values: &[f64]| inside.iter().map(|&z| values[z]).collect::<Vec<f64>>();
    let (levels, layers) = (pick(&depths), pick(&thickness));
    let mut evidence = evidence_of(&pairs, axis.as_ref(), Some((&levels, &layers)), &variable, &method);
    evidence.extend(transport_evidence(&sums, columns.len(), &method));

    let bounds = field.depths().map_or_else(Vec::new, |axis| axis.bounds.clone());
    let bounds: Vec<[f64; 2]> = inside.iter().filter_map(|&z| bounds.get(z).copied()).collect();
    let mut artifact = Artifact::array(Kind::Section, "geostrophic_velocity", variable)
        .with_coord("distance", Coord::numbers(&pairs.distances(), "km", "distance"))
        .with_coord("depth", Coord::numbers(&levels, "m", "depth"))
        .with_attribute("method", method)
        .with_attribute("path", serde_json::json!(arguments.transect_points))
        .with_attribute(BOUNDS, serde_json::json!({ "depth": bounds }));
    artifact.variables.extend(places_of(&pairs));
    artifact.variables.push(beside("width", "m", "distance", width));
    if let Some(axis) = &axis {
        artifact = with_times(artifact, axis);
        let transport = sums.iter().map(|sum| net(sum) / SVERDRUP).collect();
        artifact.variables.push(beside("transport", "Sv", "time", transport));
    }
    Ok(read_from(ToolOutput::of(artifact).with_evidence(evidence), &[&field], &chunks))
}

/// The columns that the line stops at: land does not change, so one time with values is enough.
fn stations(heights: &Array3<f64>, which: Stations) -> Vec<usize> {
    let has = |column: ndarray::ArrayView1<'_, f64>| match which {
        Stations::Wet => column.iter().any(|value| !value.is_nan()),
        Stations::Complete => column.iter().all(|value| !value.is_nan()),
    };
    let counts = |at: &usize| heights.index_axis(Axis(2), *at).outer_iter().any(has);
    (0..heights.dim().2).filter(counts).collect()
}

/// A transport without any velocity is missing, not zero.
fn net(sum: &Through) -> f64 {
    if sum.faces == 0 { f64::NAN } else { sum.net }
}

fn transport_evidence(sums: &[Through], columns: usize, method: &str) -> Vec<EvidenceDraft> {
    let wet: Vec<&Through> = sums.iter().filter(|sum| sum.faces > 0).collect();
    let mean = |name: &str, what: &str, value: fn(&Through) -> f64| {
        let mean = wet.iter().map(|sum| value(sum)).sum::<f64>() / wet.len() as f64 / SVERDRUP;
        let method = format!("mean over the times with values of the {what} of the {method}");
        EvidenceDraft::new(name, mean, "Sv", &method).n(wet.len())
    };
    let area = wet.first().map_or(f64::NAN, |sum| sum.area);
    vec![
        mean("transport_mean", "transport", |sum| sum.net),
        mean("positive_mean", "positive part", |sum| sum.positive),
        mean("negative_mean", "negative part", |sum| sum.negative),
        EvidenceDraft::new("section_area", area, "m2", "area with a velocity at the first time that has any"),
        EvidenceDraft::new("columns", columns as u64, "1", "columns that the line stops at"),
    ]
}

fn beside(name: &str, units: &str, dim: &str, values: Vec<f64>) -> Variable {
    Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units.to_owned(),
        dims: vec![dim.to_owned()],
        shape: vec![values.len()],
        values,
    }
}
