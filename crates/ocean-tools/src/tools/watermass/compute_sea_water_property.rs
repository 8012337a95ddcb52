//! `compute_sea_water_property`: enthalpy, heat capacity and other properties.

use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::teos10::{freezing, sea_water, temperature};
use crate::water::{SalinityKind, TemperatureKind, Water};
use crate::{Datasets, evidence};
use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

/// A property of sea water by TEOS-10.
pub(crate) struct ComputeSeaWaterProperty;

/// Arguments of `compute_sea_water_property`.
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
    /// What is computed.
    property: Property,
}

/// What is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Property {
    /// Specific enthalpy, J kg-1.
    Enthalpy,
    /// Isobaric heat capacity, J kg-1 K-1.
    HeatCapacity,
    /// Isentropic compressibility, Pa-1.
    Compressibility,
    /// Specific volume anomaly to 35.16504 g kg-1 and 0 degC, m3 kg-1.
    SpecificVolumeAnomaly,
    /// Conservative Temperature of freezing of air-free water, degC.
    FreezingTemperature,
    /// Gravity at the surface of the place, m s-2.
    SurfaceGravity,
    /// Coriolis parameter, s-1.
    CoriolisParameter,
}

impl Property {
    fn quantity(self) -> Quantity {
        let (name, units) = match self {
            Self::Enthalpy => ("specific_enthalpy", "J kg-1"),
            Self::HeatCapacity => ("isobaric_heat_capacity", "J kg-1 K-1"),
            Self::Compressibility => ("isentropic_compressibility", "Pa-1"),
            Self::SpecificVolumeAnomaly => ("specific_volume_anomaly", "m3 kg-1"),
            Self::FreezingTemperature => ("freezing_temperature", "degC"),
            Self::SurfaceGravity => ("surface_gravity", "m s-2"),
            Self::CoriolisParameter => ("coriolis_parameter", "s-1"),
        };
        Quantity::new(name, units)
    }
}

impl Computation for ComputeSeaWaterProperty {
    const NAME: &'static str = "compute_sea_water_property";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("watermass", "Enthalpy, heat capacity, compressibility and other properties of sea water.", port("any"))
            .description(
                "By TEOS-10: enthalpy, compressibility and specific volume anomaly by Roquet et al. (2015), heat capacity by the Gibbs function at the in-situ temperature, freezing temperature by equality of chemical potentials; gravity and the Coriolis parameter (rotation 7.292115e-5 s-1) depend on latitude alone.",
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
    let property = arguments.property;
    let computed = water.columns.compute(context, &Levels::Same, 1, |view| {
        vec![water.column(view).map(|sa, ct, p| match property {
            _ if sa.is_nan() || ct.is_nan() => f64::NAN,
            Property::Enthalpy => sea_water::enthalpy(sa, ct, p),
            Property::HeatCapacity => {
                temperature::isobaric_heat_capacity(sa, temperature::t_from_ct(sa, ct, p), p)
            }
            Property::Compressibility => sea_water::compressibility(sa, ct, p),
            Property::SpecificVolumeAnomaly => sea_water::specific_volume_anomaly(sa, ct, p),
            Property::FreezingTemperature => freezing::ct_freezing(sa, p, 0.0),
            Property::SurfaceGravity => sea_water::gravity(view.lat, 0.0),
            Property::CoriolisParameter => sea_water::coriolis(view.lat),
        })]
    })?;
    let quantity = property.quantity();
    let method = format!("TEOS-10 {}", quantity.name.replace('_', " "));
    water.columns.output(&Levels::Same, &[quantity], &computed, &method, water.notes.clone())
}
