//! `compute_mca`: patterns of two fields that vary together.

use leg_core::{Artifact, Coord, Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use libm::sqrt;
use ndarray::{Array4, Axis};
use ocean_data::Field;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::anomaly_matrix::AnomalyMatrix;
use super::findings::Findings;
use super::perform_eof_analysis::{Preprocessing, by_mode, of_modes, per_mode};
use super::preparation::Preparation;
use crate::argument::{FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::frame::Frame;
use crate::kernels::correlation::pearson;
use crate::kernels::maximum_covariance::{Chance, Pair, chance, pairs, total};
use crate::kernels::random::Random;
use crate::kernels::steps;
use crate::kernels::time_axis::TimeAxis;
use crate::series::{axis_of, units_of, with_times};
use crate::{Datasets, reading};

/// Finds pairs of patterns.
pub(crate) struct ComputeMca;

/// Arguments of `compute_mca`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field along time with one level.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "lat?", "lon?"], "unit": "any"}))]
    field1: FieldArgument,
    /// Another at the same times, on any grid.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "lat?", "lon?"], "unit": "any"}))]
    field2: FieldArgument,
    /// How many pairs.
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 50))]
    n_modes: usize,
    /// What becomes of each cell's values.
    #[serde(default)]
    preprocessing: Preprocessing,
    /// Weigh by the root of the cosine of latitude.
    #[serde(default = "yes")]
    weight_by_latitude: bool,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// Take the linear trend out first.
    #[serde(default)]
    detrend: bool,
    /// The years of the cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// How many surrogates judge the first pair; 0 for none.
    #[serde(default = "hundred")]
    #[schemars(range(max = 10_000))]
    n_surrogates: usize,
    /// Seed of the surrogates.
    #[serde(default)]
    seed: u64,
}

fn three() -> usize {
    3
}

fn yes() -> bool {
    true
}

fn hundred() -> usize {
    100
}

impl Computation for ComputeMca {
    const NAME: &'static str = "compute_mca";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Patterns of two fields that vary together.", Port::of(Kind::Statistic))
            .description(
                "Maximum covariance analysis: singular vectors of the cross-covariance (over n - 1) of the weighted \
                 anomalies (Bretherton et al. 1992); a cell that misses a time is left out. Per pair: singular value, \
                 share of the squared covariance, correlation of the two time series. pattern1 and pattern2: without \
                 weights, for one standard deviation of the own time series; the largest magnitude of the first weighted \
                 pattern is positive. p_1 and p_total: shares of surrogates, field2 moved in time round the end, whose \
                 first singular value or whole squared covariance is as large.",
            )
            .output("pattern1", Port::of(Kind::Eof))
            .output("pattern2", Port::of(Kind::Eof))
            .evidence(&[
                "scf_1", "scf_2", "scf_3", "scf_total", "singular_1", "score_correlation_1", "p_1", "p_total", "n_cells1",
                "n_cells2", "n_times", "n_modes",
            ])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let fields = [arguments.field1.open(datasets, context)?, arguments.field2.open(datasets, context)?];
        let axes = [axis_of(&fields[0])?, axis_of(&fields[1])?];
        let common = steps::join(&axes[0], &axes[1]).len();
        if common != axes[0].len() || common != axes[1].len() {
            return Err(ToolError::invalid(format!(
                "`{}` has {} times, `{}` has {}, and {common} are common; choose one time for both, at one step",
                fields[0].name(),
                axes[0].len(),
                fields[1].name(),
                axes[1].len()
            )));
        }
        analyse(arguments, [&fields[0], &fields[1]], &axes[0], context)
    }
}

fn analyse(
    arguments: &Arguments,
    [one, two]: [&Field; 2],
    axis: &TimeAxis,
    context: &ToolContext,
) -> Result<ToolOutput, ToolError> {
    let baseline = arguments.baseline.as_ref().map(|window| &window.0);
    let preparation = Preparation::of(axis, arguments.deseasonalise, arguments.detrend, baseline)?;
    let matrix = |field| {
        AnomalyMatrix::of(
            field,
            &preparation,
            arguments.weight_by_latitude,
            arguments.preprocessing == Preprocessing::Standardized,
            arguments.preprocessing != Preprocessing::None,
        )
    };
    let sides = [(one, matrix(one)?), (two, matrix(two)?)];
    let products = [sides[0].1.products(context)?, sides[1].1.products(context)?];
    let [kx, ky] = [&products[0].gram, &products[1].gram];
    let most = arguments.n_modes.min(axis.len() - 1).min(products[0].cells).min(products[1].cells);
    let mut found = pairs(kx, ky, most);
    let Some(first) = found.first().map(|pair| pair.singular) else {
        return Err(ToolError::no_data(
            "the anomalies of the fields have no covariance; choose another window",
        ));
    };
    let odds = (arguments.n_surrogates > 0)
        .then(|| chance(kx, ky, first, arguments.n_surrogates, &mut Random::new(arguments.seed)));
    // A pattern is the projection of the anomalies on the other field's time series, over the singular value.
    let mut loading1 = sides[0].1.project(&over(&found, |pair| &pair.second), &products[0], context)?;
    orient(&mut loading1, &mut found);
    let loading2 = sides[1].1.project(&over(&found, |pair| &pair.first), &products[1], context)?;
    let score = |name: &str, field: &Field, of: fn(&Pair) -> &Vec<f64>| Variable {
        name: name.to_owned(),
        standard_name: None,
        units: units(arguments, field),
        dims: vec!["mode".to_owned(), "time".to_owned()],
        shape: vec![found.len(), axis.len()],
        values: found.iter().flat_map(of).copied().collect(),
    };
    let numbers: Vec<f64> = (1..=found.len()).map(|mode| mode as f64).collect();
    let count = axis.len() as f64 - 1.0;
    let squared = format!("{} {}", units(arguments, one), units(arguments, two));
    let all = total(kx, ky);
    let per_pair = |of: &dyn Fn(&Pair) -> f64| found.iter().map(of).collect::<Vec<f64>>();
    let share = per_pair(&|pair| pair.singular * pair.singular / all);
    let correlation = per_pair(&|pair| pearson(&pair.first, &pair.second));
    let singular = per_pair(&|pair| pair.singular / count);
    let result =
        Artifact::document(Kind::Statistic, format!("{}_{}_mca", one.name(), two.name()), Value::Null)
            .with_coord("mode", Coord::numbers(&numbers, "1", ""))
            .with_variable(per_mode("squared_covariance_fraction", "1", share.clone()))
            .with_variable(per_mode("singular_value", &squared, singular.clone()))
            .with_variable(per_mode("score_correlation", "1", correlation.clone()))
            .with_variable(score("score1", one, |pair| &pair.first))
            .with_variable(score("score2", two, |pair| &pair.second));
    let part = |at: usize| share.get(at).copied().unwrap_or(f64::NAN);
    let weights = if arguments.weight_by_latitude { "root of cos(latitude)" } else { "equal weights" };
    let surrogates =
        format!("share of {} surrogates, field2 moved in time, with as large a", arguments.n_surrogates);
    let p = |of: fn(&Chance) -> f64| odds.as_ref().map_or(f64::NAN, of);
    let mut output = Findings::by(format!("maximum covariance analysis, {weights}{}", preparation.text()))
        .relative_to(preparation.baseline())
        .during(axis.window())
        .from(axis.len())
        .number("scf_1", part(0), "1", "share of the squared covariance of pair 1")
        .number("scf_2", part(1), "1", "share of the squared covariance of pair 2")
        .number("scf_3", part(2), "1", "share of the squared covariance of pair 3")
        .number("scf_total", share.iter().sum(), "1", "share of the squared covariance of all pairs given")
        .number("singular_1", singular[0], &squared, "first singular value of the cross-covariance")
        .number("score_correlation_1", correlation[0], "1", "correlation of the time series of pair 1")
        .number("p_1", p(|own| own.first), "1", &format!("{surrogates} first singular value"))
        .number("p_total", p(|own| own.total), "1", &format!("{surrogates} sum of all squared ones"))
        .count("n_cells1", products[0].cells, "cells of field1 with every time")
        .count("n_cells2", products[1].cells, "cells of field2 with every time")
        .count("n_times", axis.len(), "times")
        .count("n_modes", found.len(), "pairs")
        .fact("seed", arguments.seed)
        .notes(preparation.note())
        .notes(reading::notes(one))
        .notes(reading::notes(two))
        .source(reading::source(one, &products[0].chunks))
        .source(reading::source(two, &products[1].chunks))
        .onto(with_times(result, axis));
    let maps = [
        ("pattern1", &sides[0], &loading1, per_pair(&|pair| deviation(&pair.first))),
        ("pattern2", &sides[1], &loading2, per_pair(&|pair| deviation(&pair.second))),
    ];
    for (name, (field, matrix), loading, spread) in maps {
        let frame = Frame::of(field)?.without_time();
        let mut pattern = loading.clone();
        for ((mode, _, y, x), place) in pattern.indexed_iter_mut() {
            *place *= spread[mode] / matrix.weights()[[y, x]];
        }
        let pattern = by_mode("pattern", &units(arguments, field), &frame, &pattern);
        let rest = vec![by_mode("loading", "1", &frame, loading)];
        output.artifacts.insert(name.to_owned(), of_modes(name, &frame, axis, pattern, rest));
    }
    Ok(output)
}

fn units(arguments: &Arguments, field: &Field) -> String {
    if arguments.preprocessing == Preprocessing::Standardized { "1".to_owned() } else { units_of(field) }
}

/// A time series of each pair over the singular value.
fn over(pairs: &[Pair], of: fn(&Pair) -> &Vec<f64>) -> Vec<Vec<f64>> {
    pairs.iter().map(|pair| of(pair).iter().map(|value| value / pair.singular).collect()).collect()
}

/// Makes the largest magnitude of each pattern of the first field positive, and turns the time series with it.
fn orient(loading: &mut Array4<f64>, pairs: &mut [Pair]) {
    for (mut map, pair) in loading.axis_iter_mut(Axis(0)).zip(pairs) {
        let largest = map
            .iter()
            .filter(|value| !value.is_nan())
            .fold(0.0_f64, |best, value| if value.abs() > best.abs() { *value } else { best });
        if largest < 0.0 {
            map.mapv_inplace(|value| -value);
            pair.first.iter_mut().chain(&mut pair.second).for_each(|value| *value = -*value);
        }
    }
}

/// Standard deviation (n − 1) of a series whose mean is 0.
fn deviation(values: &[f64]) -> f64 {
    sqrt(values.iter().map(|value| value * value).sum::<f64>() / (values.len() as f64 - 1.0))
}
