//! `build_isobath_mask`: the cells on one side of an isobath.

use std::sync::Arc;

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use ocean_data::cf::Attribute;
use ocean_data::{Field, Selection};
use schemars::JsonSchema;
use serde::Deserialize;

use super::build_threshold_mask::counts;
use crate::argument::FieldArgument;
use crate::bottom::deepest_levels;
use crate::computation::Computation;
use crate::derived::by_cell;
use crate::frame::Frame;
use crate::together::{differing, in_units};
use crate::{Datasets, reading};

/// Names of variables that hold the depth of the sea floor, in lower case.
const DEPTHS: [&str; 6] = ["deptho", "h", "bathymetry", "bathy", "hh", "sea_floor_depth"];

/// Marks cells shallower or deeper than an isobath.
pub(crate) struct BuildIsobathMask;

/// Arguments of `build_isobath_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The isobath, m below the surface.
    #[schemars(range(min = 0.0), extend("x-leg-port" = {"unit": "m"}))]
    isobath_depth: f64,
    /// The side that is marked.
    comparison: Side,
    /// Depth of the sea floor, or height of the ground.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "lat", "lon"], "unit": "m"}))]
    bathymetry: Option<FieldArgument>,
    /// The field whose grid the mask is for; without `bathymetry` its dataset's own, or its deepest wet levels, are taken.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    reference: Option<FieldArgument>,
    /// Marks the other cells instead.
    #[serde(default)]
    invert: bool,
}

/// A side of an isobath.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Side {
    /// The shelf.
    ShallowerOrEqual,
    /// The deep sea.
    DeeperOrEqual,
}

/// Depths of the sea floor, positive down, and where they are from.
struct Floor {
    field: Field,
    depths: Array4<f64>,
    source: String,
}

impl Computation for BuildIsobathMask {
    const NAME: &'static str = "build_isobath_mask";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("data", "Mask of the cells shallower or deeper than an isobath.", Port::of(Kind::Mask).dims(&["lat", "lon"]).unit("1"))
            .description(
                "The depth of the sea floor is that of `bathymetry`, which may also be heights of the ground (by its standard \
                 name, its attribute positive, or its sign); otherwise that of a bathymetry in the reference's dataset (standard \
                 name sea_floor_depth_…, or deptho, h, bathymetry) on its grid; otherwise the lower edge of the deepest level \
                 that has a value at any time, which is as coarse as the levels. Which it was is in the result. Land, and what \
                 has no depth, is missing.",
            )
            .evidence(&["n_true", "n_valid", "fraction"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let isobath = arguments.isobath_depth;
        if !(isobath >= 0.0 && isobath.is_finite()) {
            return Err(ToolError::invalid("isobath_depth must be metres below the surface, such as 200"));
        }
        let reference =
            arguments.reference.as_ref().map(|field| field.open(datasets, context)).transpose()?;
        let floor = match (&arguments.bathymetry, &reference) {
            (Some(bathymetry), _) => {
                let floor = stated(&bathymetry.open(datasets, context)?, context)?;
                if let Some(reference) = &reference {
                    let axis = differing(&floor.field, reference)
                        .into_iter()
                        .find(|axis| matches!(*axis, "latitudes" | "longitudes"));
                    if let Some(axis) = axis {
                        return Err(ToolError::invalid(format!(
                            "the bathymetry `{}` and `{}` have different {axis}; bring it to that grid with \
                             `regrid_conservative`",
                            floor.field.name(),
                            reference.name()
                        )));
                    }
                }
                floor
            }
            (None, Some(reference)) => match of_dataset(reference) {
                Some(field) => stated(&field, context)?,
                None => inferred(reference, context)?,
            },
            (None, None) => {
                return Err(ToolError::invalid(
                    "give bathymetry, or a reference field to find the depths by",
                ));
            }
        };
        let mask = floor.depths.mapv(|depth| match arguments.comparison {
            // Land has no depth.
            _ if depth.is_nan() || depth <= 0.0 => f64::NAN,
            Side::ShallowerOrEqual => truth((depth <= isobath) != arguments.invert),
            Side::DeeperOrEqual => truth((depth >= isobath) != arguments.invert),
        });
        let word = match arguments.comparison {
            Side::ShallowerOrEqual => "shallower than or at",
            Side::DeeperOrEqual => "deeper than or at",
        };
        let not = if arguments.invert { "not " } else { "" };
        let condition = format!("the sea floor is {not}{word} {isobath} m");
        let frame = Frame::of(&floor.field)?.without_time().without_depth();
        let variable = frame.variable("mask", "1", &mask);
        let drafts = counts(&variable.values, &condition);
        let mut artifact = frame
            .artifact("mask", variable)
            .with_variable(frame.variable("sea_floor_depth", "m", &floor.depths))
            .with_attribute("condition", condition)
            .with_attribute("depths_from", floor.source.clone());
        artifact.kind = Kind::Mask;
        let mut notes = reading::notes(&floor.field);
        notes.push(format!("the depth of the sea floor is {}", floor.source));
        Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes))
    }
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// Depths that a field states.
fn stated(field: &Field, context: &ToolContext) -> Result<Floor, ToolError> {
    let field = in_units(field, "m")?;
    let one = match field.times() {
        Some(times) if times.dates.len() > 1 => {
            return Err(ToolError::invalid(format!(
                "`{}` has {} times and the sea floor has none; select one time",
                field.name(),
                times.dates.len()
            )));
        }
        _ => field,
    };
    let read = by_cell(&[&one], context, |_, cell| cell[0])?;
    let (heights, why) = are_heights(&one, &read.values);
    let depths = if heights { read.values.mapv(|value| -value) } else { read.values };
    let kind = if heights { "heights" } else { "depths" };
    Ok(Floor { source: format!("that of `{}`, taken as {kind} by {why}", one.name()), depths, field: one })
}

/// Whether values are heights of the ground above the sea, and why.
fn are_heights(field: &Field, values: &Array4<f64>) -> (bool, &'static str) {
    let standard = field.standard_name().unwrap_or_default();
    if standard.contains("depth") {
        return (false, "its standard name");
    }
    if standard.contains("altitude") || standard.contains("height") {
        return (true, "its standard name");
    }
    let stored = field.dataset().store().variables().iter().find(|own| own.name == field.name());
    match stored.and_then(|own| own.attributes.get("positive")).and_then(Attribute::as_text) {
        Some("up") => return (true, "its attribute positive"),
        Some("down") => return (false, "its attribute positive"),
        _ => {}
    }
    let lowest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (lowest < 0.0 && -lowest > highest, "its sign")
}

/// The bathymetry in a field's own dataset, on its grid.
fn of_dataset(reference: &Field) -> Option<Field> {
    let dataset = reference.dataset();
    let is_floor = |name: &str, standard: Option<&str>| {
        standard.is_some_and(|standard| standard.starts_with("sea_floor_depth"))
            || DEPTHS.contains(&name.rsplit('/').next().unwrap_or(name).to_lowercase().as_str())
    };
    let found = dataset
        .variables()
        .iter()
        .find(|own| own.name != reference.name() && is_floor(&own.name, own.standard_name.as_deref()))?;
    let selection =
        Selection { region: reference.selection().region.clone(), ..Selection::of(found.name.clone()) };
    let field = Arc::clone(dataset).select(&selection).ok()?;
    let elsewhere =
        differing(&field, reference).into_iter().any(|axis| matches!(axis, "latitudes" | "longitudes"));
    (!elsewhere && !field.units().is_empty()).then_some(field)
}

/// Depths by the deepest level with a value.
fn inferred(reference: &Field, context: &ToolContext) -> Result<Floor, ToolError> {
    let Some(levels) = reference.depths().filter(|axis| axis.values.len() > 1) else {
        return Err(ToolError::invalid(format!(
            "the dataset of `{}` has no bathymetry and the field has no levels to infer it from; give bathymetry, or a \
             reference with depth \"column\"",
            reference.name()
        )));
    };
    let (deepest, _) = deepest_levels(reference, context)?;
    let depths = deepest.mapv(|level| level.map_or(f64::NAN, |level| levels.bounds[level][1]));
    Ok(Floor {
        source: format!("the lower edge of the deepest level of `{}` that has a value", reference.name()),
        depths: depths.insert_axis(Axis(0)).insert_axis(Axis(0)),
        field: reference.clone(),
    })
}
