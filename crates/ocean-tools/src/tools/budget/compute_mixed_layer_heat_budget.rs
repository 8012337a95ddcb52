//! `compute_mixed_layer_heat_budget`: what warms and cools the mixed layer.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_local_tendency::days_of;
use super::region_mean::closure;
use crate::Datasets;
use crate::argument::{FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::{by_cell_parts, by_column};
use crate::kernels::mixed_layer_budget::{MixedLayer, Rules, Terms, layer};
use crate::kernels::shortwave::WaterType;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::together::{Part, column_axis, one_grid, one_map_grid, one_surface};
use crate::tools::dynamics::flow::{CoastsArgument, Flow, yes};
use crate::water::in_celsius;

/// The heat budget of the mixed layer.
pub(crate) struct ComputeMixedLayerHeatBudget;

/// Arguments of `compute_mixed_layer_heat_budget`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Temperature; Conservative or potential.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth", "lat", "lon"], "unit": "degC"}))]
    temp: FieldArgument,
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// Depth of the mixed layer.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "lat", "lon"], "unit": "m"}))]
    mld: FieldArgument,
    /// Net heat flux into the sea.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "lat", "lon"], "unit": "W m-2"}))]
    qnet: FieldArgument,
    /// Net shortwave radiation into the sea, of which a part leaves the layer below; without it none does.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "lat", "lon"], "unit": "W m-2"}))]
    shortwave: Option<FieldArgument>,
    /// Vertical velocity, positive upwards; without it entrainment follows from the depth of the layer alone.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth", "lat", "lon"], "unit": "m s-1"}))]
    w: Option<FieldArgument>,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// How far below the layer the entrained water is taken, in metres.
    #[serde(default = "ten")]
    #[schemars(range(min = 0, max = 200))]
    below: f64,
    /// Whether a shoaling layer changes its temperature.
    #[serde(default)]
    entrainment: Entrainment,
    /// Optical type of the water, for `shortwave`.
    #[serde(default)]
    water_type: WaterTypeArgument,
    /// Density of the sea in kg m-3.
    #[serde(default = "density")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Specific heat of the sea in J kg-1 K-1.
    #[serde(default = "heat_capacity")]
    #[schemars(range(min = 3000, max = 5000))]
    cp0: f64,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

fn ten() -> f64 {
    10.0
}

fn density() -> f64 {
    1026.0
}

fn heat_capacity() -> f64 {
    3_991.867_957_119_63
}

/// What water that crosses the base of the layer does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Entrainment {
    /// It changes the temperature only on its way in.
    #[default]
    Deepening,
    /// It does both ways.
    Both,
}

/// Optical type of sea water after Jerlov.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
enum WaterTypeArgument {
    /// Clearest.
    #[default]
    I,
    /// Clear.
    Ia,
    /// Less clear.
    Ib,
    /// Turbid.
    Ii,
    /// Most turbid of the open sea.
    Iii,
}

impl WaterTypeArgument {
    fn water(self) -> WaterType {
        match self {
            Self::I => WaterType::I,
            Self::Ia => WaterType::Ia,
            Self::Ib => WaterType::Ib,
            Self::Ii => WaterType::Ii,
            Self::Iii => WaterType::Iii,
        }
    }
}

/// Names of the outputs and what they are.
const PARTS: [(&str, &str); 5] = [
    ("tendency", "centred rate of change of the mean temperature of the mixed layer"),
    ("surface_flux", "heat flux that stays in the mixed layer, (Q − q_pen)/(ρ cp h)"),
    ("horizontal_advection", "horizontal advection −(u ∂T/∂x + v ∂T/∂y) of layer means"),
    ("entrainment", "entrainment −w_e (T − T_b)/h"),
    ("residual", "residual: rate of change less the other terms"),
];

impl Computation for ComputeMixedLayerHeatBudget {
    const NAME: &'static str = "compute_mixed_layer_heat_budget";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("budget", "Terms of the temperature of the mixed layer.", any_array("K day-1"))
            .description(
                "∂T/∂t = (Q − q_pen)/(ρ cp h) − u·∇T − w_e (T − T_b)/h + R (Moisan and Niiler 1998), K per day, positive where a \
                 term warms. T and u are means over the layer from 0 to h (levels stand for their bounds), T_b is linear \
                 between levels at h + `below`, w_e = ∂h/∂t + u·∇h + w at h, upwards positive, only where it deepens the layer \
                 unless entrainment is `both`. q_pen is the shortwave radiation below h (Paulson and Simpson 1977). \
                 Differences are centred at the data's times and cells, one-sided at the ends. Missing where the layer \
                 reaches below the data. Outputs `tendency`, `surface_flux`, `horizontal_advection`, `entrainment`, \
                 `residual`; `closure` is rms(R)/rms(∂T/∂t).",
            )
            .purity(Purity::ReadsData);
        let mut spec = parts_spec(spec, &PARTS.map(|part| part.0), "K day-1");
        spec.evidence.push("closure".to_owned());
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part { region: arguments.region.as_ref(), time: arguments.time.as_ref(), depth: None };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let temp = in_celsius(&part.open_as_is(&arguments.temp, datasets, context)?)?;
        let w = arguments.w.as_ref().map(|w| part.open(w, "m s-1", datasets, context)).transpose()?;
        let depth_of_layer = part.open(&arguments.mld, "m", datasets, context)?;
        let net = part.open(&arguments.qnet, "W m-2", datasets, context)?;
        let sun =
            arguments.shortwave.as_ref().map(|sun| part.open(sun, "W m-2", datasets, context)).transpose()?;
        let mut columns = vec![&temp, &flow.u, &flow.v];
        columns.extend(&w);
        one_grid(&columns)?;
        let mut maps = vec![&depth_of_layer, &net];
        maps.extend(&sun);
        one_surface(&maps)?;
        one_map_grid(&[&temp, &depth_of_layer])?;
        let days = days_of(&temp)?;
        let depth = column_axis(&temp)?;
        let bounds = temp.depths().map(|axis| axis.bounds.clone()).unwrap_or_default();
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;

        let forcing = by_cell_parts(&maps, context, maps.len(), |_, cell, out| out.copy_from_slice(cell))?;
        let h = &forcing.parts[0];
        let layers = by_column(&columns, context, MixedLayer::NUMBERS, |place, values, out| {
            let h = h[[place.time, 0, place.lat, place.lon]];
            out.copy_from_slice(&layer(&depth, &bounds, values, h, arguments.below).to_array());
        })?;
        let rules = Rules {
            capacity: arguments.rho0 * arguments.cp0,
            water: arguments.water_type.water(),
            both_ways: arguments.entrainment == Entrainment::Both,
        };
        let at = |level: usize| layers.values.index_axis(Axis(1), level);
        let terms = Terms::of(
            &plane,
            &days,
            &MixedLayer { temperature: at(0), u: at(1), v: at(2), below: at(3), w: at(4) },
            &h.index_axis(Axis(1), 0),
            &forcing.parts[1].index_axis(Axis(1), 0),
            forcing.parts.get(2).map(|sun| sun.index_axis(Axis(1), 0)).as_ref(),
            rules,
        );
        let values: Vec<Array4<f64>> =
            terms.into_arrays().into_iter().map(|term| term.insert_axis(Axis(1))).collect();
        let frame = flow.frame.clone().without_depth();
        let names = PARTS.map(|(name, _)| format!("mixed_layer_temperature_{name}"));
        let methods = PARTS.map(|(_, what)| format!("{what}, K per day"));
        let quantity = |at: usize| Quantity {
            name: &names[at],
            standard_name: None,
            units: "K day-1",
            method: &methods[at],
        };
        let parts: Vec<_> = (0..PARTS.len()).map(|at| (PARTS[at].0, quantity(at), &values[at])).collect();
        let ratio = closure(&values[4], &values[0]);
        let how = "rms of the residual over rms of the rate of change";
        let mut output =
            parts_output(&frame, &parts).with_evidence([EvidenceDraft::new("closure", ratio, "1", how)]);
        if w.is_none() {
            output.notes.push(
                "without w entrainment follows from the change of the layer's depth along the flow; its part is in the \
                 residual"
                    .to_owned(),
            );
        }
        if sun.is_none() {
            output.notes.push("without shortwave all of qnet stays in the layer".to_owned());
        }
        let read: Vec<_> = columns.iter().chain(&maps).copied().collect();
        let chunks: Vec<_> = layers.chunks.into_iter().chain(forcing.chunks).collect();
        Ok(read_from(output, &read, &chunks))
    }
}
