//! `compute_barrier_layer_thickness`: the barrier layer.

use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::teos10::sea_water;
use crate::kernels::vertical::{self, Departure, MixedLayer};
use crate::tools::watermass::water_tool::port;
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Thickness of the barrier layer.
pub(crate) struct ComputeBarrierLayerThickness;

/// Arguments of `compute_barrier_layer_thickness`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    temperature_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    salinity_kind: Option<SalinityKind>,
    /// Change of temperature from the reference depth, K.
    #[serde(default = "fifth")]
    delta_t: f64,
    /// Increase of density; if absent that of `delta_t` at the reference depth.
    #[serde(default)]
    delta_sigma: Option<f64>,
    /// Depth of the reference values, m.
    #[serde(default = "ten")]
    reference_depth: f64,
}

fn fifth() -> f64 {
    0.2
}

fn ten() -> f64 {
    10.0
}

impl Computation for ComputeBarrierLayerThickness {
    const NAME: &'static str = "compute_barrier_layer_thickness";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Thickness of the barrier layer.", port("m"))
            .description(
                "Isothermal layer depth (temperature of the data, 0.2 K) less mixed layer depth (sigma0, the increase that delta_t makes at the reference depth, or delta_sigma), in m (de Boyer Montegut et al. 2007, Journal of Geophysical Research 112, C06011); negative for a compensated layer. Arrays isothermal_layer_depth and mixed_layer_depth hold the two.",
            )
            .evidence(&evidence::MAP)
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        run(arguments, datasets, context)
    }
}

fn run(arguments: &Arguments, datasets: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
    let (temp, salt) = (arguments.temp.open(datasets, context)?, arguments.salt.open(datasets, context)?);
    let water = Water::new(&temp, &salt, vec![], arguments.temperature_kind, arguments.salinity_kind)?;
    water.columns.need_levels(2)?;
    let (delta_t, reference) = (arguments.delta_t, arguments.reference_depth);
    let computed = water.columns.compute(context, &Levels::None, 3, |view| {
        let own = water.column(view);
        let sigma = own.map(|sa, ct, _| sea_water::sigma(sa, ct, 0.0));
        let at_reference = |values: &[f64]| {
            let (z, v) = vertical::present(view.depth, values);
            let target = reference.max(z.first().copied().unwrap_or(reference));
            interpolate(&z, &v, &[target], Method::Linear)[0]
        };
        let step = arguments.delta_sigma.unwrap_or_else(|| {
            let (sa, ct) = (at_reference(&own.sa), at_reference(&own.ct));
            sea_water::sigma(sa, ct - delta_t, 0.0) - sea_water::sigma(sa, ct, 0.0)
        });
        let layer = |values: &[f64], threshold: f64, departure: Departure| {
            depth_of(vertical::mixed_layer(view.depth, values, reference, threshold, departure))
        };
        let isothermal = layer(&view.values[0], delta_t, Departure::Absolute);
        let mixed = if step > 0.0 { layer(&sigma, step, Departure::Increase) } else { f64::NAN };
        vec![vec![isothermal - mixed], vec![isothermal], vec![mixed]]
    })?;
    let quantities = ["barrier_layer_thickness", "isothermal_layer_depth", "mixed_layer_depth"];
    let method = format!("barrier layer thickness, {delta_t} K from {reference} m");
    water.columns.output(
        &Levels::None,
        &quantities.map(|name| Quantity::new(name, "m")),
        &computed,
        &method,
        water.notes.clone(),
    )
}

/// The depth of a mixed layer; NaN without one.
fn depth_of(layer: Option<MixedLayer>) -> f64 {
    match layer {
        Some(MixedLayer::To(depth) | MixedLayer::WholeColumn(depth)) => depth,
        None => f64::NAN,
    }
}
