//! `compute_strain_rate`: how a current deforms.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::{CoastsArgument, DERIVATIVES, Flow, yes};
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::outcome::{Quantity, any_array};
use crate::together::Part;
use crate::{Datasets, evidence};

/// The rate at which a current deforms.
pub(crate) struct ComputeStrainRate;

/// Arguments of `compute_strain_rate`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map"], "dims": ["time?", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// The whole rate, or one of its components.
    #[serde(default)]
    component: Component,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

/// The whole rate, or one of its components.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Component {
    /// `√(s_n² + s_s²)`.
    #[default]
    Total,
    /// `s_n`.
    Normal,
    /// `s_s`.
    Shear,
}

impl Computation for ComputeStrainRate {
    const NAME: &'static str = "compute_strain_rate";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Horizontal strain rate of a current.", any_array("s-1"))
            .description(&format!(
                "√(s_n² + s_s²) with the normal strain s_n = u_x − v_y − v tan φ / R and the shear strain \
                 s_s = v_x + u_y + u tan φ / R, or one of both. {DERIVATIVES}"
            ))
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
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let derived = flow.by_gradient(&plane, context, |_, gradient| match arguments.component {
            Component::Total => gradient.strain_rate(),
            Component::Normal => gradient.normal_strain(),
            Component::Shear => gradient.shear_strain(),
        })?;
        let (name, method) = match arguments.component {
            Component::Total => ("strain_rate", "strain rate √(s_n² + s_s²)"),
            Component::Normal => ("normal_strain", "normal strain u_x − v_y − v tan φ / R"),
            Component::Shear => ("shear_strain", "shear strain v_x + u_y + u tan φ / R"),
        };
        Ok(flow.answer(&Quantity { name, standard_name: None, units: "s-1", method }, &derived))
    }
}
