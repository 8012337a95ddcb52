//! Quantiles and moments of a sample.
//!
//! # Source
//! Hyndman & Fan (1996), Am. Stat. 50, 361–365, type 7: linear between order statistics, as numpy and R do.

use libm::{floor, pow, sqrt};

/// The quantile of sorted values; missing for none.
pub(crate) fn of_sorted(sorted: &[f64], probability: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let rank = probability.clamp(0.0, 1.0) * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the length")]
    let below = floor(rank) as usize;
    let above = (below + 1).min(last);
    between(sorted[below.min(last)], sorted[above], rank - below as f64)
}

/// The quantile of values that are present; missing for none.
pub(crate) fn quantile_of(values: &[f64], probability: f64) -> f64 {
    let mut keys: Vec<i64> = values.iter().copied().map(key).collect();
    quantile_of_keys(&mut keys, probability)
}

/// The same of values as [`key`]s, which are compared faster than the values.
pub(crate) fn quantile_of_keys(keys: &mut [i64], probability: f64) -> f64 {
    let Some(last) = keys.len().checked_sub(1) else { return f64::NAN };
    let rank = probability.clamp(0.0, 1.0) * last as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the length")]
    let below = (floor(rank) as usize).min(last);
    // What stands behind the order statistic is not below it: the next one is the least of that.
    let (_, low, rest) = keys.select_nth_unstable(below);
    let (low, high) = (value(*low), value(rest.iter().copied().min().unwrap_or(*low)));
    between(low, high, rank - below as f64)
}

/// A whole number that stands to others as a value does to other values, in the total order of IEEE 754.
pub(crate) fn key(value: f64) -> i64 {
    let bits = value.to_bits().cast_signed();
    bits ^ ((bits >> 63).cast_unsigned() >> 1).cast_signed()
}

/// The value of a [`key`].
fn value(key: i64) -> f64 {
    f64::from_bits((key ^ ((key >> 63).cast_unsigned() >> 1).cast_signed()).cast_unsigned())
}

/// Linear between two order statistics.
fn between(low: f64, high: f64, part: f64) -> f64 {
    // The nearer end is the base, so that a part of 1 gives the end itself.
    if part < 0.5 { low + (high - low) * part } else { high - (high - low) * (1.0 - part) }
}

/// Moments of a weighted sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moments {
    pub(crate) n: usize,
    pub(crate) mean: f64,
    /// With `n − 1` for equal weights; for others with the sum of weights (population).
    pub(crate) std: f64,
    /// Population standard deviation.
    pub(crate) std_population: f64,
    /// Third standardised moment, population.
    pub(crate) skewness: f64,
    /// Fourth standardised moment less 3, population.
    pub(crate) kurtosis: f64,
}

impl Moments {
    /// Those of values that are present; `weights` of as many, or none for equal ones.
    pub(crate) fn of(values: &[f64], weights: Option<&[f64]>) -> Self {
        let n = values.len();
        let weight = |at: usize| weights.map_or(1.0, |weights| weights[at]);
        let total: f64 = (0..n).map(weight).sum();
        let mean = values.iter().enumerate().map(|(at, value)| weight(at) * value).sum::<f64>() / total;
        let central = |power: i32| {
            let power = f64::from(power);
            let terms = values.iter().enumerate().map(|(at, value)| weight(at) * pow(value - mean, power));
            terms.sum::<f64>() / total
        };
        let variance = central(2);
        let own = if weights.is_none() && n > 1 { variance * n as f64 / (n - 1) as f64 } else { variance };
        Self {
            n,
            mean,
            std: if weights.is_none() && n < 2 { f64::NAN } else { sqrt(own) },
            std_population: sqrt(variance),
            skewness: central(3) / (variance * sqrt(variance)),
            kurtosis: central(4) / (variance * variance) - 3.0,
        }
    }
}

/// The quantile of a weighted sample: the smallest value at which the share of the weights reaches the probability.
pub(crate) fn weighted(values: &[f64], weights: &[f64], probability: f64) -> f64 {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let total: f64 = order.iter().map(|&at| weights[at]).sum();
    let mut sum = 0.0;
    for &at in &order {
        sum += weights[at];
        if sum >= probability * total {
            return values[at];
        }
    }
    order.last().map_or(f64::NAN, |&at| values[at])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_quantile_is_that_of_the_sorted_values(
            values in proptest::collection::vec(-3_i32..30, 1..60),
            probability in 0.0..=1.0_f64,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let mut sorted = values.clone();
            sorted.sort_by(f64::total_cmp);
            prop_assert_eq!(quantile_of(&values, probability).to_bits(), of_sorted(&sorted, probability).to_bits());
        }
    }

    #[test]
    fn closed_forms() {
        let values = [4.0, 1.0, 3.0, 2.0];
        assert!((quantile_of(&values, 0.5) - 2.5).abs() < 1e-15);
        assert!((quantile_of(&values, 0.1) - 1.3).abs() < 1e-15);
        assert!((quantile_of(&values, 1.0) - 4.0).abs() < 1e-15 && quantile_of(&[], 0.5).is_nan());
        let moments = Moments::of(&values, None);
        assert!((moments.std - sqrt(5.0 / 3.0)).abs() < 1e-15 && moments.skewness.abs() < 1e-15);
        assert!((moments.kurtosis - (2.5625 / 1.5625 - 3.0)).abs() < 1e-14);
        // A weight of 2 is the value twice.
        let twice = Moments::of(&[1.0, 2.0, 3.0, 4.0, 4.0], None);
        let weighted_moments = Moments::of(&[1.0, 2.0, 3.0, 4.0], Some(&[1.0, 1.0, 1.0, 2.0]));
        assert!((twice.mean - weighted_moments.mean).abs() < 1e-15);
        assert!((twice.std_population - weighted_moments.std).abs() < 1e-15);
        assert!((weighted(&values, &[1.0, 1.0, 1.0, 1.0], 0.5) - 2.0).abs() < 1e-15);
    }
}
