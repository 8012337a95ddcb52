//! How much one term of a budget has of the rate of change.

/// Numbers of a term beside the rate of change, values without gaps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Mean absolute value.
    pub mean_abs: f64,
    /// Root mean square.
    pub rms: f64,
    /// Covariance with the rate of change over the variance of that; those of all terms add to 1.
    pub covariance: f64,
    /// Squared correlation with the rate of change: the part of its variance that a regression on the term explains.
    pub explained: f64,
}

impl Share {
    /// That of a term in a rate of change of as many values; NaN for what has no meaning.
    pub fn of(term: &[f64], tendency: &[f64]) -> Self {
        let n = term.len() as f64;
        let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
        let (own, all) = (mean(term), mean(tendency));
        let product = |a: &[f64], ma: f64, b: &[f64], mb: f64| {
            a.iter().zip(b).map(|(a, b)| (a - ma) * (b - mb)).sum::<f64>() / n
        };
        let (both, whole) = (product(term, own, tendency, all), product(tendency, all, tendency, all));
        let alone = product(term, own, term, own);
        let over = |above: f64, below: f64| if below > 0.0 { above / below } else { f64::NAN };
        Self {
            mean_abs: term.iter().map(|value| value.abs()).sum::<f64>() / n,
            rms: libm::sqrt(term.iter().map(|value| value * value).sum::<f64>() / n),
            covariance: over(both, whole),
            explained: over(both * both, whole * alone),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_terms_that_add_up_add_to_one() {
        let (a, b) = ([1.0, -2.0, 3.0, 0.5], [0.5, 1.0, -1.0, 2.0]);
        let sum: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
        let (one, other) = (Share::of(&a, &sum), Share::of(&b, &sum));
        assert!((one.covariance + other.covariance - 1.0).abs() < 1e-15);
        // numpy: np.cov(a, s, ddof=0)[0, 1] / np.var(s), np.corrcoef(a, s)[0, 1]**2
        assert!((one.covariance - 1.051_724_137_931_034_5).abs() < 1e-14, "{one:?}");
        assert!((one.explained - 0.632_070_664_175_301_4).abs() < 1e-14, "{one:?}");
        assert_eq!((one.mean_abs, one.rms.to_bits()), (1.625, 3.5625_f64.sqrt().to_bits()));
        assert!(Share::of(&a, &[1.0; 4]).covariance.is_nan());
    }
}
