//! `compute_potential_energy_anomaly`: potential energy anomaly.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Energy that would mix a layer.
pub(crate) struct ComputePotentialEnergyAnomaly;

/// Arguments of `compute_potential_energy_anomaly`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    density: FieldArgument,
    /// Upper and lower depth, m.
    depth_range: [f64; 2],
    /// What stands for the values between the levels.
    #[serde(default)]
    layers: Layers,
    /// Share of the layer that must have values.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

impl Computation for ComputePotentialEnergyAnomaly {
    const NAME: &'static str = "compute_potential_energy_anomaly";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Potential energy anomaly of a layer.", port("J m-3"))
            .description(
                "phi = (g / h) times the integral of (mean density - density) z over the layer, z up and 0 at the surface, g 9.7963 m s-2, in J m-3 (Simpson 1981; de Boer et al. 2008): the energy per volume that would mix the layer; positive when it is stable.",
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
    layer_argument::check(arguments.depth_range, arguments.min_coverage)?;
    let [top, bottom] = arguments.depth_range;
    let columns = Columns::of(vec![arguments.density.open(datasets, context)?]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::None, 1, |view| {
        let layer = arguments.depth_range;
        vec![vec![arguments.layers.energy_anomaly(view, &view.values[0], layer, arguments.min_coverage)]]
    })?;
    let method = format!("potential energy anomaly from {top} to {bottom} m");
    let quantity = Quantity::new("potential_energy_anomaly", "J m-3");
    columns.output(&Levels::None, &[quantity], &computed, &method, vec![])
}
