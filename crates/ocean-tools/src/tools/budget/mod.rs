//! Terms of tracer budgets.

mod compare_budget_term_magnitudes;
mod compute_air_sea_co2_flux;
mod compute_budget_residual;
mod compute_flux_form_budget;
mod compute_horizontal_advection;
mod compute_local_tendency;
mod compute_mixed_layer_heat_budget;
mod compute_partial_tracer_budget;
mod compute_surface_heat_flux;
mod compute_tracer_advection_map;
mod compute_tracer_horizontal_advection_timeseries;
mod compute_vertical_advection;
mod region_mean;
mod term_series;

crate::computation::tools![
    compute_local_tendency::ComputeLocalTendency,
    compute_horizontal_advection::ComputeHorizontalAdvection,
    compute_tracer_advection_map::ComputeTracerAdvectionMap,
    compute_tracer_horizontal_advection_timeseries::ComputeTracerHorizontalAdvectionTimeseries,
    compute_vertical_advection::ComputeVerticalAdvection,
    compute_partial_tracer_budget::ComputePartialTracerBudget,
    compute_budget_residual::ComputeBudgetResidual,
    compare_budget_term_magnitudes::CompareBudgetTermMagnitudes,
    compute_mixed_layer_heat_budget::ComputeMixedLayerHeatBudget,
    compute_surface_heat_flux::ComputeSurfaceHeatFlux,
    compute_flux_form_budget::ComputeFluxFormBudget,
    compute_air_sea_co2_flux::ComputeAirSeaCo2Flux,
];
