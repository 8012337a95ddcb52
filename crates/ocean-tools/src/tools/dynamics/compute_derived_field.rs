//! `compute_derived_field`: the gradient of a field.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{CoastsArgument, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::{by_column, by_map};
use crate::frame::Frame;
use crate::kernels::differences::Plane;
use crate::kernels::gradient::{magnitude, sobel};
use crate::kernels::layers::upward_slope;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::together::{Part, column_axis, map_axes};
use crate::{Datasets, evidence};

/// A field made from another by differentiation.
pub(crate) struct ComputeDerivedField;

/// Arguments of `compute_derived_field`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What is derived.
    field_type: FieldType,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "profile", "section"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
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
    /// For a horizontal gradient: whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// For a horizontal gradient: what becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

/// What is derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FieldType {
    /// Length of the horizontal gradient per metre.
    HorizontalGradient,
    /// Response of the Sobel masks per cell.
    Sobel,
    /// Upward change per metre.
    VerticalGradient,
}

impl Computation for ComputeDerivedField {
    const NAME: &'static str = "compute_derived_field";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Horizontal or vertical gradient of a field.", any_array("any"))
            .description(
                "`horizontal_gradient`: √(C_x² + C_y²) per metre by centred differences on the sphere (R = 6371000 m), \
                 one-sided at the edges of the grid, missing beside land unless `coasts` is one_sided. `sobel`: length of the \
                 two raw 3 x 3 Sobel responses in units of the data, missing cells filled with the map's mean and the edge \
                 repeated. `vertical_gradient`: ∂C/∂z per metre at the levels, z upwards, one-sided at the ends of a column. \
                 For vorticity and speed there are `compute_spatial_vorticity_map` and `compute_speed_from_uv`.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let field = part.open_as_is(&arguments.data, datasets, context)?;
        let own = units_of(&field);
        let per_metre = if own == "1" { "m-1".to_owned() } else { format!("{own} m-1") };
        let (derived, suffix, units, method) = match arguments.field_type {
            FieldType::HorizontalGradient => {
                let (lat, lon) = map_axes(&field)?;
                let plane = Plane::new(&lat, &lon, arguments.wrap, arguments.coasts.coasts());
                let derived = by_map(&[&field], context, |_, maps| magnitude(&plane, &maps[0]))?;
                (derived, "gradient", per_metre, "length of the horizontal gradient")
            }
            FieldType::Sobel => {
                map_axes(&field)?;
                let derived = by_map(&[&field], context, |_, maps| sobel(&maps[0]))?;
                (derived, "sobel", own, "length of the Sobel responses")
            }
            FieldType::VerticalGradient => {
                let depth = column_axis(&field)?;
                let derived = by_column(&[&field], context, depth.len(), |_, columns, out| {
                    out.copy_from_slice(&upward_slope(&columns[0], &depth));
                })?;
                (derived, "vertical_gradient", per_metre, "upward change per metre")
            }
        };
        let name = format!("{}_{suffix}", field.variable().identity_name());
        let quantity = Quantity { name: &name, standard_name: None, units: &units, method };
        Ok(read_from(quantity.output(&Frame::of(&field)?, &derived.values), &[&field], &derived.chunks))
    }
}
