//! `compute_watermass_fraction`: how much of each source is in the water.

use leg_core::{EvidenceDraft, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::oxygen_columns::oxygen_in;
use super::water_tool::port;
use crate::argument::FieldArgument;
use crate::columns::{Columns, Levels, Quantity};
use crate::computation::Computation;
use crate::kernels::nnls;
use crate::together::one_grid;
use crate::water::{SalinityKind, TemperatureKind, in_celsius};
use crate::{Datasets, evidence};

/// Fractions of source waters.
pub(crate) struct ComputeWatermassFraction;

/// Arguments of `compute_watermass_fraction`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// Temperature; potential or Conservative mixes without loss.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "degC"}))]
    temp: FieldArgument,
    /// Salinity.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    salt: FieldArgument,
    /// Dissolved oxygen, umol kg-1 or mmol m-3.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["profile", "section", "map", "series", "hovmoller"], "unit": "any"}))]
    oxygen: Option<FieldArgument>,
    /// The source waters, in the units and kinds of the fields.
    sources: Vec<SourceWater>,
    /// Weights of temperature, salinity and oxygen, and of mass after them if stated.
    #[serde(default)]
    weights: Option<Vec<f64>>,
}

/// A source water.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SourceWater {
    /// Its name, of letters, digits and `_`.
    name: String,
    /// Temperature, degC.
    temp: f64,
    /// Salinity.
    salt: f64,
    /// Oxygen, in the unit of the field.
    #[serde(default)]
    oxygen: Option<f64>,
}

impl Computation for ComputeWatermassFraction {
    const NAME: &'static str = "compute_watermass_fraction";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let names = [&evidence::SERIES[..], &["residual_mean"]].concat();
        ToolSpec::new("watermass", "Mixing fractions of source waters.", port("1"))
            .description(
                "Optimum multiparameter analysis (Tomczak and Large 1989): the fractions, none negative, of the sources whose mixture comes nearest to temperature, salinity and oxygen, each less the mean of the sources and over their standard deviation, with the sum of the fractions held near 1 as one more property. Weights are 1, that of mass the largest of them, unless stated. The first array is the fraction of the first source, then one `fraction_<name>` for each of the others; residual is the weighted distance that is left and mass the sum of the fractions. At most one source more than properties can be told apart.",
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
    let mut notes = Vec::new();
    let temp = in_celsius(&arguments.temp.open(datasets, context)?)?;
    let salt = arguments.salt.open(datasets, context)?;
    let kinds = (TemperatureKind::of(&temp, &mut notes), SalinityKind::of(&salt, &mut notes));
    let mut fields = vec![temp, salt];
    if let Some(oxygen) = &arguments.oxygen {
        fields.push(oxygen_in(&oxygen.open(datasets, context)?)?.0);
    }
    one_grid(&fields.iter().collect::<Vec<_>>())?;
    let system = System::of(arguments)?;
    let columns = Columns::of(fields);
    let count = arguments.sources.len();
    let computed = columns.compute(context, &Levels::Same, count + 2, |view| {
        let mut parts = vec![vec![f64::NAN; view.depth.len()]; count + 2];
        for at in 0..view.depth.len() {
            let own: Vec<f64> = view.values.iter().map(|values| values[at]).collect();
            let Some((fractions, residual)) = system.solve(&own) else { continue };
            parts[count + 1][at] = fractions.iter().sum();
            for (part, value) in parts.iter_mut().zip(fractions.iter().chain([&residual])) {
                part[at] = *value;
            }
        }
        parts
    })?;
    let quantities: Vec<Quantity> = arguments
        .sources
        .iter()
        .map(|source| format!("fraction_{}", source.name))
        .chain(["residual".to_owned(), "mass".to_owned()])
        .map(|name| Quantity::new(&name, "1"))
        .collect();
    let properties = if arguments.oxygen.is_some() { ", oxygen" } else { "" };
    let method = format!(
        "fraction of {} by optimum multiparameter analysis of {}, {}{properties} and mass",
        arguments.sources[0].name,
        kinds.0.words(),
        kinds.1.words()
    );
    let output = columns.output(&Levels::Same, &quantities, &computed, &method, notes)?;
    let residuals = computed.arrays[count].iter().filter(|own| !own.is_nan());
    let (sum, n) = residuals.fold((0.0, 0_usize), |(sum, n), own| (sum + own, n + 1));
    let how = format!("mean weighted residual, {method}");
    Ok(output.with_evidence([EvidenceDraft::new("residual_mean", sum / n as f64, "1", &how).n(n)]))
}

/// The sources as columns of a system of equations, one row a property and one for mass.
struct System {
    columns: Vec<Vec<f64>>,
    /// Mean, standard deviation and weight of each property.
    scales: Vec<[f64; 3]>,
    mass: f64,
}

impl System {
    fn of(arguments: &Arguments) -> Result<Self, ToolError> {
        let sources = &arguments.sources;
        let properties = 2 + usize::from(arguments.oxygen.is_some());
        if sources.len() < 2 || sources.len() > properties + 1 {
            return Err(ToolError::invalid(format!(
                "there are {} sources; {properties} properties and mass tell 2 to {} apart",
                sources.len(),
                properties + 1
            )));
        }
        for (at, source) in sources.iter().enumerate() {
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if source.name.is_empty()
                || !source.name.chars().all(is_name)
                || sources[..at].iter().any(|other| other.name == source.name)
            {
                return Err(ToolError::invalid(format!(
                    "`{}` is no name of a source; each needs its own of letters, digits and _, such as NADW",
                    source.name
                )));
            }
            if arguments.oxygen.is_some() && source.oxygen.is_none() {
                return Err(ToolError::invalid(format!(
                    "source `{}` has no oxygen; give it to every source, or leave the field oxygen out",
                    source.name
                )));
            }
        }
        let weights = match &arguments.weights {
            None => vec![1.0; properties],
            Some(weights) => weights.clone(),
        };
        let is_right = (properties..=properties + 1).contains(&weights.len());
        if !is_right || weights.iter().any(|weight| weight.is_nan() || *weight <= 0.0) {
            return Err(ToolError::invalid(format!(
                "weights must hold {properties} positive numbers, one a property, and one for mass after them if wanted"
            )));
        }
        let largest = weights[..properties].iter().copied().fold(0.0, f64::max);
        let mass = weights.get(properties).copied().unwrap_or(largest);
        let value = |source: &SourceWater, at: usize| {
            [source.temp, source.salt, source.oxygen.unwrap_or(f64::NAN)][at]
        };
        let scales: Vec<[f64; 3]> = (0..properties)
            .map(|at| {
                let n = sources.len() as f64;
                let mean = sources.iter().map(|source| value(source, at)).sum::<f64>() / n;
                let square = |source: &SourceWater| (value(source, at) - mean) * (value(source, at) - mean);
                let std = libm::sqrt(sources.iter().map(square).sum::<f64>() / (n - 1.0));
                [mean, if std > 0.0 { std } else { 1.0 }, weights[at]]
            })
            .collect();
        let column = |source: &SourceWater| {
            let scaled = scales.iter().enumerate().map(|(at, scale)| scaled(value(source, at), scale));
            scaled.chain([mass]).collect()
        };
        Ok(Self { columns: sources.iter().map(column).collect(), mass, scales })
    }

    /// The fractions and the residual of water with these properties; `None` where one is missing.
    fn solve(&self, own: &[f64]) -> Option<(Vec<f64>, f64)> {
        if own.iter().any(|value| value.is_nan()) {
            return None;
        }
        let y: Vec<f64> = own
            .iter()
            .zip(&self.scales)
            .map(|(value, scale)| scaled(*value, scale))
            .chain([self.mass])
            .collect();
        nnls::solve(&self.columns, &y)
    }
}

fn scaled(value: f64, [mean, std, weight]: &[f64; 3]) -> f64 {
    weight * (value - mean) / std
}
