//! `compute_overturning_streamfunction`: the meridional overturning in depth.

use leg_core::{ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array2, Array4, Axis};
use ocean_data::field::{WalkControl, WholeAxes};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::{Frame, Side};
use crate::kernels::sphere::{EARTH_RADIUS, RADIANS};
use crate::kernels::transport::overturning;
use crate::outcome::{Quantity, any_array, read_from};
use crate::sections::layers;
use crate::together::{Part, column_axis, map_axes};
use crate::{Datasets, evidence, reading};

/// The meridional overturning.
pub(crate) struct ComputeOverturningStreamfunction;

/// Arguments of `compute_overturning_streamfunction`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Northward current; a region such as a basin's polygon leaves the others out.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the field's own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the field's times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Which turn is positive.
    #[serde(default)]
    sign: Sign,
}

/// Which turn is positive.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Sign {
    /// Northward above and southward below, as in the Atlantic.
    #[default]
    NorthwardAbove,
    /// The other.
    SouthwardAbove,
}

impl Computation for ComputeOverturningStreamfunction {
    const NAME: &'static str = "compute_overturning_streamfunction";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("transport", "Meridional overturning streamfunction in depth.", any_array("Sv"))
            .description(
                "ψ(y, z) = ∫∫ v dx dz over all longitudes and from the surface down to z, in Sv (1e6 m3 s-1), on the edges \
                 of the layers: 0, half-way between the levels, and as far below the last as above it. Positive where \
                 water goes north above z, unless `sign` turns it. Land counts nothing; widths are R cos φ Δλ with \
                 R = 6371000 m. It closes only where the region has coasts east and west.",
            )
            .evidence(&evidence::SERIES)
            .purity(leg_core::Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let v = part.open(&arguments.v, "m s-1", datasets, context)?;
        let (lat, _) = map_axes(&v)?;
        column_axis(&v)?;
        let thickness = layers(&v, None);
        let width = widths(&v, &lat);
        let [times, levels, rows, _] = v.full_shape();
        let mut values = Array4::from_elem([times, levels + 1, rows, 1], f64::NAN);
        let whole = WholeAxes { depth: true, horizontal: true, ..WholeAxes::default() };
        let control = WalkControl { whole, ..reading::control(context) };
        let unit = if arguments.sign == Sign::NorthwardAbove { 1e6 } else { -1e6 };
        let chunks = v
            .walk(
                &control,
                |block| {
                    let maps = block.values.outer_iter().map(|v| overturning(&v, &thickness, &width) / unit);
                    (block.offset[0], maps.collect::<Vec<Array2<f64>>>())
                },
                |(from, maps)| {
                    for (at, psi) in maps.iter().enumerate() {
                        values.index_axis_mut(Axis(0), from + at).index_axis_mut(Axis(2), 0).assign(psi);
                    }
                },
            )
            .map_err(|error| reading::cannot_read(&error))?;
        let mut edges = vec![v.depths().map_or(0.0, |axis| axis.bounds[0][0].max(0.0))];
        if v.selection().depth.is_none() {
            edges[0] = 0.0;
        }
        for (at, layer) in thickness.iter().enumerate() {
            edges.push(edges[at] + layer);
        }
        let frame = Frame::of(&v)?.without_lon().with_depth(Side::at(edges));
        let turn = if arguments.sign == Sign::NorthwardAbove {
            "positive northward above"
        } else {
            "positive southward above"
        };
        let method = format!("overturning streamfunction, integral of v from the surface, {turn}");
        let quantity = Quantity {
            name: "overturning_streamfunction",
            standard_name: Some("ocean_meridional_overturning_streamfunction"),
            units: "Sv",
            method: &method,
        };
        Ok(read_from(quantity.output(&frame, &values), &[&v], &[chunks]))
    }
}

/// Widths of the cells `(lat, lon)` in metres; 0 outside of a polygon.
fn widths(v: &ocean_data::Field, lat: &[f64]) -> Array2<f64> {
    let empty = Vec::new();
    let bounds = v.lons().map_or(&empty, |axis| &axis.bounds);
    Array2::from_shape_fn((lat.len(), bounds.len()), |(y, x)| {
        let inside = v.mask().is_none_or(|mask| mask[[y, x]]);
        let degrees = if inside { (bounds[x][1] - bounds[x][0]).abs() } else { 0.0 };
        EARTH_RADIUS * libm::cos(lat[y] * RADIANS) * degrees * RADIANS
    })
}
