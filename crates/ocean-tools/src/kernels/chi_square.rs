//! The chi-square distribution.
//!
//! # Source
//! The regularised incomplete gamma function by its series and its continued fraction, DLMF 8.11.4 and 8.9.2.

use libm::{exp, lgamma, log};

/// Probability that chi-square with `df` degrees of freedom stays below `x`.
pub(crate) fn below(x: f64, df: f64) -> f64 {
    if x.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if x <= 0.0 { 0.0 } else { incomplete_gamma(df / 2.0, x / 2.0) }
}

/// The value that it stays below with probability `p`; missing unless `0 < p < 1`.
pub(crate) fn quantile(p: f64, df: f64) -> f64 {
    if !(p > 0.0 && p < 1.0 && df > 0.0) {
        return f64::NAN;
    }
    let mut high = df.max(1.0);
    while below(high, df) < p && high < 1e150 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle, df) < p { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

fn incomplete_gamma(a: f64, x: f64) -> f64 {
    let front = exp(a * log(x) - x - lgamma(a));
    if x < a + 1.0 {
        let (mut term, mut sum, mut n) = (1.0 / a, 1.0 / a, a);
        for _ in 0..10_000 {
            n += 1.0;
            term *= x / n;
            sum += term;
            if term < sum * 1e-17 {
                break;
            }
        }
        return front * sum;
    }
    let mut b = x + 1.0 - a;
    let mut c = 1e300;
    let mut d = 1.0 / b;
    let mut fraction = d;
    for step in 1..10_000 {
        let i = f64::from(step);
        let an = -i * (i - a);
        b += 2.0;
        d = 1.0 / (an * d + b);
        c = b + an / c;
        fraction *= d * c;
        if (d * c - 1.0).abs() < 1e-16 {
            break;
        }
    }
    1.0 - front * fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_degrees_are_exponential_and_tables_agree() {
        assert!((below(3.0, 2.0) - (1.0 - exp(-1.5))).abs() < 1e-14);
        assert!((quantile(0.95, 2.0) - 5.991_464_547_107_98).abs() < 1e-10);
        assert!((quantile(0.95, 10.0) - 18.307_038_053_275_146).abs() < 1e-9);
    }
}
