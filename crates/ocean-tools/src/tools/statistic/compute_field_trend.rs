//! `compute_field_trend`: a map of linear trends.

use leg_core::{Kind, Port, Purity, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cell_maps::CellMaps;
use super::findings::Findings;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::{FieldArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::resample::{Frequency, Reduction, resample};
use crate::kernels::time_axis::TimeAxis;
use crate::kernels::{theil_sen, trend};
use crate::series::{axis_of, units_of};

/// Fits a line in each cell.
pub(crate) struct ComputeFieldTrend;

/// Arguments of `compute_field_trend`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// A field along time.
    #[schemars(extend("x-leg-port" = {"kind": "field", "or": ["hovmoller"], "dims": ["time", "depth?", "lat?", "lon?"], "unit": "any"}))]
    data: FieldArgument,
    /// Least squares, or the median of pairwise slopes with the Mann-Kendall test.
    #[serde(default)]
    method: Method,
    /// How the dependence of the residuals is taken into account.
    #[serde(default)]
    autocorrelation: Autocorrelation,
    /// Use the means of calendar years (unweighted, at least half of the values of a year).
    #[serde(default)]
    annual_mean: bool,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// The years of that cycle; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// The time that the slope is for.
    #[serde(default)]
    per: Per,
    /// Fraction of the times that a cell must have.
    #[serde(default = "seventy_percent")]
    #[schemars(range(min = 0.0, max = 1.0))]
    min_coverage: f64,
    /// Level of the test of each cell alone.
    #[serde(default = "five_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    alpha: f64,
    /// False discovery rate over the map; twice the level for maps correlated in space (Wilks 2016).
    #[serde(default = "ten_percent")]
    #[schemars(range(min = 0.0001, max = 0.5))]
    fdr: f64,
}

fn yes() -> bool {
    true
}

fn seventy_percent() -> f64 {
    0.7
}

fn five_percent() -> f64 {
    0.05
}

fn ten_percent() -> f64 {
    0.1
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Ordinary least squares.
    #[default]
    Linear,
    /// Theil-Sen slope with the Mann-Kendall test.
    TheilSen,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Autocorrelation {
    /// Effective sample size from the lag-1 autocorrelation; for `theil_sen` the variance of Hamed and Rao.
    #[default]
    Ar1,
    /// Not at all.
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Per {
    /// Ten years.
    #[default]
    Decade,
    /// One year.
    Year,
}

impl Computation for ComputeFieldTrend {
    const NAME: &'static str = "compute_field_trend";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        let port =
            Port { or: vec![Kind::Field, Kind::Profile, Kind::Section, Kind::Scalar], ..Port::of(Kind::Map) };
        ToolSpec::new("statistic", "Map of linear trends with their significance.", port)
            .description(
                "The trend of compute_trend in each cell: slope, p value, n_eff and significance. linear: least squares; \
                 ar1 uses n_eff = n (1 - r1)/(1 + r1) (Santer et al. 2000). theil_sen: median of pairwise slopes and \
                 Mann-Kendall, ar1 after Hamed and Rao (1998). `significant` are discoveries at the false discovery \
                 rate (Benjamini and Hochberg 1995, Wilks 2016). Time runs in years of the calendar.",
            )
            .evidence(&["min", "max", "mean", "n", "n_p_below_alpha", "n_significant"])
            .purity(Purity::ReadsData)
    }

    fn run(
        arguments: &Arguments,
        datasets: &Datasets,
        context: &ToolContext,
    ) -> Result<ToolOutput, ToolError> {
        let field = arguments.data.open(datasets, context)?;
        let axis = axis_of(&field)?;
        let baseline = arguments.baseline.as_ref().map(|window| &window.0);
        let deseasonalise = arguments.deseasonalise && !arguments.annual_mean;
        let preparation = Preparation::of(&axis, deseasonalise, false, baseline)?;
        let yearly =
            if arguments.annual_mean { Some(annual(&axis, &vec![0.0; axis.len()])?.0) } else { None };
        let years = yearly.as_ref().unwrap_or(&axis).years();
        let scale = if arguments.per == Per::Decade { 10.0 } else { 1.0 };
        let needed = arguments.min_coverage * years.len() as f64;
        let maps = CellMaps::of(&field, context, 4, |values, out| {
            let values = if arguments.annual_mean {
                annual(&axis, values).map(|(_, means)| means).unwrap_or_default()
            } else {
                preparation.apply(values)
            };
            let n = values.iter().filter(|value| !value.is_nan()).count();
            if (n as f64) < needed || n < 3 {
                return;
            }
            if let Some((slope, stderr, p, n_eff)) = fit(arguments, &years, &values) {
                out.copy_from_slice(&[slope * scale, stderr * scale, p, n_eff]);
            }
        })?;
        let own = units_of(&field);
        let units =
            if arguments.per == Per::Decade { format!("{own} (10 year)-1") } else { format!("{own} year-1") };
        let text = method_text(arguments, &preparation);
        let slopes = maps.frame.variable("slope", &units, &maps.values(0));
        let drafts = maps.frame.evidence(&slopes.values, &units, &text, preparation.baseline());
        let significance = maps.significance(2, arguments.alpha, arguments.fdr);
        let artifact = maps.artifact(
            &format!("{}_trend", field.name()),
            &[("slope", &units), ("stderr", &units), ("p_value", "1"), ("n_eff", "1")],
        );
        let findings = Findings::by(text)
            .relative_to(preparation.baseline())
            .during(axis.window())
            .with(drafts)
            .notes(preparation.note());
        let findings = significance.count(findings, arguments.alpha, arguments.fdr);
        Ok(maps.read_from(&field, findings).onto(significance.mark(artifact)))
    }
}

fn annual(axis: &TimeAxis, values: &[f64]) -> Result<(TimeAxis, Vec<f64>), ToolError> {
    let yearly = resample(axis, values, Frequency::Year, Reduction::Mean, 0.5)
        .map_err(|error| ToolError::invalid(error.to_string()))?;
    Ok((yearly.axis, yearly.values))
}

/// Slope a year, its standard error (missing for Theil-Sen), p value, effective size.
fn fit(arguments: &Arguments, years: &[f64], values: &[f64]) -> Option<(f64, f64, f64, f64)> {
    let dependent = arguments.autocorrelation == Autocorrelation::Ar1;
    if arguments.method == Method::TheilSen {
        let line = theil_sen::fit(years, values, 0.95, dependent).ok()?;
        return Some((line.slope, f64::NAN, line.test.p_value, line.test.n_eff));
    }
    let how = if dependent { trend::Autocorrelation::Ar1 } else { trend::Autocorrelation::None };
    let line = trend::line(years, values, how).ok()?;
    Some((line.slope, line.stderr, line.p_value, line.n_eff))
}

fn method_text(arguments: &Arguments, preparation: &Preparation) -> String {
    let line = match (arguments.method, arguments.autocorrelation) {
        (Method::Linear, Autocorrelation::Ar1) => "least-squares trend, n_eff for AR(1) residuals",
        (Method::Linear, Autocorrelation::None) => "least-squares trend, independent residuals",
        (Method::TheilSen, Autocorrelation::Ar1) => "Theil-Sen trend, Mann-Kendall test of Hamed and Rao",
        (Method::TheilSen, Autocorrelation::None) => "Theil-Sen trend, Mann-Kendall test",
    };
    let means = if arguments.annual_mean { " of annual means" } else { "" };
    format!("{line}{means}{}", preparation.text())
}
