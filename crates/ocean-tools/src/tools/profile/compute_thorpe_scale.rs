//! `compute_thorpe_scale`: the scale of overturns.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::thorpe::overturns;
use crate::kernels::vertical::present;
use crate::together::in_units;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// The Thorpe scale.
pub(crate) struct ComputeThorpeScale;

/// Arguments of `compute_thorpe_scale`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Potential density of finely sampled columns.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: FieldArgument,
    /// Overturns whose densities differ by no more than this are taken for noise, kg m-3.
    #[serde(default = "noise")]
    #[schemars(range(min = 0.0))]
    noise: f64,
}

fn noise() -> f64 {
    0.001
}

impl Computation for ComputeThorpeScale {
    const NAME: &'static str = "compute_thorpe_scale";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["n_overturns"]].concat();
        ToolSpec::new("profile", "Scale of overturns from density inversions.", port("m"))
            .description(
                "Each column is sorted by density (Thorpe 1977). An overturn is the smallest part of it that sorting only mixes within itself; its Thorpe scale is the root mean square, over its levels, of the displacements that sort it (Dillon 1982), in m. The scale stands at the levels of the overturn and is missing outside of one; array displacement holds the way to the sorted place, positive downwards, 0 where nothing moves. Overturns whose densities differ by `noise` or less are left out. Levels must resolve the overturns and be even.",
            )
            .evidence(&names)
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
    let density = in_units(&arguments.density.open(datasets, context)?, "kg m-3")?;
    let columns = Columns::of(vec![density]);
    columns.need_levels(3)?;
    let computed = columns.compute(context, &Levels::Same, 3, |view| {
        let (z, rho) = present(view.depth, &view.values[0]);
        let found = overturns(&z, &rho, arguments.noise);
        let mut parts = vec![vec![f64::NAN; view.depth.len()]; 3];
        let levels = view.values[0].iter().enumerate().filter(|(_, rho)| rho.is_finite());
        for (own, (at, _)) in levels.enumerate() {
            parts[0][at] = found.scale[own];
            parts[1][at] = found.displacement[own];
            parts[2][at] = found.number[own];
        }
        parts
    })?;
    let method = format!("Thorpe scale of overturns with more than {} kg m-3", arguments.noise);
    // The number of the last overturn of a column is how many it has.
    let last = |column: ndarray::ArrayView1<'_, f64>| {
        column.iter().copied().filter(|own| !own.is_nan()).fold(0.0, f64::max)
    };
    let total: f64 = computed.arrays[2].lanes(ndarray::Axis(1)).into_iter().map(last).sum();
    let gaps: Vec<f64> = columns.depth.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let (thin, thick) =
        gaps.iter().fold((f64::INFINITY, 0.0_f64), |(thin, thick), gap| (thin.min(*gap), thick.max(*gap)));
    let note = (thick > 1.5 * thin).then(|| {
        format!("the levels are {thin} to {thick} m apart, and overturns are only seen where they are close")
    });
    let quantities = [
        Quantity::new("thorpe_scale", "m"),
        Quantity::new("displacement", "m"),
        Quantity::new("overturn", "1"),
    ];
    let output =
        columns.output(&Levels::Same, &quantities, &computed, &method, note.into_iter().collect())?;
    let draft = EvidenceDraft::new("n_overturns", total, "1", "number of overturns of all columns");
    Ok(output.with_evidence([draft]))
}
