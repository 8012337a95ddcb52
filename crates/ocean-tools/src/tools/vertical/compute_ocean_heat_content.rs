//! `compute_ocean_heat_content`: heat content of a layer.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::heat_maps::HeatMaps;
use super::layer_argument::{self, Layers};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Computed, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical::layer_thickness;
use crate::tools::watermass::water_tool::port;
use crate::water::{Water, in_celsius};
use leg_core::EvidenceDraft;
use ocean_data::field::reduce::{Weighting, cell_weights};

/// Heat content of a layer.
pub(crate) struct ComputeOceanHeatContent;

/// Arguments of `compute_ocean_heat_content`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: FieldArgument,
    /// Salinity, with which the temperature is converted to Conservative Temperature; without it the temperature is
    /// taken as it is.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: Option<FieldArgument>,
    /// Upper and lower depth, m.
    #[serde(default = "upper_ocean")]
    depth_range: [f64; 2],
    /// Temperature of no heat, degC.
    #[serde(default)]
    reference_temperature: f64,
    /// Density, kg m-3.
    #[serde(default = "density")]
    rho0: f64,
    /// Heat capacity, J kg-1 K-1.
    #[serde(default = "heat_capacity")]
    cp0: f64,
    /// What stands for the values between the levels.
    #[serde(default)]
    layers: Layers,
    /// Share of the layer that must have values.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
    /// Give the mean over time instead of a map a time.
    #[serde(default)]
    time_mean: bool,
}

fn upper_ocean() -> [f64; 2] {
    [0.0, 700.0]
}

fn density() -> f64 {
    1026.0
}

fn heat_capacity() -> f64 {
    crate::kernels::teos10::CP0
}

impl Computation for ComputeOceanHeatContent {
    const NAME: &'static str = "compute_ocean_heat_content";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Ocean heat content of a layer.", port("J m-2"))
            .description(
                "rho0 cp0 times the integral of temperature less the reference over the layer, in J m-2, with rho0 1026 kg m-3 and cp0 3991.86795711963 J kg-1 K-1; Conservative Temperature when salinity is given. Missing where less than min_coverage of the layer has values, by default any. Evidence total is the sum over the area of the cells, in J, at the first time, or of the mean over time.",
            )
            .evidence(&["min", "max", "mean", "n", "total"])
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
    let temp = in_celsius(&arguments.temp.open(datasets, context)?)?;
    let has_area =
        temp.lats().is_some_and(|axis| !axis.squeezed) && temp.lons().is_some_and(|axis| !axis.squeezed);
    let areas = cell_weights(&temp, Weighting::Area);
    let factor = arguments.rho0 * arguments.cp0;
    let heat = |view: &crate::columns::ColumnView<'_>, values: &[f64]| {
        let excess: Vec<f64> = values.iter().map(|value| value - arguments.reference_temperature).collect();
        let part = arguments.layers.integral(view, &excess, top, bottom);
        let is_whole = layer_argument::covered(part, top, bottom, arguments.min_coverage);
        vec![vec![if is_whole { factor * part.sum } else { f64::NAN }]]
    };
    let (columns, computed, notes) = if let Some(salt) = &arguments.salt {
        let water = Water::new(&temp, &salt.open(datasets, context)?, vec![], None, None)?;
        let computed =
            water.columns.compute(context, &Levels::None, 1, |view| heat(view, &water.column(view).ct))?;
        (water.columns, computed, water.notes)
    } else {
        let note = format!(
            "`{}` is taken as it is; give salt to convert it to Conservative Temperature",
            temp.name()
        );
        let columns = Columns::of(vec![temp.clone()]);
        let computed = match arguments.layers.bounds(&columns).filter(|_| arguments.time_mean) {
            Some(bounds) => {
                let maps = HeatMaps {
                    field: &temp,
                    thickness: layer_thickness(&bounds, top, bottom),
                    layer: arguments.depth_range,
                    reference: arguments.reference_temperature,
                    factor,
                    min_coverage: arguments.min_coverage,
                };
                let (mean, chunks) = maps.time_mean(context)?;
                Computed { arrays: vec![mean], chunks: vec![chunks] }
            }
            None => columns.compute(context, &Levels::None, 1, |view| heat(view, &view.values[0]))?,
        };
        (columns, computed, vec![note])
    };
    let computed = if arguments.time_mean { computed.time_mean() } else { computed };
    let method = format!(
        "{}heat content from {top} to {bottom} m above {} degC, {} kg m-3 and {} J kg-1 K-1",
        if arguments.time_mean { "time mean of the " } else { "" },
        arguments.reference_temperature,
        arguments.rho0,
        arguments.cp0
    );
    let quantity = Quantity::new("ocean_heat_content", "J m-2");
    let frame = columns.frame(&Levels::None)?;
    let frame = if arguments.time_mean { frame.without_time() } else { frame };
    let output = columns.output_on(&frame, &[quantity], &computed, &method, notes)?;
    let first = computed.arrays[0].index_axis(ndarray::Axis(0), 0);
    let (sum, n) = first
        .iter()
        .zip(&areas)
        .filter(|(heat, _)| !heat.is_nan())
        .fold((0.0, 0_usize), |(sum, n), (heat, area)| (sum + heat * area, n + 1));
    let total = if has_area && n > 0 { sum } else { f64::NAN };
    let draft = EvidenceDraft::new("total", total, "J", &format!("sum over area of the {method}")).n(n);
    Ok(output.with_evidence([draft]))
}
