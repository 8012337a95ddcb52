//! `compute_multiple_regression`: a response on several drivers.

use leg_core::{Artifact, Coord, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec, Variable};
use libm::sqrt;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::findings::Findings;
use super::together::Together;
use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::regression::regression;
use crate::kernels::student_t::{quantile, two_sided_p};
use crate::series::Series;

/// Regresses a series on others.
pub(crate) struct ComputeMultipleRegression;

/// Arguments of `compute_multiple_regression`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    response: ArtifactArgument,
    /// Up to 10 series.
    #[schemars(length(min = 1, max = 10))]
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    drivers: Vec<ArtifactArgument>,
    /// Divide response and drivers by their standard deviations, so that the factors can be compared.
    #[serde(default = "yes")]
    standardise: bool,
    /// Take the mean annual cycles out first, when the step is shorter than a year.
    #[serde(default)]
    deseasonalise: bool,
    /// Take the linear trends out first.
    #[serde(default)]
    detrend: bool,
    /// Lags of the Newey-West covariance; floor(4 (n/100)^(2/9)) if absent.
    #[serde(default)]
    lags: Option<usize>,
    /// Level of the confidence intervals.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
}

fn yes() -> bool {
    true
}

fn ninety_five() -> f64 {
    0.95
}

impl Computation for ComputeMultipleRegression {
    const NAME: &'static str = "compute_multiple_regression";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "A series regressed on several drivers.", Port::of(Kind::Statistic))
            .description(
                "Least squares with a constant at the times that all series have. Standard errors by the Newey-West \
                 covariance with Bartlett weights times n/(n - k), Student's t with n - k degrees of freedom. share: mean \
                 gain of R2 over all orders of the drivers (LMG, the Shapley value), adding up to R2; vif: variance \
                 inflation factor, above 10 the drivers can hardly be told apart. With standardise the factors are in \
                 standard deviations. A regression is no cause.",
            )
            .evidence(&[
                "r_squared", "r_squared_adjusted", "coefficient_1", "coefficient_2", "coefficient_3", "p_1", "p_2", "p_3",
                "share_1", "share_2", "share_3", "largest_vif", "residual_std", "r1_residual", "intercept", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let mut series = vec![Series::read(&arguments.response, context)?];
        for driver in &arguments.drivers {
            series.push(Series::read(driver, context)?);
        }
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &[Series]) -> Result<ToolOutput, ToolError> {
    let together = Together::of(series, arguments.deseasonalise, arguments.detrend)?;
    let n = together.rows.len();
    let scaled: Vec<Vec<f64>> = together
        .values
        .iter()
        .map(|own| if arguments.standardise { standardised(own) } else { own.clone() })
        .collect();
    let found = regression(&scaled[0], &scaled[1..], arguments.lags).ok_or_else(|| {
        ToolError::invalid(
            "a driver is made of the others or does not vary, or there are as many drivers as values; leave one out",
        )
    })?;
    let unknowns = series.len();
    let degrees = (n - unknowns) as f64;
    let half = quantile(f64::midpoint(1.0, arguments.confidence_level), degrees);
    let rows: Vec<Row> = (1..unknowns)
        .map(|at| Row {
            name: series[at].name.clone(),
            factor: found.factors[at],
            error: found.errors[at],
            p: two_sided_p(found.factors[at] / found.errors[at], degrees),
            half: half * found.errors[at],
            share: found.shares[at - 1],
            vif: found.inflation[at - 1],
        })
        .collect();
    let units = |at: usize| {
        if arguments.standardise {
            "1".to_owned()
        } else {
            format!("{} ({})-1", series[0].units, series[at].units)
        }
    };
    let response = if arguments.standardise { "1" } else { series[0].units.as_str() };
    let squares: f64 = found.residuals.iter().map(|own| own * own).sum();
    let adjusted = 1.0 - (1.0 - found.r_squared) * (n as f64 - 1.0) / degrees;
    let scale = if arguments.standardise { ", all standardised" } else { "" };
    let text = format!(
        "least squares on {} drivers, Newey-West covariance with {} lags{scale}{}",
        rows.len(),
        found.lags,
        together.preparation.text()
    );
    let mut findings = Findings::by(text)
        .over(&series[0])
        .during(together.joined.axis.window())
        .from(n)
        .relative_to(together.preparation.baseline())
        .number("r_squared", found.r_squared, "1", "share of variance of the fit")
        .number("r_squared_adjusted", adjusted, "1", "that share, adjusted for the number of drivers");
    for at in 1..=3 {
        let row = rows.get(at - 1);
        let number = |of: fn(&Row) -> f64| row.map_or(f64::NAN, of);
        let name =
            row.map_or_else(|| format!("driver {at}, which there is not"), |row| format!("`{}`", row.name));
        let unit = if row.is_some() { units(at) } else { "1".to_owned() };
        findings = findings
            .number(
                &format!("coefficient_{at}"),
                number(|row| row.factor),
                &unit,
                &format!("factor of {name}"),
            )
            .number(&format!("p_{at}"), number(|row| row.p), "1", &format!("p value of {name}"))
            .number(
                &format!("share_{at}"),
                number(|row| row.share),
                "1",
                &format!("share of variance of {name}"),
            );
    }
    let vif = rows.iter().map(|row| row.vif).fold(0.0, f64::max);
    if vif > 10.0 {
        findings = findings.note(format!(
            "the drivers can hardly be told apart (variance inflation factor {vif:.1}); leave one of them out"
        ));
    }
    let spread = together.spread(&found.residuals);
    Ok(findings
        .number("largest_vif", vif, "1", "largest variance inflation factor")
        .number("residual_std", sqrt(squares / degrees), response, "standard deviation of what is left")
        .number(
            "r1_residual",
            crate::kernels::correlation::autocorrelation(&spread, 1),
            "1",
            "lag-1 autocorrelation of what is left",
        )
        .number("intercept", found.factors[0], response, "constant")
        .count("n", n, "times that all series have")
        .fact("confidence_level", arguments.confidence_level)
        .fact("units", (1..unknowns).map(units).collect::<Vec<String>>())
        .notes(together.preparation.note())
        .onto(table(&series[0].name, &rows)))
}

/// What is known of a driver.
struct Row {
    name: String,
    factor: f64,
    error: f64,
    p: f64,
    half: f64,
    share: f64,
    vif: f64,
}

fn table(name: &str, rows: &[Row]) -> Artifact {
    type Column = (&'static str, fn(&Row) -> f64);
    let columns: [Column; 7] = [
        ("coefficient", |row| row.factor),
        ("std_error", |row| row.error),
        ("p_value", |row| row.p),
        ("ci_low", |row| row.factor - row.half),
        ("ci_high", |row| row.factor + row.half),
        ("share", |row| row.share),
        ("vif", |row| row.vif),
    ];
    let artifact = Artifact::document(Kind::Statistic, format!("{name}_regression"), Value::Null)
        .with_coord("driver", Coord::texts(rows.iter().map(|row| row.name.clone())));
    columns.into_iter().fold(artifact, |artifact, (name, of)| {
        artifact.with_variable(Variable {
            name: name.to_owned(),
            standard_name: None,
            units: "1".to_owned(),
            dims: vec!["driver".to_owned()],
            shape: vec![rows.len()],
            values: rows.iter().map(of).collect(),
        })
    })
}

/// Values less their mean, over their standard deviation (n − 1); as they are when they do not vary.
fn standardised(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let spread = sqrt(values.iter().map(|own| (own - mean) * (own - mean)).sum::<f64>() / (n - 1.0));
    values.iter().map(|own| if spread > 0.0 { (own - mean) / spread } else { *own }).collect()
}
