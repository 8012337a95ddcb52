//! `compute_trend`: the linear trend of a series with its uncertainty.

use leg_core::{Artifact, EvidenceDraft, Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Datasets;
use crate::argument::ArtifactArgument;
use crate::computation::Computation;
use crate::kernels::anomaly::anomaly;
use crate::kernels::climatology::{Climatology, Cycle};
use crate::kernels::theil_sen;
use crate::kernels::time_axis::TimeStep;
use crate::kernels::trend::{self, TrendError};
use crate::series::Series;

/// Fits a line and says how sure its slope is.
pub(crate) struct ComputeTrend;

/// Arguments of `compute_trend`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries: ArtifactArgument,
    /// Least squares, or the median of pairwise slopes with the Mann-Kendall test.
    #[serde(default)]
    method: Method,
    /// Level of the confidence interval.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
    /// How the dependence of the residuals is taken into account.
    #[serde(default)]
    autocorrelation: Autocorrelation,
    /// Take the mean annual cycle out first, when the step is shorter than a year.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// The time that the slope is for.
    #[serde(default)]
    per: Per,
    /// Where time is 0 for the intercept.
    #[serde(default)]
    time_origin: TimeOrigin,
}

fn ninety_five() -> f64 {
    0.95
}

fn yes() -> bool {
    true
}

/// How the line is fitted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Method {
    /// Ordinary least squares.
    #[default]
    Linear,
    /// Theil-Sen slope with the Mann-Kendall test.
    TheilSen,
}

/// How the dependence of the residuals is taken into account.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Autocorrelation {
    /// Effective sample size from the lag-1 autocorrelation (Santer et al. 2000); for `theil_sen` the variance of
    /// Hamed and Rao (1998).
    #[default]
    Ar1,
    /// Not at all.
    None,
    /// Newey-West covariance; for linear only.
    Hac,
}

/// Where time is 0 for the intercept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TimeOrigin {
    /// The year 0 of the calendar.
    #[default]
    Calendar,
    /// The first value.
    First,
}

/// The time that the slope is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Per {
    /// Ten years.
    #[default]
    Decade,
    /// One year.
    Year,
}

impl Per {
    fn years(self) -> f64 {
        match self {
            Self::Decade => 10.0,
            Self::Year => 1.0,
        }
    }

    /// CF units of a slope of something in `units`.
    fn units(self, units: &str) -> String {
        let units = if units.is_empty() { "1" } else { units };
        match self {
            Self::Decade => format!("{units} (10 year)-1"),
            Self::Year => format!("{units} year-1"),
        }
    }
}

/// A slope in units a year, whatever the method.
struct Fitted {
    slope: f64,
    intercept: f64,
    ci: [f64; 2],
    stderr: Option<f64>,
    p_value: f64,
    r1: Option<f64>,
    n_eff: f64,
    n: usize,
    /// Kendall's tau or the correlation.
    association: (&'static str, f64),
}

impl Computation for ComputeTrend {
    const NAME: &'static str = "compute_trend";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Linear trend of a series with its uncertainty.", Port::of(Kind::Statistic))
            .description(
                "Slope with confidence interval, p value, lag-1 autocorrelation and effective sample size. linear: \
                 least squares; ar1 uses n_eff = n (1 - r1)/(1 + r1) for standard error and degrees of freedom \
                 (Santer et al. 2000), hac the Newey-West covariance, none independent residuals. theil_sen: median \
                 of pairwise slopes, Mann-Kendall p value, with ar1 corrected after Hamed and Rao (1998). Time runs \
                 in years of the calendar: year + (month - 1)/12 for monthly and coarser series, else year + the \
                 elapsed part of that year.",
            )
            .evidence(&["slope", "ci_low", "ci_high", "p_value", "r1", "n_eff", "n"])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let series = Series::read(&arguments.timeseries, context)?;
        compute(arguments, &series)
    }
}

fn compute(arguments: &Arguments, series: &Series) -> Result<ToolOutput, ToolError> {
    if arguments.method == Method::TheilSen && arguments.autocorrelation == Autocorrelation::Hac {
        return Err(ToolError::invalid(
            "autocorrelation hac is for method linear; use ar1 or none with theil_sen",
        ));
    }
    let (values, seasonal_note) = deseasonalised(arguments, series);
    let mut years = series.axis.years();
    if let (TimeOrigin::First, Some(&first)) = (arguments.time_origin, years.first()) {
        for year in &mut years {
            *year -= first;
        }
    }
    let fitted = fit(arguments, &years, &values).map_err(|error| match error {
        TrendError::TooFew { .. } => ToolError::no_data(error.to_string()),
        _ => ToolError::invalid(error.to_string()),
    })?;
    let method = method_text(arguments, seasonal_note.is_some());
    let content = content(arguments, series, &fitted, &method);
    let drafts = evidence(arguments, series, &fitted, &method);
    let mut notes: Vec<String> = seasonal_note.into_iter().collect();
    let missing = series.values.len() - fitted.n;
    if missing > 0 {
        notes.push(format!("{missing} missing values were left out"));
    }
    if fitted.n_eff <= 2.0 {
        notes.push(
            "the residuals hold no more than two independent values, so the trend has no interval".to_owned(),
        );
    }
    let artifact = Artifact::document(Kind::Statistic, format!("{}_trend", series.name), content);
    Ok(ToolOutput::of(artifact).with_evidence(drafts).with_notes(notes))
}

/// The values without their mean annual cycle, and a note if one was taken out.
fn deseasonalised(arguments: &Arguments, series: &Series) -> (Vec<f64>, Option<String>) {
    let sub_annual = match series.axis.step() {
        TimeStep::Months(months) => months < 12,
        TimeStep::Seconds(seconds) => seconds < 330 * 86_400,
        TimeStep::Unknown => false,
    };
    if !(arguments.deseasonalise && sub_annual) {
        return (series.values.clone(), None);
    }
    let all = vec![true; series.values.len()];
    let cycle = Climatology::of(Cycle::Monthly, &series.axis, &series.values, &all);
    let bins = Cycle::Monthly.bin_of(&series.axis);
    // The mean stays in, so that the intercept keeps its meaning.
    let n: usize = cycle.n.iter().sum();
    let sum: f64 =
        cycle.mean.iter().zip(&cycle.n).filter(|(_, n)| **n > 0).map(|(mean, n)| mean * *n as f64).sum();
    let mean = sum / n as f64;
    let values = anomaly(&series.values, &bins, &cycle.mean, None).iter().map(|value| value + mean).collect();
    (
        values,
        Some("the mean annual cycle (a mean a month over the whole series) was taken out first".to_owned()),
    )
}

fn fit(arguments: &Arguments, years: &[f64], values: &[f64]) -> Result<Fitted, TrendError> {
    let level = arguments.confidence_level;
    if arguments.method == Method::TheilSen {
        let correct = arguments.autocorrelation == Autocorrelation::Ar1;
        let line = theil_sen::fit(years, values, level, correct)?;
        return Ok(Fitted {
            slope: line.slope,
            intercept: line.intercept,
            ci: [line.ci_low, line.ci_high],
            stderr: None,
            p_value: line.test.p_value,
            r1: None,
            n_eff: line.test.n_eff,
            n: line.n,
            association: ("tau", line.test.tau),
        });
    }
    let method = match arguments.autocorrelation {
        Autocorrelation::None => trend::Autocorrelation::None,
        Autocorrelation::Ar1 => trend::Autocorrelation::Ar1,
        Autocorrelation::Hac => trend::Autocorrelation::Hac(None),
    };
    let line = trend::linear(years, values, level, method)?;
    Ok(Fitted {
        slope: line.slope,
        intercept: line.intercept,
        ci: [line.ci_low, line.ci_high],
        stderr: Some(line.stderr),
        p_value: line.p_value,
        r1: Some(line.r1),
        n_eff: line.n_eff,
        n: line.n,
        association: ("r", line.r),
    })
}

fn method_text(arguments: &Arguments, deseasonalised: bool) -> String {
    let line = match (arguments.method, arguments.autocorrelation) {
        (Method::Linear, Autocorrelation::Ar1) => {
            "least-squares trend, effective sample size for AR(1) residuals"
        }
        (Method::Linear, Autocorrelation::None) => "least-squares trend, independent residuals",
        (Method::Linear, Autocorrelation::Hac) => "least-squares trend, Newey-West covariance",
        (Method::TheilSen, Autocorrelation::None) => "Theil-Sen trend, Mann-Kendall test",
        (Method::TheilSen, _) => "Theil-Sen trend, Mann-Kendall test with the variance of Hamed and Rao",
    };
    if deseasonalised { format!("{line}, annual cycle taken out") } else { line.to_owned() }
}

fn content(arguments: &Arguments, series: &Series, fitted: &Fitted, method: &str) -> Value {
    let scale = arguments.per.years();
    let number = |value: f64| if value.is_finite() { json!(value) } else { Value::Null };
    let mut content = json!({
        "slope": number(fitted.slope * scale),
        "ci_low": number(fitted.ci[0] * scale),
        "ci_high": number(fitted.ci[1] * scale),
        "units": arguments.per.units(&series.units),
        "confidence_level": arguments.confidence_level,
        "p_value": number(fitted.p_value),
        "n_eff": number(fitted.n_eff),
        "n": fitted.n,
        "intercept": number(fitted.intercept),
        "slope_per_year": number(fitted.slope),
        "window": series.axis.window(),
        "method": method,
    });
    let extra = [
        ("stderr", fitted.stderr.map(|stderr| stderr * scale)),
        ("r1", fitted.r1),
        (fitted.association.0, Some(fitted.association.1)),
    ];
    if let Some(members) = content.as_object_mut() {
        for (key, value) in extra {
            if let Some(value) = value {
                members.insert(key.to_owned(), number(value));
            }
        }
        for key in ["region", "depth", "baseline", "weighting", "point", "cell", "index"] {
            if let Some(value) = series.attributes.get(key) {
                members.insert(key.to_owned(), value.clone());
            }
        }
    }
    content
}

fn evidence(arguments: &Arguments, series: &Series, fitted: &Fitted, method: &str) -> Vec<EvidenceDraft> {
    let scale = arguments.per.years();
    let units = arguments.per.units(&series.units);
    let baseline = series.attributes.get("baseline").and_then(Value::as_str);
    let draft = |name: &str, value: Value, unit: &str, what: &str| {
        let draft = EvidenceDraft::new(name, value, unit, &format!("{what}: {method}"))
            .when(series.axis.window())
            .n(fitted.n)
            .pointer(format!("/content/{name}"));
        match baseline {
            Some(baseline) => draft.baseline(baseline),
            None => draft,
        }
    };
    let level = arguments.confidence_level;
    let interval = json!({
        "kind": "confidence_interval", "level": level,
        "low": json!(fitted.ci[0] * scale), "high": json!(fitted.ci[1] * scale),
    });
    let mut drafts = vec![
        draft("slope", json!(fitted.slope * scale), &units, "slope").uncertainty(interval),
        draft(
            "ci_low",
            json!(fitted.ci[0] * scale),
            &units,
            &format!("lower end of the {level} confidence interval"),
        ),
        draft(
            "ci_high",
            json!(fitted.ci[1] * scale),
            &units,
            &format!("upper end of the {level} confidence interval"),
        ),
        draft("p_value", json!(fitted.p_value), "1", "two-sided p value"),
    ];
    drafts.extend(fitted.r1.map(|r1| draft("r1", json!(r1), "1", "lag-1 autocorrelation of the residuals")));
    drafts.push(draft("n_eff", json!(fitted.n_eff), "1", "effective number of independent values"));
    drafts.push(draft("n", json!(fitted.n), "1", "number of values"));
    drafts
}
