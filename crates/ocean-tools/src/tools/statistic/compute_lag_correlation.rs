//! `compute_lag_correlation`: the correlation of two series over a range of lags.

use leg_core::{Kind, Port, ToolContext, ToolError, ToolOutput, ToolSpec};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::findings::Findings;
use super::joined::Joined;
use super::preparation::Preparation;
use crate::Datasets;
use crate::argument::{ArtifactArgument, WindowArgument};
use crate::computation::Computation;
use crate::kernels::correlation;
use crate::series::Series;

/// Correlates two series at several lags.
pub(crate) struct ComputeLagCorrelation;

/// Arguments of `compute_lag_correlation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries1: ArtifactArgument,
    #[schemars(extend("x-leg-port" = {"kind": "series", "dims": ["time"], "unit": "any"}))]
    timeseries2: ArtifactArgument,
    /// Largest lag either way, in steps.
    #[serde(default = "twelve")]
    #[schemars(range(max = 5000))]
    max_lag: usize,
    /// Level of the confidence intervals.
    #[serde(default = "ninety_five")]
    #[schemars(range(min = 0.5, max = 0.9999))]
    confidence_level: f64,
    /// Take the linear trends out first.
    #[serde(default = "yes")]
    detrend: bool,
    /// Take the mean annual cycles out first, when the step is shorter than a year.
    #[serde(default = "yes")]
    deseasonalise: bool,
    /// The years of these cycles; the whole calendar years of the record if absent.
    #[serde(default)]
    baseline: Option<WindowArgument>,
    /// How the effective number of pairs is found.
    #[serde(default)]
    n_eff: EffectiveSize,
}

fn twelve() -> usize {
    12
}

fn ninety_five() -> f64 {
    0.95
}

fn yes() -> bool {
    true
}

/// How the effective number of pairs is found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum EffectiveSize {
    /// n / (1 + 2 sum of the products of both autocorrelations), up to the first that is not positive.
    #[default]
    Bretherton,
    /// n (1 - r1 r1')/(1 + r1 r1') from the lag-1 autocorrelations.
    Ar1,
}

impl EffectiveSize {
    pub(super) fn of(self, x: &[f64], y: &[f64]) -> f64 {
        match self {
            Self::Bretherton => correlation::size_sum(x, y),
            Self::Ar1 => correlation::size_ar1(x, y),
        }
    }

    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Bretherton => "n_eff of Bretherton et al. (1999, eq. 30)",
            Self::Ar1 => "n_eff of Bretherton et al. (1999, eq. 31)",
        }
    }
}

/// The correlation at one lag.
struct AtLag {
    lag: i64,
    r: f64,
    p: f64,
    n: usize,
    n_eff: f64,
    p_adjusted: f64,
}

impl Computation for ComputeLagCorrelation {
    const NAME: &'static str = "compute_lag_correlation";
    type Arguments = Arguments;

    fn describe() -> ToolSpec {
        ToolSpec::new("statistic", "Correlation of two series over a range of lags.", Port::of(Kind::Statistic))
            .description(
                "r(L) = corr(x(t), y(t + L)) with x = timeseries1: a positive lag means that timeseries1 leads. Joined \
                 on time; a gap makes no pair. p is Student's t with n - 2, p_adjusted with n_eff - 2 degrees of freedom; \
                 n_eff from the parts that overlap at the lag. The best lag is that of the largest |r|; p_search is its \
                 p_adjusted times the number of lags (Bonferroni). Intervals at lag 0 by Fisher's z with n; Spearman's \
                 rho and Kendall's tau-b at lag 0.",
            )
            .evidence(&[
                "best_lag", "r_best", "p_best", "p_best_adjusted", "p_search", "r_zero", "p_zero", "p_zero_adjusted",
                "n_eff_zero", "ci_low", "ci_high", "spearman", "kendall", "n",
            ])
    }

    fn run(arguments: &Arguments, _: &Datasets, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let one = Series::read(&arguments.timeseries1, context)?;
        let two = Series::read(&arguments.timeseries2, context)?;
        compute(arguments, &one, &two)
    }
}

fn compute(arguments: &Arguments, one: &Series, two: &Series) -> Result<ToolOutput, ToolError> {
    let joined = Joined::of(&[one, two], 3)?;
    let baseline = arguments.baseline.as_ref().map(|window| &window.0);
    let preparation = Preparation::of(&joined.axis, arguments.deseasonalise, arguments.detrend, baseline)?;
    let x = joined.even(&preparation.apply(&joined.values[0]))?;
    let y = joined.even(&preparation.apply(&joined.values[1]))?;
    let longest = i64::try_from(arguments.max_lag.min(x.len().saturating_sub(3))).unwrap_or(0);
    let lags: Vec<AtLag> =
        (-longest..=longest).filter_map(|lag| at_lag(lag, &x, &y, arguments.n_eff)).collect();
    let best = lags
        .iter()
        .filter(|own| !own.r.is_nan())
        .reduce(|best, own| if own.r.abs() > best.r.abs() { own } else { best });
    let (Some(best), Some(zero)) = (best, lags.iter().find(|own| own.lag == 0)) else {
        return Err(ToolError::no_data(
            "the series have no pairs with spread at any lag; choose a window that both cover",
        ));
    };
    let (px, py) = correlation::pairs(&x, &y);
    let text = format!("Pearson correlation{}, {}", preparation.text(), arguments.n_eff.text());
    let step = joined.axis.step().to_iso().unwrap_or_default();
    let search = (best.p_adjusted * lags.len() as f64).min(1.0);
    let interval = correlation::interval(zero.r, zero.n as f64, arguments.confidence_level);
    // All pairs are looked at for tau.
    let tau = if px.len() <= 6_000 { correlation::kendall(&px, &py) } else { f64::NAN };
    Ok(Findings::by(text)
        .over(one)
        .during(joined.axis.window())
        .from(zero.n)
        .relative_to(preparation.baseline())
        .number(
            "best_lag",
            best.lag as f64,
            "1",
            &format!("lag of the largest |r| in steps of {step}, positive when the first series leads"),
        )
        .number("r_best", best.r, "1", "correlation at the best lag")
        .number("p_best", best.p, "1", "p value at the best lag, pairs taken as independent")
        .number("p_best_adjusted", best.p_adjusted, "1", "p value at the best lag with n_eff")
        .number("p_search", search, "1", "that times the number of lags searched")
        .interval("r_zero", zero.r, interval, arguments.confidence_level, "1", "correlation at lag 0")
        .number("p_zero", zero.p, "1", "p value at lag 0, pairs taken as independent")
        .number("p_zero_adjusted", zero.p_adjusted, "1", "p value at lag 0 with n_eff")
        .number("n_eff_zero", zero.n_eff, "1", "effective number of pairs at lag 0")
        .number("spearman", correlation::spearman(&px, &py), "1", "rank correlation at lag 0")
        .number("kendall", tau, "1", "tau-b at lag 0")
        .count("n", zero.n, "pairs at lag 0")
        .fact("lags", lags.iter().map(AtLag::to_json).collect::<Vec<_>>())
        .fact("lag_step", step)
        .notes(preparation.note())
        .document(Kind::Statistic, format!("{}_{}_correlation", one.name, two.name)))
}

fn at_lag(lag: i64, x: &[f64], y: &[f64], size: EffectiveSize) -> Option<AtLag> {
    let shift = usize::try_from(lag.unsigned_abs()).ok()?;
    let rest = x.len().checked_sub(shift)?;
    let (x, y) = if lag >= 0 { (&x[..rest], &y[shift..]) } else { (&x[shift..], &y[..rest]) };
    let (px, py) = correlation::pairs(x, y);
    let (r, n) = (correlation::pearson(&px, &py), px.len());
    let n_eff = size.of(x, y);
    Some(AtLag {
        lag,
        r,
        p: correlation::p_value(r, n as f64),
        n,
        n_eff,
        p_adjusted: correlation::p_value(r, n_eff),
    })
}

impl AtLag {
    fn to_json(&self) -> Value {
        json!({
            "lag": self.lag, "r": self.r, "p": self.p, "n": self.n, "n_eff": self.n_eff,
            "p_adjusted": self.p_adjusted,
        })
    }
}
