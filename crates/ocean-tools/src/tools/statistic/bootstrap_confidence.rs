//! `bootstrap_confidence`: an interval of a statistic by resampling blocks.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::sqrt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::joined::Joined;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::block_bootstrap::{block_length, positions};
use crate::kernels::correlation::{pairs, pearson};
use crate::kernels::quantile::{of_sorted, quantile};
use crate::kernels::random::Random;
use crate::kernels::trend::{self, line};
use crate::series::Series;

/// Finds an interval by resampling.
pub(crate) struct BootstrapConfidence;

/// Arguments of `bootstrap_confidence`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Of what.
    statistic: Statistic,
    /// The other series of a correlation.
    #[serde(default)]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries2: Option<ArtifactArgument>,
    /// Length of the blocks in steps; from the autocorrelation if absent.
    #[serde(default)]
    #[schemars(range(min = 1))]
    block: Option<usize>,
    /// How many resamples.
    #[serde(default = "two_thousand")]
    #[schemars(range(min = 100, max = 100_000))]
    n: usize,
    /// Seed of the resamples.
    #[serde(default)]
    seed: u64,
    /// Which quantile, from 0 to 1.
    #[serde(default = "half")]
    #[schemars(range(min = 0.0, max = 1.0))]
    quantile: f64,
    /// Level of the interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
}

fn two_thousand() -> usize {
    2_000
}

fn half() -> f64 {
    0.5
}

fn ninety_five() -> f64 {
    0.95
}

/// Of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Statistic {
    /// The mean over time.
    Mean,
    /// The least-squares slope for ten years.
    Trend,
    /// Pearson's correlation with timeseries2.
    Correlation,
    /// A quantile over time.
    Quantile,
}

impl Computation for BootstrapConfidence {
    const NAME: &'static str = "bootstrap_confidence";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Confidence interval by resampling blocks.", Port::of(Kind::Statistic))
            .description(
                "Moving blocks of neighbouring steps (Kuensch 1989), of the length that is best for the mean (Politis and \
                 White 2004) unless block is given; for a correlation blocks of both series together with the longer of \
                 their lengths, for a trend blocks of the residuals on the line. Interval between percentiles of the \
                 resamples. The seed makes it repeatable.",
            )
            .evidence(&["estimate", "ci_low", "ci_high", "standard_error", "bias", "block", "n_resamples", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let one = Series::read(&arguments.timeseries, context)?;
        let two = match (arguments.statistic, &arguments.timeseries2) {
            (Statistic::Correlation, Some(two)) => Some(Series::read(two, context)?),
            (Statistic::Correlation, None) => {
                return Err(ToolError::invalid("give timeseries2, the other series of the correlation"));
            }
            (_, None) => None,
            (_, Some(_)) => {
                return Err(ToolError::invalid(
                    "timeseries2 is for a correlation; leave it out, or set statistic",
                ));
            }
        };
        compute(arguments, &one, two.as_ref(), context)
    }
}

/// What is resampled: values on even steps, and those of the other series or the times in years.
struct Sample {
    values: Vec<f64>,
    other: Vec<f64>,
    years: Vec<f64>,
}

fn compute(
    arguments: &Arguments,
    one: &Series,
    two: Option<&Series>,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let series: Vec<&Series> = std::iter::once(one).chain(two).collect();
    let joined = Joined::of(&series, 4)?;
    let values = joined.even(&joined.values[0])?;
    let other = if two.is_some() { joined.even(&joined.values[1])? } else { Vec::new() };
    let years = joined.even(&joined.axis.years())?;
    let n = values
        .iter()
        .enumerate()
        .filter(|(at, own)| !(own.is_nan() || other.get(*at).is_some_and(|o| o.is_nan())));
    let n = n.count();
    if n < 4 {
        return Err(ToolError::no_data(format!(
            "resampling needs at least 4 values and there are {n}; choose a longer window"
        )));
    }
    let mut sample = Sample { values, other, years };
    let estimate = statistic(arguments, &sample.values, &sample.other, &sample.years);
    let line = if arguments.statistic == Statistic::Trend { sample.without_line() } else { Vec::new() };
    let best = block_length(&sample.values).max(if two.is_some() { block_length(&sample.other) } else { 1 });
    let block = arguments.block.unwrap_or(best).min(sample.values.len());
    let mut random = Random::new(arguments.seed);
    let mut found = Vec::with_capacity(arguments.n);
    for _ in 0..arguments.n {
        if context.is_cancelled() {
            return Err(ToolError::cancelled());
        }
        let at = positions(sample.values.len(), block, &mut random);
        let take = |values: &[f64]| at.iter().filter_map(|at| values.get(*at).copied()).collect::<Vec<f64>>();
        let (mut own, other) = (take(&sample.values), take(&sample.other));
        own.iter_mut().zip(&line).for_each(|(value, line)| *value += line);
        found.push(statistic(arguments, &own, &other, &sample.years));
    }
    found.retain(|own| !own.is_nan());
    found.sort_by(f64::total_cmp);
    let tail = (1.0 - arguments.confidence_level) / 2.0;
    let interval = [of_sorted(&found, tail), of_sorted(&found, 1.0 - tail)];
    let count = found.len() as f64;
    let mean = found.iter().sum::<f64>() / count;
    let error = sqrt(found.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / (count - 1.0));
    let (what, units) = match arguments.statistic {
        Statistic::Mean => ("mean over time".to_owned(), one.units.clone()),
        Statistic::Trend => ("trend".to_owned(), format!("{} (10 year)-1", one.units)),
        Statistic::Correlation => ("correlation".to_owned(), "1".to_owned()),
        Statistic::Quantile => (format!("quantile {}", arguments.quantile), one.units.clone()),
    };
    let text = format!(
        "moving-block bootstrap, {} resamples of blocks of {block}, seed {}",
        arguments.n, arguments.seed
    );
    Ok(Findings::by(text)
        .over(one)
        .during(joined.axis.window())
        .from(n)
        .interval("estimate", estimate, interval, arguments.confidence_level, &units, &what)
        .number(
            "standard_error",
            error,
            &units,
            &format!("standard deviation of the resamples of the {what}"),
        )
        .number("bias", mean - estimate, &units, &format!("mean of the resamples less the {what}"))
        .count("block", block, "steps of a block")
        .count("n_resamples", found.len(), "resamples that have the statistic")
        .count("n", n, "values")
        .document(Kind::Statistic, format!("{}_bootstrap", one.name)))
}

impl Sample {
    /// Takes the least-squares line out of the values and gives it, at every step; missing where the value is.
    fn without_line(&mut self) -> Vec<f64> {
        let Ok(fitted) = line(&self.years, &self.values, trend::Autocorrelation::None) else {
            return Vec::new();
        };
        let at: Vec<f64> = self.years.iter().map(|year| fitted.intercept + fitted.slope * year).collect();
        self.values.iter_mut().zip(&at).for_each(|(value, line)| *value -= line);
        at
    }
}

fn statistic(arguments: &Arguments, values: &[f64], other: &[f64], years: &[f64]) -> f64 {
    let mean = |values: &[f64]| {
        let present: Vec<f64> = values.iter().copied().filter(|own| !own.is_nan()).collect();
        present.iter().sum::<f64>() / present.len() as f64
    };
    match arguments.statistic {
        Statistic::Mean => mean(values),
        Statistic::Quantile => quantile(values, arguments.quantile),
        Statistic::Correlation => {
            let (x, y) = pairs(values, other);
            pearson(&x, &y)
        }
        Statistic::Trend => {
            line(years, values, trend::Autocorrelation::None).map_or(f64::NAN, |fitted| fitted.slope * 10.0)
        }
    }
}
