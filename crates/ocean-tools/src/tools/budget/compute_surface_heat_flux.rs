//! `compute_surface_heat_flux`: heat between sea and air from bulk formulas.

use leg_core::{Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::by_cell_parts;
use crate::frame::Frame;
use crate::kernels::turbulent_flux::{Air, coare};
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, one_surface};
use crate::water::in_celsius;

/// Stefan and Boltzmann's constant, W m-2 K-4 (CODATA 2018).
const RADIATION: f64 = 5.670_374_419e-8;

/// The net heat flux and its parts.
pub(crate) struct ComputeSurfaceHeatFlux;

/// Arguments of `compute_surface_heat_flux`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Temperature of the sea's skin.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "degC"}))]
    sst: FieldArgument,
    /// Temperature of the air.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "degC"}))]
    t2: FieldArgument,
    /// Specific humidity of the air.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "kg kg-1"}))]
    q2: FieldArgument,
    /// Eastward wind at 10 m, relative to the sea where its current is known.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    u10: FieldArgument,
    /// Northward wind at 10 m.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "m s-1"}))]
    v10: FieldArgument,
    /// Downward shortwave radiation at the surface.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "W m-2"}))]
    swdn: FieldArgument,
    /// Downward longwave radiation at the surface.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "hovmoller"], "unit": "W m-2"}))]
    lwdn: FieldArgument,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// Pressure at the surface in hPa.
    #[serde(default = "atmosphere")]
    #[schemars(range(min = 800, max = 1100))]
    pressure: f64,
    /// Height of the temperature and humidity of the air in metres.
    #[serde(default = "two")]
    #[schemars(range(min = 1, max = 50))]
    air_height: f64,
    /// Share of the shortwave radiation that the sea sends back.
    #[serde(default = "albedo")]
    #[schemars(range(min = 0, max = 1))]
    albedo: f64,
    /// Longwave emissivity of the sea, which also absorbs by it.
    #[serde(default = "emissivity")]
    #[schemars(range(min = 0.8, max = 1))]
    emissivity: f64,
}

fn atmosphere() -> f64 {
    1013.25
}

fn two() -> f64 {
    2.0
}

fn albedo() -> f64 {
    0.055
}

fn emissivity() -> f64 {
    0.97
}

/// Names of the outputs, their standard names and what they are.
const PARTS: [(&str, &str, &str); 5] = [
    (
        "net",
        "surface_downward_heat_flux_in_sea_water",
        "sum of shortwave, longwave, latent and sensible heat",
    ),
    ("shortwave", "surface_net_downward_shortwave_flux", "(1 − albedo) of the downward shortwave radiation"),
    ("longwave", "surface_net_downward_longwave_flux", "emissivity times (downward radiation − σ T⁴)"),
    ("latent", "surface_downward_latent_heat_flux", "latent heat by COARE 3.5"),
    ("sensible", "surface_downward_sensible_heat_flux", "sensible heat by COARE 3.5"),
];

impl Computation for ComputeSurfaceHeatFlux {
    const NAME: &'static str = "compute_surface_heat_flux";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("budget", "Heat between sea and air from bulk formulas.", any_array("W m-2"))
            .description(
                "Shortwave (1 − albedo) SW, longwave ε (LW − σ T⁴), latent and sensible heat by COARE 3.5 (Fairall et al. \
                 2003; Edson et al. 2013) with stability and gusts, without cool skin, warm layer, rain and waves, so that \
                 `sst` is the skin's; winds at 10 m, air at `air_height`. All are positive into the sea. Means of the wind over \
                 more than hours give too little, since the fluxes are no linear functions of it. Outputs `net`, \
                 `shortwave`, `longwave`, `latent` and `sensible`.",
            )
            .purity(Purity::ReadsData);
        parts_spec(spec, &PARTS.map(|part| part.0), "W m-2")
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let warm = |argument: &FieldArgument| in_celsius(&part.open_as_is(argument, datasets, context)?);
        let open = |argument: &FieldArgument, units: &str| part.open(argument, units, datasets, context);
        let opened = [
            warm(&arguments.sst)?,
            warm(&arguments.t2)?,
            open(&arguments.q2, "kg kg-1")?,
            open(&arguments.u10, "m s-1")?,
            open(&arguments.v10, "m s-1")?,
            open(&arguments.swdn, "W m-2")?,
            open(&arguments.lwdn, "W m-2")?,
        ];
        let fields = opened.each_ref();
        one_surface(&fields)?;
        let derived = by_cell_parts(&fields, context, 5, |_, cell, out| {
            let air = Air {
                wind: libm::hypot(cell[3], cell[4]),
                temperature: cell[1],
                humidity: cell[2],
                pressure: arguments.pressure,
                wind_height: 10.0,
                air_height: arguments.air_height,
            };
            let fluxes = coare(air, cell[0]);
            let kelvin = cell[0] + 273.15;
            let shortwave = (1.0 - arguments.albedo) * cell[5];
            let longwave = arguments.emissivity * (cell[6] - RADIATION * kelvin.powi(4));
            let (latent, sensible) = (-fluxes.latent, -fluxes.sensible);
            out.copy_from_slice(&[
                shortwave + longwave + latent + sensible,
                shortwave,
                longwave,
                latent,
                sensible,
            ]);
        })?;
        let common = format!(
            "positive into the sea; air of {} hPa at {} m, albedo {}, emissivity {}",
            arguments.pressure, arguments.air_height, arguments.albedo, arguments.emissivity
        );
        let methods = PARTS.map(|(_, _, what)| format!("{what}, {common}"));
        let names = PARTS.map(|(name, _, _)| format!("{name}_heat_flux"));
        let parts: Vec<_> = PARTS
            .iter()
            .enumerate()
            .map(|(at, (name, standard_name, _))| {
                let quantity = Quantity {
                    name: &names[at],
                    standard_name: Some(standard_name),
                    units: "W m-2",
                    method: &methods[at],
                };
                (*name, quantity, &derived.parts[at])
            })
            .collect();
        Ok(read_from(parts_output(&Frame::of(fields[0])?, &parts), &fields, &derived.chunks))
    }
}
