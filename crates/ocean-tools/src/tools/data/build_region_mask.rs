//! `build_polygon_mask` and `build_named_region_mask`: the cells of a region.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array4;
use ocean_data::Field;
use ocean_data::field::Region;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::build_threshold_mask::counts;
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::argument::field::with_region;
use crate::computation::Computation;
use crate::frame::Frame;

/// Marks the cells inside a polygon.
pub(crate) struct BuildPolygonMask;

/// Marks the cells of a named region.
pub(crate) struct BuildNamedRegionMask;

/// Arguments of `build_polygon_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PolygonArguments {
    /// The field whose grid the mask is for.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    reference: FieldArgument,
    /// Corners `[lon, lat]`, in order; the last is joined to the first.
    #[schemars(length(min = 3))]
    polygon_points: Vec<[f64; 2]>,
    /// Marks the cells outside instead.
    #[serde(default)]
    invert: bool,
}

/// Arguments of `build_named_region_mask`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedArguments {
    /// The field whose grid the mask is for.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "any"}))]
    reference: FieldArgument,
    /// The region's name, such as `bohai_sea` or `nino34`.
    name: String,
}

impl Computation for BuildPolygonMask {
    const NAME: &'static str = "build_polygon_mask";
    type Arguments = PolygonArguments;

    fn describe() -> ToolSpec {
        spec("Mask of the cells inside a polygon.").description(
            "A cell is inside when its centre is, by the even-odd rule in longitude and latitude; a polygon may cross the \
             date line.",
        )
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let region = Region::from_json(&json!({ "polygon": arguments.polygon_points }), "/polygon_points")
            .map_err(|error| ToolError::invalid(error.to_string()))?;
        let field = arguments.reference.open(datasets, context)?;
        mask_of(&field, region, arguments.invert, "inside the polygon")
    }
}

impl Computation for BuildNamedRegionMask {
    const NAME: &'static str = "build_named_region_mask";
    type Arguments = NamedArguments;

    fn describe() -> ToolSpec {
        spec("Mask of the cells of a named region.").description(
            "A cell is in the region when its centre is. Regions are those of the versioned table.",
        )
    }

    fn run(
        arguments: &Self::Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.reference.open(datasets, context)?;
        let within = format!("in {}", arguments.name);
        mask_of(&field, Region::Name(arguments.name.clone()), false, &within)
    }
}

fn spec(summary: &str) -> ToolSpec {
    ToolSpec::new("data", summary, Port::of(Kind::Mask).dims(&["lat", "lon"]).unit("1"))
        .evidence(&["n_true", "n_valid", "fraction"])
        .purity(Purity::ReadsData)
}

/// The cells of the field's grid that a selection of the region takes.
fn mask_of(field: &Field, region: Region, invert: bool, condition: &str) -> Result<ToolOutput, ToolError> {
    let chosen = with_region(field, region)?;
    let (Some(lats), Some(lons)) = (field.lats(), field.lons()) else {
        return Err(ToolError::invalid(format!("`{}` has no latitude and longitude axes", field.name())));
    };
    let near = |a: f64, b: f64| ((a - b) - 360.0 * ((a - b) / 360.0).round()).abs() < 1e-6;
    let position = |own: &[f64], value: f64| own.iter().position(|&other| near(other, value));
    let (rows, columns) =
        (chosen.lats().map_or(&[][..], |a| &a.values), chosen.lons().map_or(&[][..], |a| &a.values));
    let frame = Frame::of(field)?.without_time().without_depth();
    let mut values = Array4::zeros(frame.full_shape());
    for (y, &lat) in rows.iter().enumerate() {
        for (x, &lon) in columns.iter().enumerate() {
            let inside = chosen.mask().is_none_or(|mask| mask[[y, x]]);
            if let (true, Some(row), Some(column)) =
                (inside, position(&lats.values, lat), position(&lons.values, lon))
            {
                values[[0, 0, row, column]] = 1.0;
            }
        }
    }
    if invert {
        values.mapv_inplace(|value: f64| 1.0 - value);
    }
    let condition = if invert { format!("not {condition}") } else { condition.to_owned() };
    let variable = frame.variable("mask", "1", &values);
    let drafts = counts(&variable.values, &condition);
    let mut artifact = frame.artifact("mask", variable).with_attribute("condition", condition);
    artifact.kind = Kind::Mask;
    Ok(ToolOutput::of(artifact).with_evidence(drafts))
}
