//! `detect_change_point`: shifts in the mean of a series.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::log;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::findings::Findings;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::change_points::{noise, pelt, pettitt, stars};
use crate::kernels::correlation::autocorrelation;
use crate::kernels::trend::present;
use crate::series::Series;

/// Finds shifts.
pub(crate) struct DetectChangePoint;

/// Arguments of `detect_change_point`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// How.
    #[serde(default)]
    method: Method,
    /// Level of the test, for pettitt and stars.
    #[serde(default = "twentieth")]
    #[schemars(range(min = 1e-6, max = 0.5))]
    alpha: f64,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default)]
    deseasonalise: bool,
    /// Take r1 times the value before out of each; for stars if absent.
    #[serde(default)]
    prewhiten: Option<bool>,
    /// Cut-off length in steps, for stars.
    #[serde(default = "ten")]
    #[schemars(range(min = 3, max = 10_000))]
    cutoff_length: usize,
    /// Cost of a shift, for pelt, in squared units; 2 ln(n) times the variance of the noise if absent.
    #[serde(default)]
    penalty: Option<f64>,
    /// Shortest segment in steps, for pelt.
    #[serde(default = "two")]
    #[schemars(range(min = 1))]
    min_size: usize,
}

fn twentieth() -> f64 {
    0.05
}

fn ten() -> usize {
    10
}

fn two() -> usize {
    2
}

/// How.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// The most likely single shift, by ranks.
    #[default]
    Pettitt,
    /// Regimes by sequential t tests.
    Stars,
    /// The segmentation of least cost.
    Pelt,
}

impl Computation for DetectChangePoint {
    const NAME: &'static str = "detect_change_point";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Shifts in the mean of a series.", Port::of(Kind::Statistic))
            .description(
                "pettitt: the largest |U| of the rank statistic, p = 2 exp(-6 K2/(n3 + n2)) (Pettitt 1979). stars: \
                 sequential t tests with a cut-off length, confirmed over that length or at least half of it at the end \
                 (Rodionov 2004), prewhitened by r1. pelt: least sum of squares plus penalty a shift (Killick et al. \
                 2012). A shift is given by the first value after it; means are of the values before and after, up to the \
                 neighbouring shifts. Missing values are left out. Autocorrelation and trends pass for shifts: see r1.",
            )
            .evidence(&[
                "change_time", "p_value", "statistic", "mean_before", "mean_after", "shift", "n_changes", "r1", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let preparation = Preparation::of(&series.axis, arguments.deseasonalise, false, None)?;
    let prepared = preparation.apply(&series.values);
    let places: Vec<f64> = (0..prepared.len()).map(|at| at as f64).collect();
    let (places, values) = present(&places, &prepared);
    let n = values.len();
    if n < 6 {
        return Err(ToolError::no_data(format!(
            "a shift needs at least 6 values and the series has {n}; choose a longer window"
        )));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positions")]
    let label = |at: usize| series.axis.label(places[at] as usize);
    let r1 = autocorrelation(&values, 1);
    let prewhiten = arguments.prewhiten.unwrap_or(arguments.method == Method::Stars);
    let tested: Vec<f64> = if prewhiten && r1 > 0.0 {
        // The first value has none before it, and the level stays comparable.
        let rest =
            values.iter().zip(values.iter().skip(1)).map(|(before, own)| (own - r1 * before) / (1.0 - r1));
        values.iter().copied().take(1).chain(rest).collect()
    } else {
        values.clone()
    };
    let single = pettitt(&tested);
    let penalty = arguments.penalty.unwrap_or_else(|| {
        let noise = noise(&tested);
        2.0 * log(n as f64) * noise * noise
    });
    let found = match arguments.method {
        Method::Pettitt => {
            single.iter().filter(|own| own.p_value < arguments.alpha).map(|own| own.at).collect()
        }
        Method::Stars => stars(&tested, arguments.cutoff_length, arguments.alpha),
        Method::Pelt => pelt(&tested, penalty, arguments.min_size),
    };
    let mean = |from: usize, to: usize| values[from..to].iter().sum::<f64>() / (to - from) as f64;
    let around = |at: usize| {
        let from = found.iter().rev().find(|own| **own < at).copied().unwrap_or(0);
        let to = found.iter().find(|own| **own > at).copied().unwrap_or(n);
        (mean(from, at), mean(at, to))
    };
    // Pettitt gives its most likely shift whether it is significant or not.
    let main = match arguments.method {
        Method::Pettitt => single.map(|own| own.at),
        _ => found.iter().copied().fold(None, |best: Option<usize>, own| {
            let size = |at: usize| (around(at).1 - around(at).0).abs();
            Some(best.filter(|best| size(*best) >= size(own)).unwrap_or(own))
        }),
    };
    let (before, after) = main.map_or((f64::NAN, f64::NAN), around);
    let listed: Vec<_> = found
        .iter()
        .map(|&at| {
            let (before, after) = around(at);
            json!({"time": label(at), "mean_before": before, "mean_after": after, "shift": after - before})
        })
        .collect();
    let (name, p, statistic) = match arguments.method {
        Method::Pettitt => (
            "Pettitt's test".to_owned(),
            single.map_or(f64::NAN, |own| own.p_value),
            single.map_or(f64::NAN, |own| own.statistic),
        ),
        Method::Stars => (
            format!("STARS with a cut-off of {} steps at level {}", arguments.cutoff_length, arguments.alpha),
            f64::NAN,
            f64::NAN,
        ),
        Method::Pelt => (format!("PELT with a penalty of {penalty:.6}"), f64::NAN, f64::NAN),
    };
    let white = if prewhiten && r1 > 0.0 { ", prewhitened" } else { "" };
    let text = format!("{name}{white}{}", preparation.text());
    let units = &series.units;
    let findings = Findings::by(text).over(series).from(n).relative_to(preparation.baseline());
    let findings = match main {
        Some(at) => findings.text("change_time", &label(at), "first value after the largest shift"),
        None => findings.text("change_time", "none", "no shift was found"),
    };
    let dependent = (!prewhiten && r1 > 2.0 / libm::sqrt(n as f64)).then(|| {
        format!("the values depend on those before them (r1 = {r1:.2}), which makes shifts look surer than they are; see prewhiten")
    });
    Ok(findings
        .number("p_value", p, "1", "probability of such a shift if there were none")
        .number("statistic", statistic, "1", "largest |U|")
        .number("mean_before", before, units, "mean before the shift")
        .number("mean_after", after, units, "mean after the shift")
        .number("shift", after - before, units, "mean after less mean before")
        .count("n_changes", found.len(), "shifts found")
        .number("r1", r1, "1", "lag-1 autocorrelation of the values, shifts left in")
        .count("n", n, "values")
        .fact("changes", listed)
        .fact("significant", arguments.method != Method::Pettitt || !found.is_empty())
        .notes(preparation.note().into_iter().chain(dependent))
        .document(Kind::Statistic, format!("{}_changes", series.name)))
}
