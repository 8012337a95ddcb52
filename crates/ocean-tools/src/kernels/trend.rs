//! Linear trend by ordinary least squares, with a significance that knows of autocorrelation.
//!
//! # Source
//! Santer et al. (2000), J. Geophys. Res. 105, 7337–7356, eqs. 3–6: the standard error and the degrees of freedom
//! use the effective sample size `n_eff = n (1 − r1)/(1 + r1)` from the lag-1 autocorrelation `r1` of the residuals.
//! Newey & West (1987), Econometrica 55, 703–708, for the heteroskedasticity- and autocorrelation-consistent form.

use libm::{floor, pow, sqrt};

use super::student_t;

/// How the dependence of the residuals is taken into account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Autocorrelation {
    /// Not at all: residuals are taken as independent.
    None,
    /// By an effective sample size for first-order autoregressive residuals. A negative `r1` counts as 0, so that
    /// `n_eff` never exceeds `n`.
    Ar1,
    /// By the Newey–West covariance with Bartlett weights up to this lag; `None` is `floor(4 (n/100)^(2/9))`. The
    /// covariance is scaled by `n/(n − 2)` and judged with `n − 2` degrees of freedom. Lags count values that
    /// are present.
    Hac(Option<usize>),
}

/// A fitted line and how sure its slope is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// Change of `y` for one unit of `x`.
    pub slope: f64,
    /// Value of the line at `x = 0`.
    pub intercept: f64,
    /// Standard error of the slope, autocorrelation taken into account as asked.
    pub stderr: f64,
    /// Lower end of the confidence interval of the slope; missing when `n_eff` is at most 2.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Two-sided probability of such a slope if there were none; missing when `n_eff` is at most 2.
    pub p_value: f64,
    /// Lag-1 autocorrelation of the residuals, over neighbours in time.
    pub r1: f64,
    /// Effective number of independent values.
    pub n_eff: f64,
    /// How many values were used.
    pub n: usize,
    /// Correlation of `x` and `y`.
    pub r: f64,
}

/// A line cannot be fitted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrendError {
    /// Too few values.
    #[error("a trend needs at least 3 values and the series has {n}; choose a longer window or a finer step")]
    TooFew {
        /// How many values are present.
        n: usize,
    },
    /// Too many pairs for a method that looks at every pair.
    #[error(
        "Theil–Sen looks at every pair and the series has {n} values (limit {limit}); resample it to months first"
    )]
    TooMany {
        /// How many values are present.
        n: usize,
        /// The most that are taken.
        limit: usize,
    },
}

/// Fits `y = intercept + slope x` to the values that are present.
///
/// `confidence` is the level of the interval, such as 0.95. A perfect line has a standard error of 0 and `p` 0.
///
/// # Errors
/// [`TrendError::TooFew`].
///
/// ```
/// use ocean_tools::kernels::trend::{Autocorrelation, linear};
///
/// let trend = linear(&[0.0, 1.0, 2.0, 3.0], &[1.0, 3.0, 5.0, 7.0], 0.95, Autocorrelation::Ar1)?;
/// assert_eq!((trend.slope, trend.intercept), (2.0, 1.0));
/// # Ok::<(), ocean_tools::kernels::trend::TrendError>(())
/// ```
pub fn linear(x: &[f64], y: &[f64], confidence: f64, method: Autocorrelation) -> Result<Trend, TrendError> {
    let line = line(x, y, method)?;
    let half = student_t::quantile(f64::midpoint(1.0, confidence), line.n_eff - 2.0) * line.stderr;
    Ok(Trend { ci_low: line.slope - half, ci_high: line.slope + half, ..line })
}

/// [`linear`] without the confidence interval, whose ends are missing: the quantile that it needs takes longer than all
/// else, which counts where each cell of a map has a line.
///
/// # Errors
/// [`TrendError::TooFew`].
pub fn line(x: &[f64], y: &[f64], method: Autocorrelation) -> Result<Trend, TrendError> {
    let (x, y) = present(x, y);
    let n = x.len();
    if n < 3 {
        return Err(TrendError::TooFew { n });
    }
    let count = n as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / count, y.iter().sum::<f64>() / count);
    let (mut sxx, mut sxy, mut syy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(&y) {
        sxx += (x - mean_x) * (x - mean_x);
        sxy += (x - mean_x) * (y - mean_y);
        syy += (y - mean_y) * (y - mean_y);
    }
    let slope = sxy / sxx;
    let residuals: Vec<f64> = x.iter().zip(&y).map(|(x, y)| (y - mean_y) - slope * (x - mean_x)).collect();
    let squares: f64 = residuals.iter().map(|e| e * e).sum();
    let r1 = lag_one(&x, &residuals);
    let (stderr, n_eff) = match method {
        Autocorrelation::None => (sqrt(squares / (count - 2.0) / sxx), count),
        Autocorrelation::Ar1 => {
            let n_eff = effective_size(count, r1);
            (if n_eff > 2.0 { sqrt(squares / (n_eff - 2.0) / sxx) } else { f64::NAN }, n_eff)
        }
        Autocorrelation::Hac(lags) => {
            let lags = lags.unwrap_or_else(|| default_lags(count)).min(n - 1);
            let scores: Vec<f64> = x.iter().zip(&residuals).map(|(x, e)| (x - mean_x) * e).collect();
            (newey_west(&scores, sxx, lags), count)
        }
    };
    let df = n_eff - 2.0;
    let p_value =
        if stderr > 0.0 { student_t::two_sided_p(slope / stderr, df) } else { exact_p(slope, stderr, df) };
    Ok(Trend {
        slope,
        intercept: mean_y - slope * mean_x,
        stderr,
        ci_low: f64::NAN,
        ci_high: f64::NAN,
        p_value,
        r1,
        n_eff,
        n,
        r: if syy > 0.0 { sxy / sqrt(sxx * syy) } else { f64::NAN },
    })
}

/// The values for which both are present.
pub(crate) fn present(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter(|(x, y)| !x.is_nan() && !y.is_nan()).map(|(x, y)| (*x, *y)).unzip()
}

/// Lag-1 autocorrelation: the correlation of neighbours, each side about its own mean.
///
/// Neighbours are values not more than one and a half of the usual step apart, so that a gap makes no pair.
/// Missing when there are fewer than three pairs; 0 when the residuals do not vary.
fn lag_one(x: &[f64], residuals: &[f64]) -> f64 {
    let mut gaps: Vec<f64> = x.iter().zip(x.iter().skip(1)).map(|(a, b)| b - a).collect();
    let middle = gaps.len() / 2;
    let usual =
        if gaps.is_empty() { f64::NAN } else { *gaps.select_nth_unstable_by(middle, f64::total_cmp).1 };
    let pairs: Vec<(f64, f64)> = x
        .iter()
        .zip(x.iter().skip(1))
        .zip(residuals.iter().zip(residuals.iter().skip(1)))
        .filter(|((a, b), _)| *b - *a <= 1.5 * usual)
        .map(|(_, (before, after))| (*before, *after))
        .collect();
    if pairs.len() < 3 {
        return f64::NAN;
    }
    let count = pairs.len() as f64;
    let mean_a = pairs.iter().map(|pair| pair.0).sum::<f64>() / count;
    let mean_b = pairs.iter().map(|pair| pair.1).sum::<f64>() / count;
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in pairs {
        ab += (a - mean_a) * (b - mean_b);
        aa += (a - mean_a) * (a - mean_a);
        bb += (b - mean_b) * (b - mean_b);
    }
    if aa > 0.0 && bb > 0.0 { ab / sqrt(aa * bb) } else { 0.0 }
}

/// Santer et al. (2000), eq. 6. An unknown or negative `r1` counts as 0.
pub(crate) fn effective_size(n: f64, r1: f64) -> f64 {
    let r1 = if r1 > 0.0 { r1 } else { 0.0 };
    n * (1.0 - r1) / (1.0 + r1)
}

fn default_lags(n: f64) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and far below 2^32"
    )]
    let lags = floor(4.0 * pow(n / 100.0, 2.0 / 9.0)) as usize;
    lags
}

/// Standard error of the slope from the scores `(x − x̄) e`.
fn newey_west(scores: &[f64], sxx: f64, lags: usize) -> f64 {
    let n = scores.len() as f64;
    let mut sum: f64 = scores.iter().map(|score| score * score).sum();
    for lag in 1..=lags {
        let weight = 1.0 - lag as f64 / (lags as f64 + 1.0);
        let product: f64 = scores.iter().zip(scores.iter().skip(lag)).map(|(a, b)| a * b).sum();
        sum += 2.0 * weight * product;
    }
    sqrt((sum * n / (n - 2.0)).max(0.0)) / sxx
}

/// The p value when the standard error is 0 or missing.
fn exact_p(slope: f64, stderr: f64, df: f64) -> f64 {
    if stderr.is_nan() || df <= 0.0 {
        f64::NAN
    } else if slope.abs() > 0.0 {
        0.0
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const YEAR: [f64; 8] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
    const Y: [f64; 8] = [1.0, 3.0, 2.0, 5.0, 4.0, 6.0, 8.0, 7.0];

    #[test]
    fn independent_residuals_give_the_textbook_error() {
        let trend = linear(&YEAR, &Y, 0.95, Autocorrelation::None).unwrap();
        // sxx = 42, sxy = 39, syy = 42: by hand.
        assert!((trend.slope - 39.0 / 42.0).abs() < 1e-14);
        let squares = 42.0 - 39.0 * 39.0 / 42.0;
        assert!((trend.stderr - sqrt(squares / 6.0 / 42.0)).abs() < 1e-14);
        assert!((trend.r - 39.0 / 42.0).abs() < 1e-14);
        // t(0.975, 6) = 2.446911851.
        assert!((trend.ci_high - trend.slope - 2.446_911_851_144_969 * trend.stderr).abs() < 1e-10);
        assert!(((trend.n_eff) - 8.0).abs() < f64::EPSILON);
    }

    #[test]
    fn hac_is_whites_estimator_without_lags_and_that_of_statsmodels_with() {
        let trend = linear(&YEAR, &Y, 0.95, Autocorrelation::Hac(Some(0))).unwrap();
        let fit = |x: f64| 4.5 + 39.0 / 42.0 * (x - 3.5);
        let white: f64 = YEAR.iter().zip(&Y).map(|(x, y)| ((x - 3.5) * (y - fit(*x))).powi(2)).sum();
        assert!((trend.stderr - sqrt(white * 8.0 / 6.0) / 42.0).abs() < 1e-14);
        assert_eq!(default_lags(100.0), 4);
        // statsmodels 0.15, OLS with cov_type HAC, maxlags 2, use_correction and use_t.
        let trend = linear(&YEAR, &Y, 0.95, Autocorrelation::Hac(None)).unwrap();
        assert!((trend.stderr - 0.068_088_596_642_271_36).abs() < 1e-14);
        assert!((trend.p_value - 9.652_659_171_291_945e-6).abs() < 1e-14);
    }

    #[test]
    fn persistence_widens_the_interval() {
        // A slow wave on a line: neighbours are alike.
        let x: Vec<f64> = (0..100).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|x| 0.01 * x + libm::sin(x / 2.0)).collect();
        let independent = linear(&x, &y, 0.95, Autocorrelation::None).unwrap();
        let persistent = linear(&x, &y, 0.95, Autocorrelation::Ar1).unwrap();
        assert!(persistent.r1 > 0.8 && persistent.n_eff < 10.0);
        assert!(persistent.ci_high - persistent.ci_low > 3.0 * (independent.ci_high - independent.ci_low));
        assert!(persistent.p_value > independent.p_value);
    }

    #[test]
    fn a_gap_makes_no_pair_and_a_missing_value_is_dropped() {
        let x: Vec<f64> = (0..8).map(f64::from).collect();
        let y = [1.0, 2.0, f64::NAN, 2.0, 1.0, 3.0, 2.0, 4.0];
        let trend = linear(&x, &y, 0.95, Autocorrelation::Ar1).unwrap();
        assert_eq!(trend.n, 7);
        assert!(trend.r1.is_finite());
        assert_eq!(linear(&x, &[f64::NAN; 8], 0.95, Autocorrelation::Ar1), Err(TrendError::TooFew { n: 0 }));
    }

    #[test]
    fn too_little_information_has_no_interval_but_a_slope() {
        let x: Vec<f64> = (0..6).map(f64::from).collect();
        let y = [0.0, 0.1, 0.3, 0.6, 1.0, 1.5];
        let trend = linear(&x, &y, 0.95, Autocorrelation::Ar1).unwrap();
        assert!(trend.slope > 0.0);
        assert!(trend.n_eff > 2.0 || (trend.p_value.is_nan() && trend.ci_low.is_nan()));
    }

    #[test]
    fn a_constant_series_has_no_trend() {
        let trend = linear(&YEAR, &[2.0; 8], 0.95, Autocorrelation::Ar1).unwrap();
        assert!(trend.slope.abs() < 1e-15);
        assert!((trend.p_value - 1.0).abs() < 1e-15);
        assert!(trend.r.is_nan());
    }

    proptest! {
        #[test]
        fn slope_follows_scale_and_shift(
            y in proptest::collection::vec(-5.0_f64..5.0, 5..60), scale in 0.1_f64..10.0, tilt in -3.0_f64..3.0,
        ) {
            let x: Vec<f64> = (0..y.len()).map(|i| 1990.0 + i as f64 / 12.0).collect();
            let plain = linear(&x, &y, 0.9, Autocorrelation::Ar1).unwrap();
            let changed: Vec<f64> = x.iter().zip(&y).map(|(x, y)| scale * y + tilt * x).collect();
            let other = linear(&x, &changed, 0.9, Autocorrelation::Ar1).unwrap();
            prop_assert!((other.slope - (scale * plain.slope + tilt)).abs() < 1e-7);
            prop_assert!((other.r1 - plain.r1).abs() < 1e-6);
            prop_assert!(plain.n_eff <= y.len() as f64);
            prop_assert!(plain.ci_low.is_nan() || plain.ci_low <= plain.slope && plain.slope <= plain.ci_high);
        }
    }
}
