//! `compute_density`: density of sea water.

use super::water_tool::port;
use crate::argument::{ArtifactArgument, FieldArgument};
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::sea_water;
use crate::water::{SalinityKind, TemperatureKind, Water, WaterPair};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// Density by TEOS-10.
pub(crate) struct ComputeDensity;

/// Arguments of `compute_density`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A dataset that holds temperature and salinity, in place of `temp` and `salt`.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "dataset"}))]
    data: Option<ArtifactArgument>,
    /// The dataset's name for the temperature; by standard name if absent.
    #[serde(default)]
    temp_var: Option<String>,
    /// The dataset's name for the salinity; by standard name if absent.
    #[serde(default)]
    salt_var: Option<String>,
    /// Temperature.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    temp: Option<FieldArgument>,
    /// Salinity.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: Option<FieldArgument>,
    /// Which temperature it is; by its standard name if absent.
    #[serde(default)]
    temperature_kind: Option<TemperatureKind>,
    /// Which salinity it is; by its standard name and units if absent.
    #[serde(default)]
    salinity_kind: Option<SalinityKind>,
    /// What is computed; `sigma` if absent.
    #[serde(default)]
    quantity: DensityQuantity,
    /// Reference pressure of potential density and sigma, dbar.
    #[serde(default)]
    #[schemars(range(min = 0.0, max = 12000.0))]
    reference_pressure: f64,
}

/// What is computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DensityQuantity {
    /// Potential density less 1000 kg m-3.
    #[default]
    Sigma,
    /// Density of the water moved to the reference pressure.
    Potential,
    /// Density where the water is.
    InSitu,
}

impl Computation for ComputeDensity {
    const NAME: &'static str = "compute_density";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "In-situ or potential density of sea water by TEOS-10.", port("kg m-3"))
            .description(
                "Density from absolute salinity (practical salinity is converted with the anomaly atlas at the place), Conservative Temperature and pressure by the 75-term polynomial of Roquet et al. (2015). sigma is potential density less 1000 kg m-3; a reference pressure of 0 gives sigma0. In kg m-3.",
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
    let pair = WaterPair {
        temp: arguments.temp.as_ref(),
        salt: arguments.salt.as_ref(),
        dataset: arguments.data.as_ref(),
        temp_name: arguments.temp_var.as_deref(),
        salt_name: arguments.salt_var.as_deref(),
    };
    let (temp, salt) = pair.open(datasets, context)?;
    let water = Water::new(&temp, &salt, vec![], arguments.temperature_kind, arguments.salinity_kind)?;
    let p_ref = arguments.reference_pressure;
    let thousands = p_ref / 1000.0;
    let quantity = match arguments.quantity {
        DensityQuantity::InSitu => Quantity::standard("sea_water_density", "kg m-3"),
        DensityQuantity::Potential => Quantity::standard("sea_water_potential_density", "kg m-3"),
        DensityQuantity::Sigma => Quantity {
            name: format!("sigma{thousands}"),
            units: "kg m-3".to_owned(),
            standard_name: Some("sea_water_sigma_theta".to_owned()).filter(|_| p_ref == 0.0),
        },
    };
    let kind = arguments.quantity;
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        vec![water.column(view).map(|sa, ct, p| match kind {
            DensityQuantity::Sigma => sea_water::sigma(sa, ct, p_ref),
            DensityQuantity::Potential => sea_water::rho(sa, ct, p_ref),
            DensityQuantity::InSitu => sea_water::rho(sa, ct, p),
        })]
    })?;
    let method = match kind {
        DensityQuantity::InSitu => "TEOS-10 in-situ density".to_owned(),
        _ => format!("TEOS-10 potential density relative to {p_ref} dbar"),
    };
    water.columns.output(&Levels::Same, &[quantity], &computed, &method, water.notes.clone())
}
