//! `compute_energy_conversion`: energy that eddies take from the mean flow and from stratification.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use ndarray::{Array4, Axis};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_ekman_transport::sea;
use super::departures::{LEAST, common, covariance, mean};
use super::flow::{CoastsArgument, DERIVATIVES, Flow, yes};
use crate::Datasets;
use crate::argument::{DepthArgument, FieldArgument, RegionArgument, WindowArgument};
use crate::computation::Computation;
use crate::derived::from_series_parts;
use crate::kernels::kinematics::VelocityGradient;
use crate::kernels::sphere::GRAVITY;
use crate::outcome::{Quantity, any_array, parts_output, parts_spec, read_from};
use crate::series::axis_of;
use crate::together::{Part, one_grid};

/// Energy conversion.
pub(crate) struct ComputeEnergyConversion;

/// Arguments of `compute_energy_conversion`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Eastward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    u: FieldArgument,
    /// Northward current.
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    v: FieldArgument,
    /// Upward velocity, for the baroclinic conversion.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat", "lon"], "unit": "m s-1"}))]
    w: Option<FieldArgument>,
    /// Density, for the baroclinic conversion.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "dims": ["time", "depth?", "lat", "lon"], "unit": "kg m-3"}))]
    density: Option<FieldArgument>,
    /// A region inside the fields' own.
    #[serde(default)]
    region: Option<RegionArgument>,
    /// A window of the fields' times; means are those of the window.
    #[serde(default)]
    time: Option<WindowArgument>,
    /// A depth inside the fields' own.
    #[serde(default)]
    depth: Option<DepthArgument>,
    /// Density of the sea in kg m-3, for the barotropic conversion.
    #[serde(default = "sea")]
    #[schemars(range(min = 900, max = 1100))]
    rho0: f64,
    /// Whether east joins west where the longitudes go round the globe.
    #[serde(default = "yes")]
    wrap: bool,
    /// What becomes of a derivative beside land.
    #[serde(default)]
    coasts: CoastsArgument,
}

impl Computation for ComputeEnergyConversion {
    const NAME: &'static str = "compute_energy_conversion";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let spec = ToolSpec::new("dynamics", "Barotropic and baroclinic conversion to eddies.", any_array("W m-3"))
            .description(&format!(
                "`barotropic` = −ρ0 (<u'u'> U_x + <u'v'> (U_y + V_x) + <v'v'> V_y) with the curvature terms of the sphere, \
                 positive where eddies take energy from the mean flow; `baroclinic` = −g <ρ'w'> (needs w and density), positive \
                 where they take potential energy (von Storch et al. 2012). U, V and departures are of the mean over all times, \
                 so that the annual cycle counts as eddies; only times at which all fields have a value count. {DERIVATIVES}"
            ))
            .purity(Purity::ReadsData);
        let mut spec = parts_spec(spec, &["barotropic", "baroclinic"], "W m-3");
        spec.evidence.push("times".to_owned());
        spec
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let part = Part {
            region: arguments.region.as_ref(),
            time: arguments.time.as_ref(),
            depth: arguments.depth.as_ref(),
        };
        let flow = Flow::open(part, &arguments.u, &arguments.v, datasets, context)?;
        let rising = match (&arguments.w, &arguments.density) {
            (None, None) => None,
            (Some(w), Some(density)) => {
                let w = part.open(w, "m s-1", datasets, context)?;
                Some([w, part.open(density, "kg m-3", datasets, context)?])
            }
            _ => return Err(ToolError::invalid("give both w and density, or none")),
        };
        let mut fields = vec![&flow.u, &flow.v];
        fields.extend(rising.iter().flatten());
        one_grid(&fields)?;
        let axis = axis_of(&flow.u)?;
        let plane = flow.plane(arguments.wrap, arguments.coasts.coasts())?;
        let derived = from_series_parts(&fields, context, 1, 6, |_, series, out| {
            let series = common(series);
            if series[0].iter().filter(|value| !value.is_nan()).count() < LEAST {
                return;
            }
            let means: Vec<f64> = series.iter().map(|own| mean(own)).collect();
            let eddies: Vec<Vec<f64>> = series
                .iter()
                .zip(&means)
                .map(|(own, mean)| own.iter().map(|value| value - mean).collect())
                .collect();
            let product = |a: usize, b: usize| covariance(&eddies[a], &eddies[b]);
            let mut numbers = vec![means[0], means[1], product(0, 0), product(0, 1), product(1, 1)];
            if eddies.len() > 2 {
                numbers.push(product(2, 3));
            }
            for (out, number) in out.iter_mut().zip(numbers) {
                *out = number;
            }
        })?;
        let mut barotropic = Array4::from_elem(derived.parts[0].dim(), f64::NAN);
        for (level, mut out) in barotropic.axis_iter_mut(Axis(1)).enumerate() {
            let map = |at: usize| derived.parts[at].index_axis(Axis(1), level).index_axis_move(Axis(0), 0);
            let gradient = VelocityGradient::of(&plane, &map(0), &map(1));
            let strained = &map(2) * &gradient.u_x
                + &map(3) * &(&gradient.u_y + &gradient.v_x)
                + &map(4) * &gradient.v_y;
            out.index_axis_mut(Axis(0), 0).assign(&(strained * -arguments.rho0));
        }
        let baroclinic = &derived.parts[5] * -GRAVITY;
        let about = format!("departures from the mean of {}", axis.window());
        let methods = [
            format!(
                "barotropic conversion −ρ0 (<u'u'> U_x + <u'v'> (U_y + V_x) + <v'v'> V_y), ρ0 {} kg m-3, {about}",
                arguments.rho0
            ),
            format!("baroclinic conversion −g <ρ'w'>, {about}"),
        ];
        let quantity =
            |name, at: usize| Quantity { name, standard_name: None, units: "W m-3", method: &methods[at] };
        let mut parts = vec![("barotropic", quantity("barotropic_conversion", 0), &barotropic)];
        if rising.is_some() {
            parts.push(("baroclinic", quantity("baroclinic_conversion", 1), &baroclinic));
        }
        let mut frame = flow.frame.clone();
        frame.facts.insert("time".to_owned(), axis.window().into());
        let times = EvidenceDraft::new("times", axis.len() as u64, "1", "number of times of the record");
        let output = parts_output(&frame.without_time(), &parts).with_evidence([times]);
        Ok(read_from(output, &fields, &derived.chunks))
    }
}
