//! `compute_partial_correlation`: what two series share beyond others.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::Deserialize;

use super::compute_lag_correlation::EffectiveSize;
use super::findings::Findings;
use super::together::Together;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::correlation;
use crate::kernels::least_squares::{rest, solve};
use crate::series::Series;

/// Correlates what is left of two series.
pub(crate) struct ComputePartialCorrelation;

/// Arguments of `compute_partial_correlation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    x: ArtifactArgument,
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    y: ArtifactArgument,
    /// The series that are held fixed.
    #[schemars(length(min = 1, max = 20))]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    controls: Vec<ArtifactArgument>,
    /// Take the mean annual cycles out first, when the step is shorter than a year.
    #[serde(default)]
    deseasonalise: bool,
    /// Take the linear trends out first.
    #[serde(default)]
    detrend: bool,
    /// Level of the confidence interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
    /// How the effective number of pairs is found.
    #[serde(default)]
    n_eff: EffectiveSize,
}

fn ninety_five() -> f64 {
    0.95
}

impl Computation for ComputePartialCorrelation {
    const NAME: &'static str = "compute_partial_correlation";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Correlation of two series, others held fixed.", Port::of(Kind::Statistic))
            .description(
                "Correlation of the residuals of x and of y on a constant and the k controls, at the times that all have. \
                 p_value: Student's t with n - 2 - k degrees of freedom; p_adjusted with n_eff of the residuals in place \
                 of n; interval by Fisher's z with n - k. r_simple is the correlation without controls. A correlation is \
                 no cause.",
            )
            .evidence(&[
                "r", "ci_low", "ci_high", "p_value", "p_adjusted", "n_eff", "r_simple", "n_controls", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut series = vec![Series::read(&arguments.x, context)?, Series::read(&arguments.y, context)?];
        for control in &arguments.controls {
            series.push(Series::read(control, context)?);
        }
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &[Series]) -> Result<ToolOutput, ToolError> {
    let together = Together::of(series, arguments.deseasonalise, arguments.detrend)?;
    let controls = arguments.controls.len();
    let n = together.rows.len();
    let mut columns = vec![vec![1.0; n]];
    columns.extend(together.values[2..].iter().cloned());
    let left = |values: &[f64]| -> Result<Vec<f64>, ToolError> {
        let factors = solve(&columns, values).ok_or_else(|| {
            ToolError::invalid("a control is made of the others or does not vary; leave it out")
        })?;
        Ok(rest(&columns, &factors, values))
    };
    let (x, y) = (left(&together.values[0])?, left(&together.values[1])?);
    let r = correlation::pearson(&x, &y);
    if r.is_nan() {
        return Err(ToolError::no_data(
            "nothing is left of x or y when the controls are taken out, so they have no correlation",
        ));
    }
    let size = arguments.n_eff.of(&together.spread(&x), &together.spread(&y));
    let fixed = controls as f64;
    let interval = correlation::interval(r, n as f64 - fixed, arguments.confidence_level);
    let names: Vec<&str> = series[2..].iter().map(|own| own.name.as_str()).collect();
    let text = format!(
        "partial correlation, {} held fixed{}, {}",
        names.join(", "),
        together.preparation.text(),
        arguments.n_eff.text()
    );
    Ok(Findings::by(text)
        .over(&series[0])
        .during(together.joined.axis.window())
        .from(n)
        .relative_to(together.preparation.baseline())
        .interval("r", r, interval, arguments.confidence_level, "1", "partial correlation")
        .number(
            "p_value",
            correlation::p_value(r, n as f64 - fixed),
            "1",
            "p value, values taken as independent",
        )
        .number("p_adjusted", correlation::p_value(r, size - fixed), "1", "p value with n_eff")
        .number("n_eff", size, "1", "effective number of pairs of residuals")
        .number(
            "r_simple",
            correlation::pearson(&together.values[0], &together.values[1]),
            "1",
            "correlation without controls",
        )
        .count("n_controls", controls, "controls")
        .count("n", n, "times that all series have")
        .notes(together.preparation.note())
        .document(Kind::Statistic, format!("{}_{}_partial_correlation", series[0].name, series[1].name)))
}
