//! Student's test of one mean and Welch's of two.
//!
//! # Source
//! Welch (1947), Biometrika 34, 28–35, with the degrees of freedom of Satterthwaite.

use libm::sqrt;

use super::student_t::two_sided_p;

/// A difference of means with its test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tested {
    /// The mean, or the mean of the first less that of the second.
    pub(crate) difference: f64,
    /// t.
    pub(crate) t: f64,
    /// Two-sided p value.
    pub(crate) p_value: f64,
}

fn moments(values: &[f64]) -> (f64, f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (n - 1.0);
    (n, mean, variance)
}

/// Tests that a mean is 0. Values must be present.
pub(crate) fn one_sample(values: &[f64]) -> Tested {
    let (n, mean, variance) = moments(values);
    let t = mean / sqrt(variance / n);
    Tested { difference: mean, t, p_value: two_sided_p(t, n - 1.0) }
}

/// Tests that two means are equal, whatever their variances. Values must be present.
pub(crate) fn welch(one: &[f64], two: &[f64]) -> Tested {
    let ((n1, mean1, var1), (n2, mean2, var2)) = (moments(one), moments(two));
    let (a, b) = (var1 / n1, var2 / n2);
    let t = (mean1 - mean2) / sqrt(a + b);
    let df = (a + b) * (a + b) / (a * a / (n1 - 1.0) + b * b / (n2 - 1.0));
    Tested { difference: mean1 - mean2, t, p_value: two_sided_p(t, df) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms() {
        // Mean 2, variance 1, n 3: t = 2 sqrt 3; p of t with 2 degrees of freedom is 1 − t/sqrt(t² + 2).
        let one = one_sample(&[1.0, 2.0, 3.0]);
        let t = 2.0 * sqrt(3.0);
        assert!((one.t - t).abs() < 1e-12 && (one.p_value - (1.0 - t / sqrt(t * t + 2.0))).abs() < 1e-12);
        let equal = welch(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
        assert!(equal.t.abs() < 1e-12 && (equal.p_value - 1.0).abs() < 1e-12);
    }
}
