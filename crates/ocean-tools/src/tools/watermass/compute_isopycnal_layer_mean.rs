//! `compute_isopycnal_layer_mean`: a mean between two density surfaces.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{ColumnView, Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::vertical::{self, Occurrence};
use crate::series::units_of;
use crate::together::{in_units, one_grid};
use crate::tools::vertical::layer_argument::Layers;
use crate::{Datasets, evidence};

/// Mean between two surfaces.
pub(crate) struct ComputeIsopycnalLayerMean;

/// Arguments of `compute_isopycnal_layer_mean`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    data: FieldArgument,
    /// Potential density, or that less 1000 kg m-3, on the same grid.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "kg m-3"}))]
    density: FieldArgument,
    /// Density of the upper surface less 1000 kg m-3: the smaller one.
    sigma0_upper: f64,
    /// Density of the lower surface less 1000 kg m-3: the larger one.
    sigma0_lower: f64,
    /// What stands for the values between the levels.
    #[serde(default)]
    layers: Layers,
}

impl Computation for ComputeIsopycnalLayerMean {
    const NAME: &'static str = "compute_isopycnal_layer_mean";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Mean of a field between two density surfaces.", port("=data"))
            .description(
                "The depths of both surfaces are interpolated linearly, the first crossing from the surface and the first below it; the mean is weighted by the thickness that each level has between them. Arrays thickness (m, of the part with values), upper_depth and lower_depth. A layer whose upper surface outcrops begins at the surface, one whose lower surface is below the last value ends with the water there (array is_cut is 1 for both); without any water of the layer the mean is missing.",
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
    let (upper, lower) = (arguments.sigma0_upper, arguments.sigma0_lower);
    if upper.is_nan() || lower.is_nan() || upper >= lower || upper.abs() > 500.0 || lower.abs() > 500.0 {
        return Err(ToolError::invalid(format!(
            "sigma0_upper is {upper} and sigma0_lower {lower}; write densities less 1000 kg m-3, the smaller one of the \
             upper surface first, such as 26.5 and 27.0"
        )));
    }
    let data = arguments.data.open(datasets, context)?;
    let density = in_units(&arguments.density.open(datasets, context)?, "kg m-3")?;
    one_grid(&[&data, &density])?;
    let quantity = Quantity {
        name: format!("{}_layer_mean", data.variable().identity_name()),
        units: units_of(&data),
        standard_name: data.standard_name().map(str::to_owned),
    };
    let columns = Columns::of(vec![data, density]);
    columns.need_levels(2)?;
    let computed = columns.compute(context, &Levels::None, 5, |view| {
        mean(arguments, view).map_or(vec![vec![f64::NAN]; 5], |parts| parts.map(|part| vec![part]).to_vec())
    })?;
    let method = format!("mean between the surfaces of {upper} and {lower} kg m-3, weighted by thickness");
    let more = [("thickness", "m"), ("upper_depth", "m"), ("lower_depth", "m"), ("is_cut", "1")];
    let quantities: Vec<Quantity> =
        std::iter::once(quantity).chain(more.map(|(name, units)| Quantity::new(name, units))).collect();
    columns.output(&Levels::None, &quantities, &computed, &method, vec![])
}

/// Mean, thickness, upper and lower depth, and whether the column cuts the layer.
fn mean(arguments: &Arguments, view: &ColumnView<'_>) -> Option<[f64; 5]> {
    let sigma: Vec<f64> =
        view.values[1].iter().map(|&own| if own > 500.0 { own - 1000.0 } else { own }).collect();
    let (z, rho) = vertical::present(view.depth, &sigma);
    let (first, last) = (*rho.first()?, *rho.last()?);
    let upper = vertical::crossing(&z, &rho, arguments.sigma0_upper, Occurrence::First);
    let top = match upper {
        Some(depth) => depth,
        // The surface outcrops; below it the layer may still be there.
        None if first > arguments.sigma0_upper && first < arguments.sigma0_lower => 0.0,
        None => return None,
    };
    let from = z.partition_point(|&own| own < top).saturating_sub(1);
    let lower = vertical::crossing(&z[from..], &rho[from..], arguments.sigma0_lower, Occurrence::First);
    let bottom = match lower {
        Some(depth) => depth,
        None if last < arguments.sigma0_lower => f64::INFINITY,
        None => return None,
    };
    let part = arguments.layers.integral(view, &view.values[0], top, bottom);
    if part.covered <= 0.0 {
        return None;
    }
    let end = if bottom.is_finite() { bottom } else { top + part.covered };
    let cut = f64::from(u8::from(upper.is_none() || lower.is_none()));
    Some([part.sum / part.covered, part.covered, top, end, cut])
}
