//! `compute_rossby_radius`: the first baroclinic radius of deformation.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Axis;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_column;
use crate::frame::Frame;
use crate::kernels::vertical::present;
use crate::kernels::vertical_modes::{lowest, modes, radius, wkb_speed};
use crate::masking::Overlay;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, column_axis};

/// Radius of deformation and wave speed.
pub(crate) struct ComputeRossbyRadius;

/// Arguments of `compute_rossby_radius`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Squared buoyancy frequency over the whole column.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "hovmoller"], "dims": ["time?", "depth", "lat?", "lon?"], "unit": "s-2"}))]
    n2: FieldArgument,
    /// Depth of the sea, positive; without it the column ends as far below its lowest level as half-way above.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "scalar"], "dims": ["lat?", "lon?"], "unit": "m"}))]
    bottom_depth: Option<FieldArgument>,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// How the wave speed is found.
    #[serde(default)]
    method: Method,
}

/// How the wave speed is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The integral of N over π.
    #[default]
    Wkb,
    /// The eigenvalue of the first mode.
    Eigen,
}

impl Computation for ComputeRossbyRadius {
    const NAME: &'static str = "compute_rossby_radius";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "First baroclinic radius of deformation and wave speed.", any_array("any"))
            .description(
                "L = c/|f|, within 5° of the equator √(c/2β) (Chelton et al. 1998), in km; c = (1/π) ∫ N dz (WKB, N = 0 where N² \
                 is negative) or, with method eigen, from w″ + (N²/c²) w = 0 with w = 0 at a rigid surface and the bottom. \
                 Levels of N² stand for the water half-way to their neighbours. Outputs `radius` (km) and `speed` (m s-1).",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["radius", "speed"], "any")
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let n2 = part.open(&arguments.n2, "s-2", datasets, context)?;
        let depth = column_axis(&n2)?;
        let lat = n2.lats().map(|axis| axis.values.clone()).ok_or_else(|| {
            ToolError::invalid(format!(
                "`{}` has no latitude, on which the radius depends; give a field or a profile with its place",
                n2.name()
            ))
        })?;
        let bottom = arguments.bottom_depth.as_ref().map(|bottom| {
            let still = Part { time: None, ..part };
            Overlay::over(&n2, &still.open(bottom, "m", datasets, context)?)
        });
        let bottom = bottom.transpose()?;
        let derived = by_column(&[&n2], context, 2, |place, columns, out| {
            let (z, n2) = present(&depth, &columns[0]);
            if z.is_empty() {
                return;
            }
            let floor = bottom.as_ref().map_or_else(|| lowest(&z), |bottom| bottom.at(place));
            let speed = match arguments.method {
                Method::Wkb => wkb_speed(&n2, &z, floor),
                Method::Eigen => modes(&n2, &z, floor, 1).first().map_or(f64::NAN, |mode| mode.speed),
            };
            out.copy_from_slice(&[radius(speed, lat[place.lat]) / 1000.0, speed]);
        })?;
        let how = match arguments.method {
            Method::Wkb => "WKB wave speed (1/π) ∫ N dz",
            Method::Eigen => "wave speed of the first vertical mode",
        };
        let end = if bottom.is_some() {
            "down to bottom_depth"
        } else {
            "down to half a step below the lowest level"
        };
        let methods = [
            format!(
                "first baroclinic radius of deformation c/|f|, √(c/2β) within 5° of the equator, {how} {end}"
            ),
            format!("{how} {end}"),
        ];
        let level = |at: usize| derived.values.index_axis(Axis(1), at).to_owned().insert_axis(Axis(1));
        let (lengths, speeds) = (level(0), level(1));
        let quantity =
            |name, units, at: usize| Quantity { name, standard_name: None, units, method: &methods[at] };
        let parts = [
            ("radius", quantity("rossby_radius", "km", 0), &lengths),
            ("speed", quantity("gravity_wave_speed", "m s-1", 1), &speeds),
        ];
        let frame = Frame::of(&n2)?.without_depth();
        Ok(read_from(parts_output(&frame, &parts), &[&n2], &derived.chunks))
    }
}
