//! `compute_transport_by_layer`: a transport split by depth or density.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::Array3;
use ocean_data::Field;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::carried::{SECTION, absolute_salinity, flow};
use super::line_arguments::line_arguments;
use super::section_flow::{Cargo, SectionFlow};
use crate::Datasets;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::kernels::overlap::shares;
use crate::kernels::teos10::{CP0, sea_water, temperature};
use crate::kernels::transport::{Through, through};
use crate::outcome::read_from;
use crate::sections::layers;
use crate::series::axis_of;
use crate::tools::watermass::cell_volumes::edges_of;
use crate::water::{SalinityKind, TemperatureKind};

/// A transport by layers.
pub(crate) struct ComputeTransportByLayer;

line_arguments! {
    /// Arguments of `compute_transport_by_layer`.
    {
        /// Temperature, for heat and for layers of density.
        #[serde(default)]
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "degC"}))]
        temp: Option<FieldArgument>,
        /// Salinity, for salt, fresh water and layers of density.
        #[serde(default)]
        #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time?", "depth?", "lat", "lon"], "unit": "1e-3"}))]
        salt: Option<FieldArgument>,
        /// Edges of the layers, increasing: m, or kg m-3 less 1000 for sigma0.
        layer_bounds: Vec<f64>,
        /// What is carried.
        #[serde(default)]
        transport_type: Transported,
        /// In what the layers are.
        #[serde(default)]
        coordinate: Coordinate,
        /// Salinity that carries no fresh water, of the kind of `salt`.
        #[serde(default = "reference")]
        #[schemars(range(min = 1, max = 50))]
        s_ref: f64,
        /// Density of sea water in kg m-3, for heat and salt.
        #[serde(default = "density")]
        #[schemars(range(min = 900, max = 1100))]
        rho0: f64,
        /// Heat capacity in J kg-1 K-1.
        #[serde(default = "capacity")]
        #[schemars(range(min = 3000, max = 5000))]
        cp: f64,
        /// Temperature in degC that carries no heat.
        #[serde(default)]
        reference_temperature: f64,
    }
}

/// What is carried.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Transported {
    /// Volume, Sv.
    #[default]
    Volume,
    /// Heat above the reference temperature, W.
    Heat,
    /// Salt by absolute salinity, kg s-1.
    Salt,
    /// Fresh water relative to the reference salinity, Sv.
    Freshwater,
}

/// In what the layers are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Coordinate {
    /// Depth, m.
    #[default]
    Depth,
    /// Potential density relative to the surface less 1000 kg m-3, by TEOS-10.
    Sigma0,
}

fn reference() -> f64 {
    35.0
}

fn density() -> f64 {
    1026.0
}

fn capacity() -> f64 {
    CP0
}

impl Computation for ComputeTransportByLayer {
    const NAME: &'static str = "compute_transport_by_layer";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("transport", "A transport through a line by layers of depth or density.", Port::of(Kind::Table))
            .description(&format!(
                "Rows of time, upper and lower bound, transport, positive and negative part, for volume (Sv), heat (W), salt (kg s-1) or fresh water (Sv). A layer of depth takes from each level the thickness that is inside of it; a layer of sigma0 the share of each cell whose density, linear between the edges of the cells, is inside. Water outside of all layers is evidence `outside`; `total` is the whole transport, `sum_of_layers` the layers', and `closure_error` what is missing between them over the size of both directions. All are means over time. {SECTION}"
            ))
            .evidence(&["total", "sum_of_layers", "outside", "closure_error", "largest", "smallest", "n_layers"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let bounds = edges_of("layer_bounds", &arguments.layer_bounds)?;
        let asked = arguments.asked();
        let flow = flow(&asked, &arguments.cargo()?, datasets, context)?;
        let mut notes = Vec::new();
        let carried = arguments.carried(&flow, &mut notes);
        let width = flow.width();
        let value = |at: [usize; 3]| carried.as_ref().map_or(1.0, |carried| carried[at]);
        let total = through(&flow.velocity, value, &flow.thickness, &width);
        // What is above and below all layers is summed for itself, so that the closure is a test.
        let edges: Vec<f64> =
            [f64::NEG_INFINITY].into_iter().chain(bounds.iter().copied()).chain([f64::INFINITY]).collect();
        let by_layer: Vec<Vec<Through>> = match arguments.coordinate {
            Coordinate::Depth => {
                let [top, bottom] = asked.range()?.unwrap_or([0.0, f64::INFINITY]);
                let of = |pair: &[f64]| {
                    let own = layers(flow.first(), Some([pair[0].max(top), pair[1].min(bottom)]));
                    through(&flow.velocity, value, &own, &width)
                };
                edges.windows(2).map(of).collect()
            }
            Coordinate::Sigma0 => {
                let sigma = sigma0(&flow, &mut notes);
                let of = |pair: &[f64]| {
                    let share = shares_of(&sigma, &flow.thickness, [pair[0], pair[1]]);
                    // A cell without any water of the layer is no part of it.
                    let part =
                        |at: [usize; 3]| if share[at] > 0.0 { value(at) * share[at] } else { f64::NAN };
                    through(&flow.velocity, part, &flow.thickness, &width)
                };
                edges.windows(2).map(of).collect()
            }
        };
        let fields: Vec<&Field> = flow.fields.iter().collect();
        let output = arguments.table(&flow, &total, &by_layer)?;
        Ok(read_from(output, &fields, &flow.chunks).with_notes(notes))
    }
}

impl Arguments {
    /// Temperature first, then salinity, as far as they are needed.
    fn cargo(&self) -> Result<Vec<Cargo<'_>>, ToolError> {
        let is_by_density = self.coordinate == Coordinate::Sigma0;
        let needs_temp = is_by_density || self.transport_type == Transported::Heat;
        let needs_salt =
            is_by_density || matches!(self.transport_type, Transported::Salt | Transported::Freshwater);
        let missing = |name: &str| {
            ToolError::invalid(format!(
                "this transport_type or coordinate needs {name}; give it beside u and v"
            ))
        };
        let mut cargo = Vec::new();
        if needs_temp {
            let field = self.temp.as_ref().ok_or_else(|| missing("temp"))?;
            cargo.push(Cargo { field, units: "degC" });
        }
        if needs_salt {
            let field = self.salt.as_ref().ok_or_else(|| missing("salt"))?;
            cargo.push(Cargo { field, units: "1e-3" });
        }
        Ok(cargo)
    }

    /// What a cubic metre of each cell carries.
    fn carried(&self, flow: &SectionFlow, notes: &mut Vec<String>) -> Option<Array3<f64>> {
        let salt = flow.tracers.len().saturating_sub(1);
        match self.transport_type {
            Transported::Volume => None,
            Transported::Heat => {
                let factor = self.rho0 * self.cp;
                Some(flow.tracers[0].map(|temp| factor * (temp - self.reference_temperature)))
            }
            Transported::Salt => {
                let factor = self.rho0 / 1000.0;
                Some(absolute_salinity(flow, salt, None, notes).map(|salt| factor * salt))
            }
            Transported::Freshwater => Some(flow.tracers[salt].map(|salt| 1.0 - salt / self.s_ref)),
        }
    }

    fn table(
        &self,
        flow: &SectionFlow,
        total: &[Through],
        by_layer: &[Vec<Through>],
    ) -> Result<ToolOutput, ToolError> {
        let (units, unit, of) = match self.transport_type {
            Transported::Volume => ("Sv", 1e6, "volume transport".to_owned()),
            Transported::Heat => {
                ("W", 1.0, format!("heat transport relative to {} degC", self.reference_temperature))
            }
            Transported::Salt => ("kg s-1", 1.0, "salt transport".to_owned()),
            Transported::Freshwater => {
                let kind = SalinityKind::of(flow.cargo(flow.tracers.len() - 1), &mut Vec::new());
                ("Sv", 1e6, format!("freshwater transport relative to a {} of {}", kind.words(), self.s_ref))
            }
        };
        let (bounds, n_layers) = (&self.layer_bounds, self.layer_bounds.len() - 1);
        let (beside, by_layer) = ([&by_layer[0], &by_layer[n_layers + 1]], &by_layer[1..=n_layers]);
        let times =
            flow.first().times().map(|_| axis_of(flow.first())).transpose()?.map(|axis| axis.to_iso());
        let number =
            |value: f64, sum: &Through| if sum.faces == 0 { json!(null) } else { json!(value / unit) };
        let mut rows = Vec::new();
        for t in 0..total.len() {
            for (layer, sums) in by_layer.iter().enumerate() {
                let (sum, time) = (&sums[t], times.as_ref().map(|times| &times[t]));
                let parts = [sum.net, sum.positive, sum.negative].map(|value| number(value, sum));
                let [net, positive, negative] = parts;
                rows.push(json!([time, bounds[layer], bounds[layer + 1], net, positive, negative]));
            }
        }
        let method = format!("{of} through {}, {}", flow.line.method, self.positive.words());
        // A time without values is no time without flow; a layer may be dry where the line is not.
        let wet: Vec<usize> = (0..total.len()).filter(|&t| total[t].faces > 0).collect();
        let n = wet.len() as f64;
        let mean = |sums: &[Through]| {
            let is_dry = sums.iter().all(|sum| sum.faces == 0);
            if is_dry { f64::NAN } else { wet.iter().map(|&t| sums[t].net).sum::<f64>() / n / unit }
        };
        let whole = mean(total);
        let parts: Vec<f64> = by_layer.iter().map(|sums| mean(sums)).collect();
        let inside: f64 = parts.iter().filter(|part| !part.is_nan()).sum();
        let both = wet.iter().map(|&t| total[t].positive - total[t].negative).sum::<f64>() / n / unit;
        let beyond: f64 = beside.iter().map(|sums| mean(sums)).filter(|part| !part.is_nan()).sum();
        let outside = if wet.is_empty() { f64::NAN } else { beyond };
        let sum_of_layers = if parts.iter().all(|part| part.is_nan()) { f64::NAN } else { inside };
        let extreme = |better: fn(f64, f64) -> bool| {
            let wet = (0..parts.len()).filter(|&at| !parts[at].is_nan());
            wet.reduce(|best, own| if better(parts[own], parts[best]) { own } else { best })
        };
        let draft = |name: &str, value: f64, how: &str| {
            EvidenceDraft::new(name, value, units, &format!("{how}, mean over time: {method}"))
        };
        let at = |name: &str, found: Option<usize>, how: &str| match found {
            Some(layer) => {
                draft(name, parts[layer], how).place(json!({"layer": [bounds[layer], bounds[layer + 1]]}))
            }
            None => draft(name, f64::NAN, how),
        };
        let content = json!({
            "columns": ["time", "upper", "lower", "transport", "positive", "negative"],
            "units": units,
            "coordinate": self.coordinate,
            "method": method,
            "rows": rows,
        });
        let artifact = Artifact::document(Kind::Table, "transport_by_layer", content);
        Ok(ToolOutput::of(artifact).with_evidence([
            draft("total", whole, "transport of the whole section"),
            draft("sum_of_layers", sum_of_layers, "sum of the layers"),
            draft("outside", outside, "transport outside of all layers"),
            EvidenceDraft::new(
                "closure_error",
                (whole - inside - outside).abs() / both,
                "1",
                "the whole less the layers and the water outside of them, over the sum of both directions",
            ),
            at("largest", extreme(|own, best| own > best), "largest transport of a layer"),
            at("smallest", extreme(|own, best| own < best), "smallest transport of a layer"),
            EvidenceDraft::new("n_layers", parts.len() as u64, "1", "number of layers"),
        ]))
    }
}

/// Potential density less 1000 kg m-3 `(time, depth, face)`.
fn sigma0(flow: &SectionFlow, notes: &mut Vec<String>) -> Array3<f64> {
    let sa = absolute_salinity(flow, 1, None, notes);
    let kind = TemperatureKind::of(flow.cargo(0), notes);
    let depths = flow.first().depths().map_or_else(|| vec![0.0], |axis| axis.values.clone());
    Array3::from_shape_fn(sa.dim(), |(t, z, face)| {
        let (sa, own) = (sa[[t, z, face]], flow.tracers[0][[t, z, face]]);
        let p = sea_water::pressure(depths[z], flow.line.faces[face].place[1]);
        let ct = match kind {
            TemperatureKind::InSitu => temperature::ct_from_t(sa, own, p),
            TemperatureKind::Potential => temperature::ct_from_pt(sa, own),
            TemperatureKind::Conservative => own,
        };
        sea_water::sigma(sa, ct, 0.0)
    })
}

/// The share of each cell in a class, column by column.
fn shares_of(sigma: &Array3<f64>, thickness: &[f64], class: [f64; 2]) -> Array3<f64> {
    let (times, levels, faces) = sigma.dim();
    let mut all = Array3::zeros(sigma.dim());
    for t in 0..times {
        for face in 0..faces {
            let column: Vec<f64> = (0..levels).map(|z| sigma[[t, z, face]]).collect();
            for (z, share) in shares(&column, thickness, class).into_iter().enumerate() {
                all[[t, z, face]] = share;
            }
        }
    }
    all
}
