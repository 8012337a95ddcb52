//! [`SectionFlow`]: the velocity through a line and what the water there is like.

use leg_core::{ToolContext, ToolError};
use ndarray::Array3;
use ocean_data::Field;
use ocean_data::field::{ChunkTree, Depth};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, WindowArgument};
use crate::sections::{Line, layers, sample};
use crate::together::{Part, in_units, one_grid};

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

impl Positive {
    /// How it is called in a method.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::LeftOfPath => "positive to the left of the line",
            Self::NorthEast => "positive to the north or east",
        }
    }

    /// -1 where the positive side of a line is its right one, else 1.
    pub(super) fn turn(self, line: &Line) -> f64 {
        // The sum of the normals says where most of the line faces.
        let sum = line.faces.iter().fold([0.0, 0.0], |sum, face| {
            [sum[0] + face.left[0] * face.width, sum[1] + face.left[1] * face.width]
        });
        let towards = if sum[0].abs() > sum[1].abs() { sum[0] } else { sum[1] };
        if self == Self::NorthEast && towards < 0.0 { -1.0 } else { 1.0 }
    }
}

/// Pieces of a line unless stated.
pub(super) fn samples() -> usize {
    120
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

impl Asked<'_> {
    /// The range of depths that is counted; `None` is the whole column.
    ///
    /// # Errors
    /// A depth that is no layer.
    pub(super) fn range(&self) -> Result<Option<[f64; 2]>, ToolError> {
        layers_of(self.depth)
    }
}

/// The range of depths between which water is counted; `None` is the whole column.
///
/// # Errors
/// A depth that is no layer.
pub(super) fn layers_of(depth: Option<&DepthArgument>) -> Result<Option<[f64; 2]>, ToolError> {
    match depth.map(|depth| &depth.0) {
        None | Some(Depth::Column) => Ok(None),
        Some(Depth::Range(range)) => Ok(Some(*range)),
        Some(_) => Err(ToolError::invalid(
            "a transport needs layers; write depth as {\"range\": [0, 200]}, or leave it out for the whole column",
        )),
    }
}

/// What the water carries, with the units in which its field is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cargo<'a> {
    pub(super) field: &'a FieldArgument,
    pub(super) units: &'a str,
}

/// The velocity through the faces of a line and what was carried there.
#[derive(Debug)]
pub(super) struct SectionFlow {
    pub(super) line: Line,
    /// Through each face, `(time, depth, face)`, positive as asked.
    pub(super) velocity: Array3<f64>,
    /// What was carried, in the order of the cargo.
    pub(super) tracers: Vec<Array3<f64>>,
    /// Thickness of the levels inside of the range.
    pub(super) thickness: Vec<f64>,
    /// The components that there are, and the cargo after them.
    pub(super) fields: Vec<Field>,
    pub(super) chunks: Vec<ChunkTree>,
}

impl SectionFlow {
    /// Reads the components and the cargo along the line that `lay` lays through the first component.
    ///
    /// # Errors
    /// No velocity through the line; different grids; a line beside the grid.
    pub(super) fn along(
        asked: &Asked<'_>,
        cargo: &[Cargo<'_>],
        lay: impl Fn(&Field) -> Result<Line, ToolError>,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<Self, ToolError> {
        let part = Part { region: None, time: asked.time, depth: None };
        let open = |argument: &FieldArgument| part.open(argument, "m s-1", datasets, context);
        let (u, v) = (asked.u.map(open).transpose()?, asked.v.map(open).transpose()?);
        let Some(first) = u.as_ref().or(v.as_ref()) else {
            return Err(ToolError::invalid(
                "give u, v or both; a line along a meridian needs u, one along a parallel v",
            ));
        };
        let range = asked.range()?;
        let line = lay(first)?;
        for (axis, field, name) in [(0, &u, "u"), (1, &v, "v")] {
            if field.is_none() && line.faces.iter().any(|face| face.left[axis] != 0.0) {
                return Err(ToolError::invalid(format!(
                    "this line needs {name} too; only one along a meridian or parallel does without"
                )));
            }
        }
        let thickness = layers(first, range);
        let (has_u, has_v) = (u.is_some(), v.is_some());
        let mut fields: Vec<Field> = [u, v].into_iter().flatten().collect();
        for cargo in cargo {
            let field = part.open_as_is(cargo.field, datasets, context)?;
            // Salinity written with units 1 holds the usual thirty-five.
            let is_salinity = field.units() == "1" && cargo.units == "1e-3";
            let is_any = cargo.units.is_empty();
            fields.push(if is_salinity || is_any { field } else { in_units(&field, cargo.units)? });
        }
        let all: Vec<&Field> = fields.iter().collect();
        one_grid(&all)?;
        let (mut values, chunks) = sample(&all, &line, context)?;
        let tracers = values.split_off(usize::from(has_u) + usize::from(has_v));
        let velocity = normal(&line, asked.positive, has_u, has_v, &values);
        Ok(Self { line, velocity, tracers, thickness, fields, chunks })
    }

    /// The field whose axes the section has.
    pub(super) fn first(&self) -> &Field {
        &self.fields[0]
    }

    /// The cargo's field.
    pub(super) fn cargo(&self, at: usize) -> &Field {
        &self.fields[self.fields.len() - self.tracers.len() + at]
    }

    /// Widths of the faces, m.
    pub(super) fn width(&self) -> Vec<f64> {
        self.line.faces.iter().map(|face| face.width).collect()
    }
}

/// The velocity through each face.
fn normal(line: &Line, positive: Positive, has_u: bool, has_v: bool, values: &[Array3<f64>]) -> Array3<f64> {
    let (u, v) = (has_u.then(|| &values[0]), has_v.then(|| &values[usize::from(has_u)]));
    let shape = values.first().map_or((0, 0, 0), Array3::dim);
    let turn = positive.turn(line);
    Array3::from_shape_fn(shape, |at| {
        let part = |component: Option<&Array3<f64>>, share: f64| match component {
            Some(values) if share != 0.0 => values[at] * share,
            _ => 0.0,
        };
        let left = line.faces[at.2].left;
        turn * (part(u, left[0]) + part(v, left[1]))
    })
}
