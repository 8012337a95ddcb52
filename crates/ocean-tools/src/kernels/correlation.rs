//! Correlation of two series and how many independent pairs it rests on.
//!
//! # Source
//! Pearson's r with Student's t; Fisher's z for the interval. Effective sizes: Bretherton et al. (1999), J. Climate
//! 12, 1990–2009, eqs. 30 and 31. Spearman's rho is Pearson's r of mid-ranks; Kendall's tau is tau-b.

use libm::{atanh, sqrt, tanh};

use super::mann_kendall::mid_ranks;
use super::student_t::{normal_quantile, two_sided_p};

/// The pairs of which both are present.
pub(crate) fn pairs(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    super::trend::present(x, y)
}

/// Pearson's r; missing for fewer than two pairs or no spread.
pub(crate) fn pearson(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xx += (x - mean_x) * (x - mean_x);
        xy += (x - mean_x) * (y - mean_y);
        yy += (y - mean_y) * (y - mean_y);
    }
    if xx > 0.0 && yy > 0.0 { (xy / sqrt(xx) / sqrt(yy)).clamp(-1.0, 1.0) } else { f64::NAN }
}

/// Two-sided probability of such an r among `n` independent pairs without a relation.
pub(crate) fn p_value(r: f64, n: f64) -> f64 {
    if n.is_nan() || n <= 2.0 {
        return f64::NAN;
    }
    two_sided_p(r * sqrt((n - 2.0) / (1.0 - r * r)), n - 2.0)
}

/// Interval of r by Fisher's z; missing for `n ≤ 3`.
pub(crate) fn interval(r: f64, n: f64, level: f64) -> [f64; 2] {
    if n.is_nan() || n <= 3.0 {
        return [f64::NAN; 2];
    }
    let half = normal_quantile(f64::midpoint(1.0, level)) / sqrt(n - 3.0);
    [tanh(atanh(r) - half), tanh(atanh(r) + half)]
}

/// Correlation of a series with itself `lag` steps later, over the pairs present; each side about its own mean.
pub(crate) fn lagged_self(x: &[f64], lag: usize) -> f64 {
    let Some(later) = x.get(lag..) else { return f64::NAN };
    let (a, b) = pairs(&x[..later.len()], later);
    pearson(&a, &b)
}

/// Autocorrelation at `lag` about one mean and over the variance of all values, which never exceeds 1.
pub(crate) fn autocorrelation(x: &[f64], lag: usize) -> f64 {
    let present: Vec<f64> = x.iter().copied().filter(|value| !value.is_nan()).collect();
    let mean = present.iter().sum::<f64>() / present.len() as f64;
    let variance: f64 = present.iter().map(|value| (value - mean) * (value - mean)).sum();
    let products: f64 = x
        .iter()
        .zip(x.iter().skip(lag))
        .map(|(a, b)| (a - mean) * (b - mean))
        .filter(|product| !product.is_nan())
        .sum();
    if variance > 0.0 { products / variance } else { f64::NAN }
}

/// `n (1 − r1 r1′)/(1 + r1 r1′)` from the lag-1 autocorrelations of both (Bretherton et al. 1999, eq. 31), never
/// above `n`.
pub(crate) fn size_ar1(x: &[f64], y: &[f64]) -> f64 {
    let n = pairs(x, y).0.len() as f64;
    let product = lagged_self(x, 1) * lagged_self(y, 1);
    if product.is_nan() { n } else { (n * (1.0 - product) / (1.0 + product)).min(n) }
}

/// `n / (1 + 2 Σ (1 − k/n) r_k r′_k)`, the sum ended where the product first is not positive (eq. 30).
pub(crate) fn size_sum(x: &[f64], y: &[f64]) -> f64 {
    let n = pairs(x, y).0.len();
    size_of_terms(n, |lag| autocorrelation(x, lag) * autocorrelation(y, lag))
}

/// `n / (1 + 2 Σ (1 − k/n) r_k)` for the mean of one series, the sum ended where `r_k` first is not positive.
pub(crate) fn size_sum_of_one(x: &[f64]) -> f64 {
    let n = x.iter().filter(|value| !value.is_nan()).count();
    size_of_terms(n, |lag| autocorrelation(x, lag))
}

fn size_of_terms(n: usize, term: impl Fn(usize) -> f64) -> f64 {
    let count = n as f64;
    let mut sum = 0.0;
    for lag in 1..n {
        let own = term(lag);
        if own.is_nan() || own <= 0.0 {
            break;
        }
        sum += (1.0 - lag as f64 / count) * own;
    }
    count / (1.0 + 2.0 * sum)
}

/// Spearman's rho of pairs that are all present.
pub(crate) fn spearman(x: &[f64], y: &[f64]) -> f64 {
    pearson(&mid_ranks(x), &mid_ranks(y))
}

/// Kendall's tau-b of pairs that are all present.
pub(crate) fn kendall(x: &[f64], y: &[f64]) -> f64 {
    let sign = |difference: f64| if difference == 0.0 { 0.0 } else { difference.signum() };
    let (mut both, mut own_x, mut own_y) = (0.0, 0.0_f64, 0.0_f64);
    for (at, (x0, y0)) in x.iter().zip(y).enumerate() {
        for (x1, y1) in x.iter().zip(y).skip(at + 1) {
            let (a, b) = (sign(x1 - x0), sign(y1 - y0));
            both += a * b;
            own_x += a * a;
            own_y += b * b;
        }
    }
    if own_x > 0.0 && own_y > 0.0 { both / sqrt(own_x * own_y) } else { f64::NAN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        let x = [1.0, 2.0, 3.0, 4.0];
        assert!((pearson(&x, &[2.0, 4.0, 6.0, 8.0]) - 1.0).abs() < 1e-14);
        assert!((pearson(&x, &[1.0, -1.0, -1.0, 1.0])).abs() < 1e-14);
        assert!((kendall(&x, &[1.0, 3.0, 2.0, 4.0]) - 4.0 / 6.0).abs() < 1e-14);
        assert!((spearman(&x, &[1.0, 4.0, 9.0, 100.0]) - 1.0).abs() < 1e-14);
        assert!(pearson(&x, &[1.0; 4]).is_nan());
        // r = 0.5 of 5 pairs: t = 1 with 3 degrees of freedom, p = 0.391_002_218_955_771 (tables).
        assert!((p_value(0.5, 5.0) - 0.391_002_218_955_771).abs() < 1e-12);
    }

    #[test]
    fn a_white_series_keeps_its_size_and_a_red_one_loses_it() {
        let alternating: Vec<f64> = (0..100).map(|i| if i % 2 == 0 { 1.0 } else { -1.0 }).collect();
        assert!(size_sum(&alternating, &[1.0, 2.0, 4.0, 3.0].repeat(25)) <= 100.0);
        let slow: Vec<f64> = (0..100).map(|i| libm::sin(f64::from(i) / 15.0)).collect();
        assert!(size_ar1(&slow, &slow) < 10.0 && size_sum(&slow, &slow) < 30.0);
    }
}
