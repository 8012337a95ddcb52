//! What can be said of any series: first, last, mean, extremes, spread, how many are missing.

use libm::sqrt;

/// A value and where it is in the series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct At {
    /// Index in the series, missing values counted.
    pub index: usize,
    /// The value.
    pub value: f64,
}

/// Statistics of the values that are present.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SeriesStats {
    /// The first value that is present.
    pub first: Option<At>,
    /// The last value that is present.
    pub last: Option<At>,
    /// The smallest; the earliest of equals.
    pub min: Option<At>,
    /// The largest; the earliest of equals.
    pub max: Option<At>,
    /// Arithmetic mean; missing when nothing is present.
    pub mean: f64,
    /// Standard deviation with `n − 1`; missing for fewer than two values.
    pub std: f64,
    /// How many are present.
    pub n: usize,
    /// How many are missing.
    pub n_missing: usize,
}

impl SeriesStats {
    /// Computes them, in two passes.
    ///
    /// ```
    /// use ocean_tools::kernels::series_stats::SeriesStats;
    ///
    /// let stats = SeriesStats::of(&[f64::NAN, 2.0, 4.0]);
    /// assert_eq!((stats.n, stats.n_missing, stats.mean), (2, 1, 3.0));
    /// assert_eq!(stats.max.map(|at| at.index), Some(2));
    /// ```
    pub fn of(values: &[f64]) -> Self {
        let present = || {
            values
                .iter()
                .enumerate()
                .filter(|(_, value)| !value.is_nan())
                .map(|(index, &value)| At { index, value })
        };
        let n = present().count();
        let mean = if n == 0 { f64::NAN } else { present().map(|at| at.value).sum::<f64>() / n as f64 };
        let squares: f64 = present().map(|at| (at.value - mean) * (at.value - mean)).sum();
        Self {
            first: present().next(),
            last: present().next_back(),
            min: present().reduce(|best, at| if at.value < best.value { at } else { best }),
            max: present().reduce(|best, at| if at.value > best.value { at } else { best }),
            mean,
            std: if n < 2 { f64::NAN } else { sqrt(squares / (n - 1) as f64) },
            n,
            n_missing: values.len() - n,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_value_has_no_spread_and_none_has_no_mean() {
        let one = SeriesStats::of(&[3.0]);
        assert_eq!((one.first, one.last), (one.min, one.max));
        assert!(one.std.is_nan());
        let none = SeriesStats::of(&[f64::NAN, f64::NAN]);
        assert_eq!((none.n, none.n_missing, none.first, none.max), (0, 2, None, None));
        assert!(none.mean.is_nan() && none.std.is_nan());
        assert_eq!(SeriesStats::of(&[]).n_missing, 0);
    }

    #[test]
    fn of_equal_extremes_the_earliest_counts() {
        let stats = SeriesStats::of(&[1.0, 5.0, 1.0, 5.0]);
        assert_eq!(stats.min.unwrap().index, 0);
        assert_eq!(stats.max.unwrap().index, 1);
        assert!((stats.std - sqrt(16.0 / 3.0)).abs() < 1e-15);
    }

    proptest! {
        #[test]
        fn a_shift_moves_the_mean_and_not_the_spread(
            values in proptest::collection::vec(-50.0_f64..50.0, 2..40), shift in -100.0_f64..100.0,
        ) {
            let before = SeriesStats::of(&values);
            let moved: Vec<f64> = values.iter().map(|value| value + shift).collect();
            let after = SeriesStats::of(&moved);
            prop_assert!((after.mean - before.mean - shift).abs() < 1e-10);
            prop_assert!((after.std - before.std).abs() < 1e-10);
            prop_assert!(before.min.unwrap().value <= before.mean + 1e-12);
        }
    }
}
