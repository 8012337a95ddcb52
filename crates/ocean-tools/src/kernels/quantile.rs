//! Quantiles, with and without weights.
//!
//! # Source
//! Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages", type 7, the default of R and `numpy`; with weights
//! by Kish's effective sample size as `xarray.Dataset.weighted(...).quantile` documents it: interpolation over the
//! cumulated weights of the effective sample.

/// The quantile `q` (0 to 1) of values, type 7: linear between the order statistics. Missing values do not count; NaN for
/// none.
///
/// ```
/// use ocean_tools::kernels::quantile::quantile;
///
/// assert_eq!(quantile(&[4.0, 1.0, f64::NAN, 3.0, 2.0], 0.5), 2.5);
/// assert!(quantile(&[f64::NAN], 0.5).is_nan());
/// ```
pub fn quantile(values: &[f64], q: f64) -> f64 {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
    sorted.sort_by(f64::total_cmp);
    of_sorted(&sorted, q)
}

/// The quantile `q` of values that are sorted and none of which is missing.
pub fn of_sorted(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let at = q.clamp(0.0, 1.0) * last as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let lower = at.floor() as usize;
    let upper = (lower + 1).min(last);
    let share = at - at.floor();
    sorted[lower] + (sorted[upper] - sorted[lower]) * share
}

/// The quantile `q` of weighted values: type 7 for the effective sample size `(Σw)² / Σw²`. With equal weights it is
/// [`quantile`]. Values that are missing and weights that are not positive do not count.
///
/// # Source
/// The scheme that Akinshin (2023), "Weighted quantile estimators", arXiv:2304.07265, gives for type 7.
///
/// ```
/// use ocean_tools::kernels::quantile::weighted_quantile;
///
/// let values = [1.0, 2.0, 3.0, 4.0];
/// assert!((weighted_quantile(&values, &[1.0; 4], 0.5) - 2.5).abs() < 1e-12);
/// assert!(weighted_quantile(&values, &[10.0, 1.0, 1.0, 1.0], 0.5) < 2.5);
/// ```
pub fn weighted_quantile(values: &[f64], weights: &[f64], q: f64) -> f64 {
    let mut pairs: Vec<(f64, f64)> = values
        .iter()
        .zip(weights)
        .filter(|(value, weight)| !value.is_nan() && **weight > 0.0)
        .map(|(value, weight)| (*value, *weight))
        .collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let total: f64 = pairs.iter().map(|pair| pair.1).sum();
    let squares: f64 = pairs.iter().map(|pair| pair.1 * pair.1).sum();
    if pairs.is_empty() || total <= 0.0 {
        return f64::NAN;
    }
    let effective = total * total / squares;
    let h = q.clamp(0.0, 1.0) * (effective - 1.0) + 1.0;
    // Each value gets the part of [(h - 1)/n, h/n] that its own stretch of the cumulated weights covers.
    let (low, high) = ((h - 1.0) / effective, h / effective);
    let part = |cumulated: f64| ((cumulated.clamp(low, high)) - low) * effective;
    let (mut before, mut sum) = (0.0, 0.0);
    for (value, weight) in pairs {
        let after = before + weight / total;
        sum += value * (part(after) - part(before));
        before = after;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_weights_are_no_weights() {
        let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
        for q in [0.0, 0.05, 0.3, 0.5, 0.95, 1.0] {
            let (plain, weighted) = (quantile(&values, q), weighted_quantile(&values, &[0.7; 8], q));
            assert!((plain - weighted).abs() < 1e-9, "{q}: {plain} {weighted}");
        }
    }

    #[test]
    fn values_without_weight_do_not_count() {
        let weighted = weighted_quantile(&[1.0, 2.0, 3.0, 100.0, f64::NAN], &[1.0, 1.0, 1.0, 0.0, 1.0], 0.5);
        assert!((weighted - 2.0).abs() < 1e-12, "{weighted}");
        assert!(weighted_quantile(&[1.0], &[0.0], 0.5).is_nan());
    }
}
