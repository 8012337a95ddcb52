//! What the tools of transports through a section share.

use leg_core::{Artifact, EvidenceDraft, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array3, Array4};
use ocean_data::Field;
use ocean_data::field::Depth;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::frame::Frame;
use crate::kernels::transport::{Through, through};
use crate::outcome::{Quantity, read_from};
use crate::sections::{Line, layers, sample};
use crate::together::{Part, one_grid};
use crate::{Datasets, evidence};

/// How sections are laid, for descriptions.
pub(super) const SECTION: &str = "A line along one meridian or parallel goes through whole cells, widths from the cell bounds \
     (R = 6371000 m); other lines through `n_samples` pieces of the great circles with the velocity interpolated between \
     cell centres. Layers reach from the surface, half-way between the levels, to as far below the last level as above \
     it, clipped to `depth`; dry cells count nothing. Interpolated velocities do not conserve mass exactly.";

/// The positive direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Positive {
    /// To the left of the line's direction.
    #[default]
    LeftOfPath,
    /// East through a line that goes more north than east, north through others.
    NorthEast,
}

/// The line, the velocity through it and what bounds both.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) u: Option<&'a FieldArgument>,
    pub(super) v: Option<&'a FieldArgument>,
    pub(super) points: &'a [[f64; 2]],
    pub(super) time: Option<&'a WindowArgument>,
    pub(super) depth: Option<&'a DepthArgument>,
    pub(super) samples: usize,
    pub(super) positive: Positive,
}

/// What the water carries, with the units in which its field is read.
#[derive(Debug)]
pub(super) struct Cargo<'a> {
    pub(super) field: &'a FieldArgument,
    pub(super) units: &'a str,
}

/// How a transport is called and scaled.
#[derive(Debug)]
pub(super) struct Told<'a> {
    pub(super) name: &'a str,
    pub(super) standard_name: Option<&'a str>,
    pub(super) units: &'a str,
    /// A unit in SI.
    pub(super) unit: f64,
    pub(super) of: &'a str,
    pub(super) notes: Vec<String>,
}

/// The specification of a tool of this family.
pub(super) fn spec(spec: ToolSpec) -> ToolSpec {
    let names =
        [&evidence::SERIES[..], &["positive_mean", "negative_mean", "volume_mean", "section_area", "faces"]]
            .concat();
    spec.evidence(&names).purity(leg_core::Purity::ReadsData)
}

/// The answer: the transport of what `value` makes of the cargo (of 1 without one).
///
/// # Errors
/// No velocity through the line; different grids; a line beside the grid.
pub(super) fn answer(
    asked: &Asked<'_>,
    cargo: Option<&Cargo<'_>>,
    told: Told<'_>,
    value: impl Fn(f64) -> f64,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let part = Part { region: None, time: asked.time, depth: None };
    let open = |argument: &FieldArgument| part.open(argument, "m s-1", datasets, context);
    let (u, v) = (asked.u.map(open).transpose()?, asked.v.map(open).transpose()?);
    let Some(first) = u.as_ref().or(v.as_ref()) else {
        return Err(ToolError::invalid(
            "give u, v or both; a line along a meridian needs u, one along a parallel v",
        ));
    };
    let range = match asked.depth.map(|depth| &depth.0) {
        None | Some(Depth::Column) => None,
        Some(Depth::Range(range)) => Some(*range),
        Some(_) => {
            return Err(ToolError::invalid(
                "a transport needs layers; write depth as {\"range\": [0, 200]}, or leave it out for the whole column",
            ));
        }
    };
    let line = Line::through(first, asked.points, asked.samples)?;
    for (axis, field, name) in [(0, &u, "u"), (1, &v, "v")] {
        if field.is_none() && line.faces.iter().any(|face| face.left[axis] != 0.0) {
            return Err(ToolError::invalid(format!(
                "this line needs {name} too; only one along a meridian or parallel does without"
            )));
        }
    }
    let carried = cargo.map(|cargo| {
        let field = part.open_as_is(cargo.field, datasets, context)?;
        // Salinity written with units 1 holds the usual thirty-five.
        if field.units() == "1" && cargo.units == "1e-3" {
            Ok(field)
        } else {
            crate::together::in_units(&field, cargo.units)
        }
    });
    let carried = carried.transpose()?;
    let fields: Vec<&Field> = [u.as_ref(), v.as_ref(), carried.as_ref()].into_iter().flatten().collect();
    one_grid(&fields)?;
    let (values, chunks) = sample(&fields, &line, context)?;
    let velocity = normal(&line, asked.positive, u.is_some(), v.is_some(), &values);
    let tracer = carried.is_some().then(|| values[values.len() - 1].clone());
    let thickness = layers(first, range);
    let width: Vec<f64> = line.faces.iter().map(|face| face.width).collect();
    let volume = through(&velocity, |_| 1.0, &thickness, &width);
    let sums = match &tracer {
        Some(tracer) => through(&velocity, |at| value(tracer[at]), &thickness, &width),
        None => volume.clone(),
    };
    let frame = Frame::of(first)?.without_depth().without_lat().without_lon();
    let direction = match asked.positive {
        Positive::LeftOfPath => "positive to the left of the line",
        Positive::NorthEast => "positive to the north or east",
    };
    let method = format!("{} through {}, {direction}", told.of, line.method);
    let quantity =
        Quantity { name: told.name, standard_name: told.standard_name, units: told.units, method: &method };
    let along = |pick: &dyn Fn(&Through) -> f64, sums: &[Through], unit: f64| {
        let shape = [sums.len(), 1, 1, 1];
        // A section without a wet face has no transport, which is not a transport of zero.
        let value = |sum: &Through| if sum.faces == 0 { f64::NAN } else { pick(sum) / unit };
        Array4::from_shape_vec(shape, sums.iter().map(value).collect())
            .unwrap_or_else(|_| Array4::zeros(shape))
    };
    let net = along(&|sum| sum.net, &sums, told.unit);
    let mut output = quantity.output(&frame, &net);
    let parts = [
        ("positive", along(&|sum| sum.positive, &sums, told.unit), told.units),
        ("negative", along(&|sum| sum.negative, &sums, told.unit), told.units),
        ("volume", along(&|sum| sum.net, &volume, 1e6), "Sv"),
    ];
    for (name, values, units) in &parts {
        add(output.artifacts.get_mut("result"), &frame, name, units, values);
        let present = values.iter().filter(|value| !value.is_nan());
        let (n, sum) = present.fold((0_usize, 0.0), |(n, sum), value| (n + 1, sum + value));
        let mean = if n > 0 { sum / n as f64 } else { f64::NAN };
        let draft = EvidenceDraft::new(
            &format!("{name}_mean"),
            mean,
            units,
            &format!("mean over the times with values, {name} part: {method}"),
        );
        output.evidence.push(draft.n(n));
    }
    let first_wet = volume.iter().find(|sum| sum.faces > 0);
    let (area, faces) = first_wet.map_or((f64::NAN, 0), |sum| (sum.area, sum.faces));
    output.evidence.push(EvidenceDraft::new(
        "section_area",
        area,
        "m2",
        "wet area of the section at the first time with values",
    ));
    output.evidence.push(EvidenceDraft::new(
        "faces",
        faces as u64,
        "1",
        "wet faces of the section at the first time with values",
    ));
    Ok(read_from(output, &fields, &chunks).with_notes(told.notes))
}

fn add(artifact: Option<&mut Artifact>, frame: &Frame, name: &str, units: &str, values: &Array4<f64>) {
    if let Some(artifact) = artifact {
        artifact.variables.push(frame.variable(name, units, values));
    }
}

/// The velocity through each face.
fn normal(line: &Line, positive: Positive, has_u: bool, has_v: bool, values: &[Array3<f64>]) -> Array3<f64> {
    let (u, v) = (has_u.then(|| &values[0]), has_v.then(|| &values[usize::from(has_u)]));
    let shape = values.first().map_or((0, 0, 0), Array3::dim);
    // The sum of the normals says where most of the line faces.
    let sum = line.faces.iter().fold([0.0, 0.0], |sum, face| {
        [sum[0] + face.left[0] * face.width, sum[1] + face.left[1] * face.width]
    });
    let towards = if sum[0].abs() > sum[1].abs() { sum[0] } else { sum[1] };
    let turn = if positive == Positive::NorthEast && towards < 0.0 { -1.0 } else { 1.0 };
    Array3::from_shape_fn(shape, |at| {
        let part = |component: Option<&Array3<f64>>, share: f64| match component {
            Some(values) if share != 0.0 => values[at] * share,
            _ => 0.0,
        };
        let left = line.faces[at.2].left;
        turn * (part(u, left[0]) + part(v, left[1]))
    })
}
