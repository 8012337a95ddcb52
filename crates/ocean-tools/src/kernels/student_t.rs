//! Student's t and the normal distribution: tail probabilities and quantiles.
//!
//! # Source
//! The regularised incomplete beta function by its continued fraction, DLMF 8.17.22, evaluated with the modified
//! Lentz method; `P(|T| > t) = I_x(ν/2, 1/2)` with `x = ν/(ν + t²)`, DLMF 8.17 and Abramowitz & Stegun 26.7.1.
//! The number of degrees of freedom need not be whole. Quantiles agree with published tables and with
//! `scipy.stats.t.ppf` to 1e-10.

use libm::{erfc, exp, lgamma, log, log1p, sqrt};

/// Probability that `|T|` of Student's t with `df` degrees of freedom exceeds `|t|`.
///
/// Missing for `df` that is not positive, or a missing `t`.
///
/// ```
/// // One degree of freedom is the Cauchy distribution: half of it lies outside ±1.
/// assert!((ocean_tools::kernels::student_t::two_sided_p(1.0, 1.0) - 0.5).abs() < 1e-14);
/// ```
pub fn two_sided_p(t: f64, df: f64) -> f64 {
    if t.is_nan() || df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    if t.is_infinite() {
        return 0.0;
    }
    let square = t * t;
    if square.is_infinite() {
        return 0.0;
    }
    let sum = df + square;
    incomplete_beta(df / 2.0, 0.5, df / sum, square / sum)
}

/// The value that Student's t with `df` degrees of freedom stays below with probability `p`.
///
/// Missing unless `0 < p < 1` and `df > 0`.
///
/// ```
/// let t = ocean_tools::kernels::student_t::quantile(0.975, 10.0);
/// assert!((t - 2.228_138_851_964_939).abs() < 1e-10);
/// ```
pub fn quantile(p: f64, df: f64) -> f64 {
    if df.is_nan() || df <= 0.0 {
        return f64::NAN;
    }
    symmetric_quantile(p, |t| two_sided_p(t, df))
}

/// The standard normal quantile, by inverting `erfc`.
///
/// Missing unless `0 < p < 1`.
pub fn normal_quantile(p: f64) -> f64 {
    symmetric_quantile(p, normal_two_sided_p)
}

/// Probability that a standard normal number exceeds `|z|` in magnitude.
pub fn normal_two_sided_p(z: f64) -> f64 {
    erfc(z.abs() / core::f64::consts::SQRT_2)
}

/// Inverts a falling two-sided tail probability: a bracket by doubling, then bisection to the last bit.
fn symmetric_quantile(p: f64, tail: impl Fn(f64) -> f64) -> f64 {
    if !(p > 0.0 && p < 1.0) {
        return f64::NAN;
    }
    let wanted = 2.0 * p.min(1.0 - p);
    let mut high = 1.0;
    while tail(high) > wanted && high < 1e150 {
        high *= 2.0;
    }
    let mut low = 0.0;
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if tail(middle) > wanted {
            low = middle;
        } else {
            high = middle;
        }
    }
    let magnitude = f64::midpoint(low, high);
    if p < 0.5 {
        -magnitude
    } else if p > 0.5 {
        magnitude
    } else {
        0.0
    }
}

/// `I_x(a, b)`, given `x` and `y = 1 − x` apart so that neither loses digits.
fn incomplete_beta(a: f64, b: f64, x: f64, y: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if y <= 0.0 {
        return 1.0;
    }
    let log_x = if x > 0.5 { log1p(-y) } else { log(x) };
    let log_y = if y > 0.5 { log1p(-x) } else { log(y) };
    let front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log_x + b * log_y);
    // The fraction converges fast on the near side of the mean.
    if x < (a + 1.0) / (a + b + 2.0) {
        front * continued_fraction(a, b, x) / a
    } else {
        1.0 - front * continued_fraction(b, a, y) / b
    }
}

fn continued_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let guard = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    let limit = 200 + iterations_for(a.max(b));
    for step in 1..=limit {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / guard(1.0 + even * d);
        c = guard(1.0 + even / c);
        fraction *= d * c;
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / guard(1.0 + odd * d);
        c = guard(1.0 + odd / c);
        let factor = d * c;
        fraction *= factor;
        if (factor - 1.0).abs() < 1e-16 {
            break;
        }
    }
    fraction
}

/// The fraction needs of the order of `sqrt(max(a, b))` terms.
fn iterations_for(largest: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float cast saturates; it is capped"
    )]
    let terms = (8.0 * sqrt(largest)) as u32;
    terms.min(100_000)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quantiles_match_known_values() {
        // df = 1 and 2 in closed form: tan(π(p − 1/2)) and (2p − 1)·sqrt(2/(4p(1 − p))).
        for p in [0.6, 0.9, 0.95, 0.975, 0.995, 0.0005] {
            let cauchy = libm::tan(core::f64::consts::PI * (p - 0.5));
            assert!((quantile(p, 1.0) / cauchy - 1.0).abs() < 1e-10, "{p}");
            let two = (2.0 * p - 1.0) * sqrt(2.0 / (4.0 * p * (1.0 - p)));
            assert!((quantile(p, 2.0) / two - 1.0).abs() < 1e-10, "{p}");
        }
        // Tables, as scipy.stats.t.ppf gives them.
        for (p, df, expected) in [
            (0.975, 3.0, 3.182_446_305_284_263),
            (0.975, 10.0, 2.228_138_851_964_939),
            (0.95, 10.0, 1.812_461_122_811_676),
            (0.995, 30.0, 2.749_995_653_567_226),
            (0.975, 126.0, 1.978_970_601_990_628_1),
            (0.975, 8.838_092_18, 2.268_490_057_311_149_5),
        ] {
            assert!((quantile(p, df) - expected).abs() < 1e-10, "{p} {df}: {}", quantile(p, df));
        }
    }

    #[test]
    fn many_degrees_of_freedom_are_the_normal_distribution() {
        assert!((normal_quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-12);
        assert!((quantile(0.975, 1e8) - normal_quantile(0.975)).abs() < 1e-6);
        assert!((normal_quantile(0.5)).abs() < f64::EPSILON);
    }

    #[test]
    fn what_has_no_answer_is_missing() {
        assert!(two_sided_p(1.0, 0.0).is_nan());
        assert!(two_sided_p(f64::NAN, 3.0).is_nan());
        assert!(quantile(0.975, -1.0).is_nan());
        assert!(quantile(1.0, 5.0).is_nan());
        assert!(two_sided_p(f64::INFINITY, 3.0).abs() < f64::MIN_POSITIVE);
        assert!((two_sided_p(0.0, 3.0) - 1.0).abs() < f64::EPSILON);
    }

    proptest! {
        #[test]
        fn the_quantile_inverts_the_tail(p in 0.001_f64..0.999, df in 0.3_f64..3000.0) {
            let t = quantile(p, df);
            let tail = two_sided_p(t, df);
            prop_assert!((tail - 2.0 * p.min(1.0 - p)).abs() < 1e-10, "{} {}", t, tail);
        }
    }
}
