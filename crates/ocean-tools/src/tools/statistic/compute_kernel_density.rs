//! `compute_kernel_density`: a smooth density of values.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use libm::{exp, pow, sqrt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::compute_descriptive_statistics::sample;
use super::compute_histogram::WeightArgument;
use super::findings::Findings;
use crate::argument::FieldArgument;
use crate::computation::Computation;
use crate::series::units_of;
use crate::{Datasets, reading};

/// Smooths a sample.
pub(crate) struct ComputeKernelDensity;

/// Arguments of `compute_kernel_density`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field, map or series.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["map", "series", "profile", "section", "hovmoller"], "dims": ["time?", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Values at which the density is given; 200 over the range of the data if absent.
    #[serde(default)]
    at: Option<Vec<f64>>,
    /// Rule for the width of the Gaussian kernel.
    #[serde(default)]
    bandwidth: Bandwidth,
    /// Use every so-many-th value only.
    #[serde(default = "one")]
    #[schemars(range(min = 1))]
    every: usize,
    /// Weights of the cells.
    #[serde(default)]
    weighting: WeightArgument,
}

fn one() -> usize {
    1
}

/// Rule for the width.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Bandwidth {
    /// n^(-1/5) standard deviations (Scott 1992).
    #[default]
    Scott,
    /// (3 n/4)^(-1/5) standard deviations (Silverman 1986).
    Silverman,
}

impl Computation for ComputeKernelDensity {
    const NAME: &'static str = "compute_kernel_density";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Smooth density of the values of a field.", Port::of(Kind::Histogram))
            .description(
                "Sum of Gaussians about the values, weighted; width = factor times the standard deviation (n - 1, and for \
                 weights 1 - sum w2), factor n_eff^(-1/5) (scott) or (3 n_eff/4)^(-1/5) (silverman), n_eff = 1/sum w2. \
                 Values near each other in time or space count as independent.",
            )
            .evidence(&["mode", "mode_density", "bandwidth", "n"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let (values, weights, chunks) = sample(&field, arguments.weighting, context)?;
        let pairs: Vec<(f64, f64)> =
            values.into_iter().zip(weights).step_by(arguments.every.max(1)).collect();
        let total: f64 = pairs.iter().map(|pair| pair.1).sum();
        let mean = pairs.iter().map(|(value, weight)| value * weight).sum::<f64>() / total;
        let squares: f64 = pairs.iter().map(|(_, weight)| weight * weight).sum::<f64>() / (total * total);
        let variance =
            pairs.iter().map(|(value, weight)| weight * (value - mean) * (value - mean)).sum::<f64>()
                / total
                / (1.0 - squares);
        let size = 1.0 / squares;
        let factor = match arguments.bandwidth {
            Bandwidth::Scott => pow(size, -0.2),
            Bandwidth::Silverman => pow(size * 0.75, -0.2),
        };
        let width = factor * sqrt(variance);
        if width.is_nan() || width <= 0.0 {
            return Err(ToolError::no_data(format!(
                "the {} values of `{}` do not vary, so there is no density; choose another region or time",
                pairs.len(),
                field.name()
            )));
        }
        let at = arguments.at.clone().unwrap_or_else(|| {
            let (low, high) =
                pairs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(p.0), h.max(p.0)));
            let (low, high) = (low - 3.0 * width, high + 3.0 * width);
            (0..200).map(|k| low + (high - low) * f64::from(k) / 199.0).collect()
        });
        let work = at.len().saturating_mul(pairs.len());
        if work > 2_000_000_000 {
            return Err(ToolError::invalid(format!(
                "{} places and {} values are too many; raise every, or give fewer places in at",
                at.len(),
                pairs.len()
            )));
        }
        let scale = 1.0 / (total * width * sqrt(2.0 * core::f64::consts::PI));
        let density: Vec<f64> = at
            .iter()
            .map(|place| {
                let kernel = |(value, weight): &(f64, f64)| {
                    let z = (place - value) / width;
                    weight * exp(-0.5 * z * z)
                };
                scale * pairs.iter().map(kernel).sum::<f64>()
            })
            .collect();
        let mode =
            (0..density.len()).reduce(|best, own| if density[own] > density[best] { own } else { best });
        let units = units_of(&field);
        let inverse = format!("({units})-1");
        let findings = Findings::by(format!("Gaussian kernel density, {}", arguments.weighting.text()))
            .from(pairs.len())
            .number(
                "mode",
                mode.map_or(f64::NAN, |mode| at[mode]),
                &units,
                "place of the largest density given",
            )
            .number(
                "mode_density",
                mode.map_or(f64::NAN, |mode| density[mode]),
                &inverse,
                "largest density given",
            )
            .number("bandwidth", width, &units, "standard deviation of the kernel")
            .count("n", pairs.len(), "values used")
            .notes(reading::notes(&field))
            .source(reading::source(&field, &chunks));
        let variable = Variable {
            name: "density".to_owned(),
            standard_name: None,
            units: inverse,
            dims: vec!["value".to_owned()],
            shape: vec![density.len()],
            values: density,
        };
        let artifact = Artifact::array(Kind::Histogram, format!("{}_density", field.name()), variable)
            .with_coord("value", Coord::numbers(&at, &units, field.standard_name().unwrap_or("")));
        Ok(findings.onto(artifact))
    }
}
