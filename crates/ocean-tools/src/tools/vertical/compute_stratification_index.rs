//! `compute_stratification_index`: strength of stratification.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::layer_argument::{self, Layers};
use crate::argument::FieldArgument;
use crate::columns::{ColumnView, Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::interpolation::{Method, interpolate};
use crate::kernels::vertical::present;
use crate::tools::watermass::water_tool::port;
use crate::{Datasets, evidence};

/// Strength of stratification.
pub(crate) struct ComputeStratificationIndex;

/// Arguments of `compute_stratification_index`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Density, or density less 1000 kg m-3.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: FieldArgument,
    /// Upper and lower depth, m; the same as `surface_depth` and `bottom_depth`.
    #[serde(default)]
    depth_range: Option<[f64; 2]>,
    /// Upper depth, m.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    surface_depth: f64,
    /// Lower depth, m; the deepest value of each column if absent.
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    bottom_depth: Option<f64>,
    /// Which index.
    #[serde(default)]
    method: Index,
    /// What stands for the values between the levels, for the potential energy anomaly.
    #[serde(default)]
    layers: Layers,
    /// Share of the layer that must have values, for the potential energy anomaly.
    #[serde(default = "layer_argument::whole")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
}

/// Which index.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Index {
    /// Lower less upper density, kg m-3.
    #[default]
    SurfaceBottomDensityDifference,
    /// That over the distance of the two depths, kg m-4.
    DensityGradient,
    /// Energy that would mix the layer, J m-3.
    PotentialEnergyAnomaly,
}

impl Computation for ComputeStratificationIndex {
    const NAME: &'static str = "compute_stratification_index";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("vertical", "Strength of stratification.", port("any"))
            .description(
                "Density at the lower depth less that at the upper one (kg m-3), linear between levels, positive when the column is stable; or that over their distance (kg m-4); or the potential energy anomaly phi = (g / h) times the integral of (mean density - density) z over the layer (J m-3; Simpson 1981), z up, g 9.7963 m s-2. Above the first level its value and depth are taken; a column that ends above a stated lower depth is missing. Without a lower depth the index depends on how deep each column is; the array lower_depth holds where it ends.",
            )
            .evidence(&evidence::SERIES)
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
    let (top, bottom) = match arguments.depth_range {
        Some([top, bottom]) => (top, Some(bottom)),
        None => (arguments.surface_depth, arguments.bottom_depth),
    };
    layer_argument::check([top, bottom.unwrap_or(f64::MAX)], arguments.min_coverage)?;
    let columns =
        Columns::of(vec![crate::together::in_units(&arguments.density.open(datasets, context)?, "kg m-3")?]);
    columns.need_levels(2)?;
    let index = |view: &ColumnView<'_>| -> Option<[f64; 2]> {
        let (z, rho) = present(view.depth, &view.values[0]);
        let (first, last) = (*z.first()?, *z.last()?);
        let (upper, lower) = (top.max(first), bottom.unwrap_or(last));
        if arguments.method == Index::PotentialEnergyAnomaly {
            // The lowest level stands for water below it, too.
            let lower = bottom
                .unwrap_or_else(|| arguments.layers.integral(view, &view.values[0], 0.0, f64::MAX).covered);
            let layer = [top, lower];
            return Some([
                arguments.layers.energy_anomaly(view, &view.values[0], layer, arguments.min_coverage),
                lower,
            ]);
        }
        if lower <= upper {
            return None;
        }
        let ends = interpolate(&z, &rho, &[upper, lower], Method::Linear);
        let difference = ends[1] - ends[0];
        let is_gradient = arguments.method == Index::DensityGradient;
        Some([if is_gradient { difference / (lower - upper) } else { difference }, lower])
    };
    let computed = columns.compute(context, &Levels::None, 2, |view| {
        let [value, lower] = index(view).unwrap_or([f64::NAN; 2]);
        vec![vec![value], vec![lower]]
    })?;
    let (name, units, of) = match arguments.method {
        Index::SurfaceBottomDensityDifference => ("density_difference", "kg m-3", "density difference"),
        Index::DensityGradient => ("density_gradient", "kg m-4", "mean density gradient"),
        Index::PotentialEnergyAnomaly => ("potential_energy_anomaly", "J m-3", "potential energy anomaly"),
    };
    let lower = bottom.map_or_else(|| "the deepest value".to_owned(), |bottom| format!("{bottom} m"));
    let method = format!("{of} from {top} m to {lower}, positive when stable");
    let note = bottom.is_none().then(|| {
        "no lower depth was given, so the index depends on the depth of each column; give depth_range to compare places"
            .to_owned()
    });
    let quantities = [Quantity::new(name, units), Quantity::new("lower_depth", "m")];
    columns.output(&Levels::None, &quantities, &computed, &method, note.into_iter().collect())
}
