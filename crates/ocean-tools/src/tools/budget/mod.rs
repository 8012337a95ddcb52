//! Terms of tracer budgets.

pub(super) mod compute_horizontal_advection;
pub(super) mod compute_local_tendency;
pub(super) mod compute_tracer_advection_map;
pub(super) mod compute_vertical_advection;
