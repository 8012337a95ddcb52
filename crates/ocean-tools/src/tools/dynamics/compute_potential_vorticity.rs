//! `compute_potential_vorticity`: Ertel's potential vorticity.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_ekman_transport::sea;
use super::flow::{CoastsArgument, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_volume;
use crate::frame::Frame;
use crate::kernels::differences::Plane;
use crate::kernels::potential_vorticity::{Form, ertel};
use crate::outcome::{Quantity, any_array, read_from};
use crate::together::{Part, column_axis, map_axes, one_grid};
use crate::{Datasets, evidence};

/// Potential vorticity.
pub(crate) struct ComputePotentialVorticity;

/// Arguments of `compute_potential_vorticity`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Potential density, or an anomaly such as sigma0: in-situ density would count compression as stratification.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "kg m-3"}))]
    density: FieldArgument,
    /// Eastward current, for all forms but `planetary`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "m s-1"}))]
    u: Option<FieldArgument>,
    /// Northward current, for all forms but `planetary`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth", "lat", "lon"], "unit": "m s-1"}))]
    v: Option<FieldArgument>,
    /// Which parts of the vorticity count.
    #[serde(default)]
    form: FormArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Density by which it is divided, in kg m-3.
    #[serde(default = "sea")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

/// Which parts of the vorticity count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum FormArgument {
    /// The Earth's rotation alone.
    Planetary,
    /// And that of the current about the vertical.
    #[default]
    Vertical,
    /// And the shear along sloping surfaces of density.
    Full,
}

impl Computation for ComputePotentialVorticity {
    const NAME: &'static str = "compute_potential_vorticity";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Ertel's potential vorticity.", any_array("m-1 s-1"))
            .description(
                "Planetary −f ρ_z/ρ0, vertical −(f + ζ) ρ_z/ρ0, full −((f + ζ) ρ_z − v_z ρ_x + u_z ρ_y)/ρ0, z upwards, at the levels \
                 of the data: of the sign of f where the water is stable and slow. Hydrostatic, without the horizontal part of \
                 the Earth's rotation; N²/g of it is the planetary form's stretching. Vertical differences are one-sided at the \
                 ends of a column; horizontal ones centred on the sphere (R = 6371000 m), one-sided at the edges of the grid, \
                 missing beside land unless `coasts` is one_sided. All fields must stand on one grid.",
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
        let density = part.open(&arguments.density, "kg m-3", datasets, context)?;
        let (form, method) = match arguments.form {
            FormArgument::Planetary => (Form::Planetary, "potential vorticity −f ρ_z/ρ0"),
            FormArgument::Vertical => (Form::Vertical, "potential vorticity −(f + ζ) ρ_z/ρ0"),
            FormArgument::Full => (Form::Full, "potential vorticity −((f + ζ) ρ_z − v_z ρ_x + u_z ρ_y)/ρ0"),
        };
        let flow = match (form, &arguments.u, &arguments.v) {
            (Form::Planetary, ..) => None,
            (_, Some(u), Some(v)) => Some(Flow::open(part, u, v, datasets, context)?),
            _ => {
                return Err(ToolError::invalid(
                    "this form needs u and v; give both, or take form `planetary`",
                ));
            }
        };
        let mut fields = vec![&density];
        fields.extend(flow.iter().flat_map(|flow| [&flow.u, &flow.v]));
        one_grid(&fields)?;
        let depth = column_axis(&density)?;
        let (lat, lon) = map_axes(&density)?;
        let plane = Plane::new(&lat, &lon, arguments.wrap, arguments.coasts.coasts());
        let derived = by_volume(&fields, context, |volumes| {
            let current = volumes.get(1).zip(volumes.get(2)).map(|(u, v)| [u, v]);
            ertel(&plane, &depth, &volumes[0], current, form, arguments.rho0)
        })?;
        let method = format!("{method}, ρ0 {} kg m-3, z upwards", arguments.rho0);
        let quantity =
            Quantity { name: "potential_vorticity", standard_name: None, units: "m-1 s-1", method: &method };
        Ok(read_from(quantity.output(&Frame::of(&density)?, &derived.values), &fields, &derived.chunks))
    }
}
