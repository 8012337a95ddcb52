//! `compute_wind_stress`: the stress of the wind on the sea.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flow::Flow;
use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell_parts;
use crate::kernels::wind::Drag;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, one_grid};

/// Wind stress.
pub(crate) struct ComputeWindStress;

/// Arguments of `compute_wind_stress`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward wind at 10 m.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    u10: FieldArgument,
    /// Northward wind at 10 m.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    v10: FieldArgument,
    /// Eastward surface current, for the stress of the wind relative to it.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    u_current: Option<FieldArgument>,
    /// Northward surface current.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    v_current: Option<FieldArgument>,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// How the drag follows from the wind.
    #[serde(default)]
    formula: Formula,
    /// For `constant`: the drag coefficient.
    #[serde(default)]
    #[schemars(range(min = 0, max = 0.1))]
    drag_coefficient: Option<f64>,
    /// Density of the air in kg m-3.
    #[serde(default = "air")]
    #[schemars(range(min = 0.5, max = 2))]
    rho_air: f64,
}

fn air() -> f64 {
    1.22
}

/// How the drag follows from the wind.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Formula {
    /// Large and Pond (1981).
    LargePond1981,
    /// Large and Yeager (2009), neutral.
    #[default]
    LargeYeager2009,
    /// `drag_coefficient`.
    Constant,
}

impl Computation for ComputeWindStress {
    const NAME: &'static str = "compute_wind_stress";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Wind stress from the wind at 10 m.", any_array("N m-2"))
            .description(
                "τ = ρ_a C_d |U| U, in the direction to which the wind blows. C_d by Large and Yeager (2009, eq. 11), \
                 Large and Pond (1981), or constant; all neutral, without stability. Of means of the wind the stress \
                 is too small, since |U| U is not linear. With a current, U is the wind relative to it. Two outputs, \
                 `tau_x` eastward and `tau_y` northward.",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &["tau_x", "tau_y"], "N m-2")
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let (drag, noun) = match (arguments.formula, arguments.drag_coefficient) {
            (Formula::Constant, Some(value)) => (Drag::Constant(value), format!("drag coefficient {value}")),
            (Formula::Constant, None) => {
                return Err(ToolError::invalid("formula `constant` needs drag_coefficient, such as 0.0013"));
            }
            (_, Some(_)) => {
                return Err(ToolError::invalid(
                    "drag_coefficient belongs to formula `constant`; leave out one of both",
                ));
            }
            (Formula::LargePond1981, None) => {
                (Drag::LargePond1981, "drag of Large and Pond (1981)".to_owned())
            }
            (Formula::LargeYeager2009, None) => {
                (Drag::LargeYeager2009, "neutral drag of Large and Yeager (2009)".to_owned())
            }
        };
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let wind = Flow::open(part, &arguments.u10, &arguments.v10, datasets, context)?;
        let current = match (&arguments.u_current, &arguments.v_current) {
            (None, None) => None,
            (Some(u), Some(v)) => Some(Flow::open(part, u, v, datasets, context)?),
            _ => return Err(ToolError::invalid("give both u_current and v_current, or none")),
        };
        let mut fields = vec![&wind.u, &wind.v];
        fields.extend(current.iter().flat_map(|flow| [&flow.u, &flow.v]));
        one_grid(&fields)?;
        let derived = by_cell_parts(&fields, context, 2, |_, cell, out| {
            let moving = |at: usize| cell.get(at).copied().unwrap_or(0.0);
            out.copy_from_slice(&drag.stress(cell[0] - moving(2), cell[1] - moving(3), arguments.rho_air));
        })?;
        let relative = if current.is_some() { ", of the wind relative to the current" } else { "" };
        let method = format!("wind stress with {noun}, air of {} kg m-3{relative}", arguments.rho_air);
        let quantity = |name, standard_name| Quantity {
            name,
            standard_name: Some(standard_name),
            units: "N m-2",
            method: &method,
        };
        let parts = [
            ("tau_x", quantity("tau_x", "surface_downward_eastward_stress"), &derived.parts[0]),
            ("tau_y", quantity("tau_y", "surface_downward_northward_stress"), &derived.parts[1]),
        ];
        Ok(read_from(parts_output(&wind.frame, &parts), &fields, &derived.chunks))
    }
}
