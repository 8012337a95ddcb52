//! Terms of tracer budgets.

mod compute_horizontal_advection;
mod compute_local_tendency;
mod compute_tracer_advection_map;
mod compute_vertical_advection;

crate::computation::tools![
    compute_local_tendency::ComputeLocalTendency,
    compute_horizontal_advection::ComputeHorizontalAdvection,
    compute_tracer_advection_map::ComputeTracerAdvectionMap,
    compute_vertical_advection::ComputeVerticalAdvection,
];
