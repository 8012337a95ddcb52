//! The Theil–Sen slope: the median of the slopes of all pairs.
//!
//! # Source
//! Sen (1968), J. Am. Stat. Assoc. 63, 1379–1389; its eq. 2.6 for the confidence interval, with ranks rounded half
//! to even as `scipy.stats.theilslopes` does. The probability is that of the Mann–Kendall test.

use libm::{rint, sqrt};

use super::mann_kendall::{self, MannKendall};
use super::student_t::normal_quantile;
use super::trend::{TrendError, present};

/// The most values that are taken: the pairs of 6,000 need 144 MB.
pub const LIMIT: usize = 6_000;

/// A robust line and how sure its slope is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TheilSen {
    /// Median of the slopes of all pairs.
    pub slope: f64,
    /// `median(y) − slope · median(x)`.
    pub intercept: f64,
    /// Lower end of the confidence interval of the slope.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// The Mann–Kendall test of the same values.
    pub test: MannKendall,
    /// How many values were used.
    pub n: usize,
}

/// Fits a robust line to the values that are present; `x` rises.
///
/// With `autocorrelated` the variance of the test, and with it the interval, is that of Hamed & Rao (1998).
///
/// # Errors
/// [`TrendError::TooFew`], [`TrendError::TooMany`].
///
/// ```
/// // One wild value does not move it.
/// let line = ocean_tools::kernels::theil_sen::fit(&[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 2.0, 4.0, 99.0, 8.0], 0.95, false)?;
/// assert_eq!(line.slope, 2.0);
/// # Ok::<(), ocean_tools::kernels::trend::TrendError>(())
/// ```
pub fn fit(x: &[f64], y: &[f64], confidence: f64, autocorrelated: bool) -> Result<TheilSen, TrendError> {
    let (x, y) = present(x, y);
    let n = x.len();
    if n < 3 {
        return Err(TrendError::TooFew { n });
    }
    if n > LIMIT {
        return Err(TrendError::TooMany { n, limit: LIMIT });
    }
    let mut slopes = Vec::with_capacity(n * (n - 1) / 2);
    for (at, (x0, y0)) in x.iter().zip(&y).enumerate() {
        let later = x.iter().zip(&y).skip(at + 1);
        slopes.extend(later.filter(|(x1, _)| *x1 > x0).map(|(x1, y1)| (y1 - y0) / (x1 - x0)));
    }
    slopes.sort_by(f64::total_cmp);
    let slope = median_of_sorted(&slopes);
    let steps: Option<f64> = autocorrelated.then(|| step_slope(&y));
    let test = mann_kendall::test(&y, steps);
    let z = normal_quantile(f64::midpoint(1.0, confidence)).abs();
    let spread = z * sqrt(test.var_s.max(0.0));
    let pairs = slopes.len() as f64;
    let low = index(rint((pairs - spread) / 2.0) - 1.0, slopes.len());
    let high = index(rint(f64::midpoint(pairs, spread)), slopes.len());
    Ok(TheilSen {
        slope,
        intercept: median(&y) - slope * median(&x),
        ci_low: slopes.get(low).copied().unwrap_or(f64::NAN),
        ci_high: slopes.get(high).copied().unwrap_or(f64::NAN),
        test,
        n,
    })
}

/// Sen's slope for each step, whatever the times: what Hamed & Rao take out before they rank.
fn step_slope(y: &[f64]) -> f64 {
    let steps: Vec<f64> = (0..y.len()).map(|at| at as f64).collect();
    slope_of(&steps, y)
}

/// Sen's slope for each step of values at these steps, which rise.
pub(crate) fn slope_of(steps: &[f64], y: &[f64]) -> f64 {
    let mut slopes = Vec::with_capacity(y.len() * y.len().saturating_sub(1) / 2);
    for (at, (x0, y0)) in steps.iter().zip(y).enumerate() {
        let later = steps.iter().zip(y).skip(at + 1).filter(|(x1, _)| *x1 > x0);
        slopes.extend(later.map(|(x1, y1)| (y1 - y0) / (x1 - x0)));
    }
    median(&slopes)
}

/// Sen's slope for each `period` steps from pairs of one season, and the intercept at the first value, with time in
/// periods (Hirsch et al. 1982). Missing values are left out.
pub(crate) fn seasonal(values: &[f64], period: usize) -> (f64, f64) {
    let period = period.max(1);
    let mut slopes = Vec::new();
    for season in 0..period {
        let own: Vec<f64> = values.iter().skip(season).step_by(period).copied().collect();
        for (at, first) in own.iter().enumerate() {
            let later = (1_u32..).zip(own.iter().skip(at + 1));
            slopes.extend(later.map(|(gap, later)| (later - first) / f64::from(gap)).filter(|s| !s.is_nan()));
        }
    }
    let slope = median(&slopes);
    let (times, present): (Vec<f64>, Vec<f64>) = values
        .iter()
        .enumerate()
        .filter(|(_, value)| !value.is_nan())
        .map(|(at, value)| (at as f64 / period as f64, *value))
        .unzip();
    (slope, median(&present) - median(&times) * slope)
}

/// The median; missing for nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    median_of_sorted(&sorted)
}

fn median_of_sorted(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(half), half.checked_sub(1).and_then(|below| sorted.get(below))) {
        (1, Some(&middle), _) => middle,
        (_, Some(&above), Some(&below)) => f64::midpoint(below, above),
        _ => f64::NAN,
    }
}

fn index(rank: f64, len: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to the slice just below"
    )]
    let at = rank.max(0.0) as usize;
    at.min(len.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn refuses_too_few_and_too_many() {
        let many = vec![0.0; LIMIT + 1];
        assert!(matches!(fit(&many, &many, 0.95, false), Err(TrendError::TooMany { .. })));
        assert!(matches!(fit(&[1.0, 2.0], &[1.0, 2.0], 0.95, false), Err(TrendError::TooFew { n: 2 })));
    }

    #[test]
    fn median_of_even_and_odd() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-15);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-15);
        assert!(median(&[]).is_nan());
    }

    proptest! {
        #[test]
        fn the_slope_is_within_its_interval_and_follows_a_tilt(
            y in proptest::collection::vec(-5.0_f64..5.0, 6..40), tilt in -3.0_f64..3.0,
        ) {
            let x: Vec<f64> = (0..y.len()).map(|i| i as f64).collect();
            let plain = fit(&x, &y, 0.95, false).unwrap();
            let tilted: Vec<f64> = x.iter().zip(&y).map(|(x, y)| y + tilt * x).collect();
            let other = fit(&x, &tilted, 0.95, false).unwrap();
            prop_assert!((other.slope - plain.slope - tilt).abs() < 1e-9);
            prop_assert!(plain.ci_low <= plain.slope && plain.slope <= plain.ci_high);
        }
    }
}
