//! `compute_trend_gls`: trend, annual cycle and autoregressive errors fitted together.

use core::f64::consts::PI;

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use libm::{atan2, cos, sin, sqrt};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::findings::Findings;
use super::joined::even;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::generalised_trend::{Fit, fit};
use crate::kernels::steps;
use crate::kernels::student_t::{quantile, two_sided_p};
use crate::kernels::time_axis::TimeStep;
use crate::series::Series;

/// Fits a trend by generalised least squares.
pub(crate) struct ComputeTrendGls;

/// Arguments of `compute_trend_gls`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Harmonics of the year that are fitted, as far as the step resolves them: 5 for months, none for years.
    #[serde(default = "two")]
    #[schemars(range(max = 6))]
    harmonics: usize,
    /// Order of the autoregressive errors.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 6))]
    order: usize,
    /// Fit a constant acceleration too.
    #[serde(default)]
    acceleration: bool,
    /// Level of the confidence interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
}

fn two() -> usize {
    2
}

fn one() -> usize {
    1
}

fn ninety_five() -> f64 {
    0.95
}

impl Computation for ComputeTrendGls {
    const NAME: &'static str = "compute_trend_gls";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Trend with autoregressive errors and harmonics.", Port::of(Kind::Statistic))
            .description(
                "y = a + b t (+ c t2/2) + harmonics of the year + e, with e autoregressive: Cochrane and Orcutt repeated to \
                 convergence, the coefficients of e by Yule-Walker. t in years of the calendar from the middle of the \
                 record; standard errors from the whitened rows, Student's t with their number less the unknowns. A \
                 value is used when the `order` steps before it are present too.",
            )
            .evidence(&[
                "slope", "ci_low", "ci_high", "stderr", "p_value", "acceleration", "acceleration_stderr", "rho_1",
                "annual_amplitude", "mean", "innovation_std", "n_used", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    let y = even(&series.axis, &series.values)?;
    let years = even_years(series)?;
    // A harmonic needs more than two values a period.
    let most = match series.axis.step() {
        TimeStep::Months(months) => 12_u32.div_ceil(months.max(1)).saturating_sub(1) / 2,
        _ => u32::MAX,
    };
    let harmonics = arguments.harmonics.min(usize::try_from(most).unwrap_or(usize::MAX));
    let middle = f64::midpoint(years[0], years[years.len() - 1]);
    let t: Vec<f64> = years.iter().map(|year| year - middle).collect();
    let mut columns = vec![vec![1.0; t.len()], t.clone()];
    if arguments.acceleration {
        columns.push(t.iter().map(|t| t * t / 2.0).collect());
    }
    for harmonic in 1..=harmonics {
        let turn = 2.0 * PI * harmonic as f64;
        columns.push(years.iter().map(|year| cos(turn * year)).collect());
        columns.push(years.iter().map(|year| sin(turn * year)).collect());
    }
    let Fit { factors, errors, rho, rows, innovation } =
        fit(&columns, &y, arguments.order).ok_or_else(|| {
            ToolError::no_data(format!(
                "{} unknowns with errors of order {} need a longer series without gaps, or fewer harmonics than the step \
                 can tell apart; lower harmonics or order",
                columns.len(),
                arguments.order
            ))
        })?;
    let n = y.iter().filter(|value| !value.is_nan()).count();
    let degrees = (rows - columns.len()) as f64;
    let half = quantile(f64::midpoint(1.0, arguments.confidence_level), degrees) * errors[1];
    let p = if errors[1] > 0.0 { two_sided_p(factors[1] / errors[1], degrees) } else { f64::NAN };
    let from = 2 + usize::from(arguments.acceleration);
    let waves: Vec<(f64, f64)> = factors[from..]
        .chunks_exact(2)
        .map(|pair| {
            let phase = atan2(pair[1], pair[0]).to_degrees().rem_euclid(360.0);
            (sqrt(pair[0] * pair[0] + pair[1] * pair[1]), phase)
        })
        .collect();
    let bent = |values: &[f64]| if arguments.acceleration { values[2] } else { f64::NAN };
    let (decade, square) = (format!("{} (10 year)-1", series.units), format!("{} year-2", series.units));
    let interval = [(factors[1] - half) * 10.0, (factors[1] + half) * 10.0];
    let text = format!("trend with AR({}) errors and {harmonics} harmonics of the year", arguments.order);
    let level = arguments.confidence_level;
    Ok(Findings::by(text)
        .over(series)
        .from(n)
        .interval("slope", factors[1] * 10.0, interval, level, &decade, "slope")
        .number("stderr", errors[1] * 10.0, &decade, "standard error of the slope")
        .number("p_value", p, "1", "two-sided p value of the slope")
        .number("acceleration", bent(&factors), &square, "second derivative in time")
        .number("acceleration_stderr", bent(&errors), &square, "its standard error")
        .number("rho_1", rho[0], "1", "first autoregressive coefficient of the errors")
        .number(
            "annual_amplitude",
            waves.first().map_or(f64::NAN, |wave| wave.0),
            &series.units,
            "amplitude of the first harmonic",
        )
        .number("mean", factors[0], &series.units, "level in the middle of the record")
        .number("innovation_std", innovation, &series.units, "standard deviation of the innovations")
        .count("n_used", rows, "values whose predecessors are present")
        .count("n", n, "values")
        .fact("rho", rho)
        .fact("slope_per_year", factors[1])
        .fact("middle_year", middle)
        .fact(
            "harmonics",
            waves.iter().map(|wave| json!({"amplitude": wave.0, "phase": wave.1})).collect::<Vec<_>>(),
        )
        .document(Kind::Statistic, format!("{}_trend_gls", series.name)))
}

/// Years of every step; a step without a value stands between its neighbours.
fn even_years(series: &Series) -> Result<Vec<f64>, ToolError> {
    let years = series.axis.years();
    let spread = even(&series.axis, &years)?;
    let longest = spread.len();
    let (filled, _) = crate::kernels::gaps::bridged(&spread, longest);
    if filled.len() < 3 || steps::step_days(&series.axis).is_none() {
        return Err(ToolError::no_data("a trend needs at least 3 values; choose a longer window"));
    }
    Ok(filled)
}
