//! `compute_regression_map`: the regression of each cell on an index.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::sqrt;
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;

use super::cell_maps::CellMaps;
use super::compute_lag_correlation::EffectiveSize;
use super::findings::Findings;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::{ArtifactArgument, FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::{correlation, steps};
use crate::series::{Series, axis_of, units_of};

/// Regresses each cell on an index.
pub(crate) struct ComputeRegressionMap;

/// Arguments of `compute_regression_map`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The field that responds.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    field: FieldArgument,
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    index_timeseries: ArtifactArgument,
    /// Steps by which the index leads; negative when the field leads.
    #[serde(default)]
    #[schemars(range(min = -1200, max = 1200))]
    lag: i64,
    /// Take the mean annual cycle out of both first.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// Take the linear trend out of both first.
    #[serde(default = "yes")]
    detrend: bool,
    /// The years of the cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// Slope for one standard deviation of the index, not for one of its units.
    #[serde(default)]
    standardise_index: bool,
    /// How the effective number of pairs is found.
    #[serde(default = "by_ar1")]
    n_eff: EffectiveSize,
    /// Level of the test of each cell alone.
    #[serde(default = "five_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    significance_level: f64,
    /// False discovery rate over the map.
    #[serde(default = "ten_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    fdr: f64,
}

fn yes() -> bool {
    true
}

fn by_ar1() -> EffectiveSize {
    EffectiveSize::Ar1
}

fn five_percent() -> f64 {
    0.05
}

fn ten_percent() -> f64 {
    0.1
}

impl Computation for ComputeRegressionMap {
    const NAME: &'static str = "compute_regression_map";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port =
            Port { or: vec![Kind::Field, Kind::Profile, Kind::Section, Kind::Scalar], ..Port::of(Kind::Map) };
        ToolSpec::new("statistic", "Regression and correlation of each cell with an index.", port)
            .description(
                "Least-squares slope of y(t + lag) on x(t), x the index and y the cell, both without their annual cycle \
                 and trend as asked; correlation, p value with n_eff - 2 degrees of freedom (Bretherton et al. 1999) and \
                 significance at the false discovery rate. Joined on time: by month for months, else by instant. lag > \
                 0: the index leads. A relation in time is no cause.",
            )
            .evidence(&[
                "min", "max", "mean", "n", "n_p_below_alpha", "n_significant", "strongest_correlation", "n_times",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let index = Series::read(&arguments.index_timeseries, context)?;
        compute(arguments, &index, datasets, context)
    }
}

/// For each pair the position in the field and the value of the index, for a lag in steps of the field.
fn lagged(field: &Field, index: &Series, values: &[f64], lag: i64) -> Result<Vec<(usize, f64)>, ToolError> {
    let axis = axis_of(field)?;
    let pairs = steps::join(&axis, &index.axis);
    if lag == 0 {
        return Ok(pairs.into_iter().map(|(at, own)| (at, values[own])).collect());
    }
    let numbers = steps::numbers(&axis).ok_or_else(|| {
        ToolError::invalid("a lag needs a field with an even step; leave lag at 0, or resample the field")
    })?;
    let shifted = |at: usize| numbers.binary_search(&(numbers[at] + lag)).ok();
    Ok(pairs.into_iter().filter_map(|(at, own)| Some((shifted(at)?, values[own]))).collect())
}

fn compute(
    arguments: &Arguments,
    index: &Series,
    datasets: &Datasets,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let field = arguments.field.open(datasets, context)?;
    let axis = axis_of(&field)?;
    let baseline = arguments.baseline.as_ref().map(|window| &window.0);
    let preparation = Preparation::of(&axis, arguments.deseasonalise, arguments.detrend, baseline)?;
    let own = Preparation::of(&index.axis, arguments.deseasonalise, arguments.detrend, baseline)?;
    let pairs = lagged(&field, index, &own.apply(&index.values), arguments.lag)?;
    let times = pairs.iter().filter(|pair| !pair.1.is_nan()).count();
    if times < 4 {
        return Err(ToolError::no_data(format!(
            "the field ({}) and the index ({}) have {times} times in common and 4 are needed; choose a window that \
             both cover",
            axis.window(),
            index.axis.window()
        )));
    }
    let (positions, x): (Vec<usize>, Vec<f64>) = pairs.into_iter().unzip();
    let spread = if arguments.standardise_index { deviation(&x) } else { 1.0 };
    let maps = CellMaps::of(&field, context, 4, |values, out| {
        let prepared = preparation.apply(values);
        let y: Vec<f64> = positions.iter().map(|&at| prepared[at]).collect();
        let (px, py) = correlation::pairs(&x, &y);
        if px.len() < 4 {
            return;
        }
        let r = correlation::pearson(&px, &py);
        let n_eff = arguments.n_eff.of(&x, &y);
        let slope = r * deviation(&py) / deviation(&px) * spread;
        out.copy_from_slice(&[slope, r, correlation::p_value(r, n_eff), n_eff]);
    })?;
    let per = if arguments.standardise_index { "1" } else { index.units.as_str() };
    let units = if per == "1" { units_of(&field) } else { format!("{} ({per})-1", units_of(&field)) };
    let lead =
        if arguments.lag == 0 { String::new() } else { format!(", index leads by {} steps", arguments.lag) };
    let text =
        format!("regression on {}{lead}{}, {}", index.name, preparation.text(), arguments.n_eff.text());
    let slopes = maps.frame.variable("regression", &units, &maps.values(0));
    let drafts = maps.frame.evidence(&slopes.values, &units, &text, preparation.baseline());
    let significance = maps.significance(2, arguments.significance_level, arguments.fdr);
    let strongest = maps
        .values(1)
        .iter()
        .copied()
        .filter(|r| !r.is_nan())
        .fold(f64::NAN, |best: f64, r| if best.is_nan() || r.abs() > best.abs() { r } else { best });
    let artifact = maps.artifact(
        &format!("{}_on_{}", field.name(), index.name),
        &[("regression", &units), ("correlation", "1"), ("p_value", "1"), ("n_eff", "1")],
    );
    let findings = Findings::by(text)
        .relative_to(preparation.baseline())
        .during(axis.window())
        .with(drafts)
        .number("strongest_correlation", strongest, "1", "correlation of the largest magnitude")
        .count("n_times", times, "times that field and index share")
        .notes(preparation.note());
    let findings = significance.count(findings, arguments.significance_level, arguments.fdr);
    Ok(maps.read_from(&field, findings).onto(significance.mark(artifact)))
}

/// Population standard deviation of the values present.
fn deviation(values: &[f64]) -> f64 {
    let present: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    let n = present.len() as f64;
    let mean = present.iter().sum::<f64>() / n;
    sqrt(present.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n)
}
