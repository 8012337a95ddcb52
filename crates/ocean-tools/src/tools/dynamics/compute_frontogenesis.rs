//! `compute_frontogenesis`: how fast a current sharpens a gradient.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};

use super::tracer_flow::TracerArguments;
use crate::computation::Computation;
use crate::kernels::gradient::frontogenesis;
use crate::kernels::kinematics::VelocityGradient;
use crate::outcome::{Quantity, any_array, read_from};
use crate::series::units_of;
use crate::{Datasets, evidence};

/// Frontogenesis by horizontal currents.
pub(crate) struct ComputeFrontogenesis;

impl Computation for ComputeFrontogenesis {
    const NAME: &'static str = "compute_frontogenesis";
    type Arguments = TracerArguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("dynamics", "Rate at which a current sharpens a gradient.", any_array("any"))
            .description(
                "F = −(u_x C_x² + v_y C_y² + (u_y + v_x) C_x C_y) with the curvature terms of the sphere: half the rate at \
                 which |∇C|² of a water parcel grows (Hoskins 1982), positive where fronts sharpen, in the square of the data's \
                 units per square metre and second. Centred differences (R = 6371000 m), one-sided at the edges of the grid, \
                 missing beside land unless `coasts` is one_sided. All fields must stand on one grid.",
            )
            .evidence(&evidence::SERIES)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &TracerArguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let carried = arguments.carried(datasets, context)?;
        let (plane, tracer) = (&carried.plane, &carried.tracer);
        let derived = carried.by_map(context, |maps| {
            frontogenesis(plane, &maps[0], &VelocityGradient::of(plane, &maps[1], &maps[2]))
        })?;
        let name = format!("{}_frontogenesis", tracer.variable().identity_name());
        let own = units_of(tracer);
        let units = match own.as_str() {
            "1" => "m-2 s-1".to_owned(),
            simple if simple.chars().all(char::is_alphabetic) => format!("{simple}2 m-2 s-1"),
            other => format!("({other})^2 m-2 s-1"),
        };
        let quantity = Quantity {
            name: &name,
            standard_name: None,
            units: &units,
            method: "frontogenesis −(u_x C_x² + v_y C_y² + (u_y + v_x) C_x C_y)",
        };
        Ok(read_from(
            quantity.output(&carried.flow.frame, &derived.values),
            &carried.fields(),
            &derived.chunks,
        ))
    }
}
