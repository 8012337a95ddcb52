//! Centred running mean.

/// The mean of `width` consecutive values around each one; `width` is odd.
///
/// # Missing values
/// A window that leaves the series or holds a missing value gives a missing value, so that every result is a mean
/// of exactly `width` values. An even width is taken as the next odd one.
///
/// ```
/// let mean = ocean_tools::kernels::running_mean::centred(&[1.0, 2.0, 6.0, 4.0], 3);
/// assert!(mean[0].is_nan() && mean[3].is_nan());
/// assert_eq!(&mean[1..3], &[3.0, 4.0]);
/// ```
pub fn centred(values: &[f64], width: usize) -> Vec<f64> {
    let half = width / 2;
    let full = 2 * half + 1;
    (0..values.len())
        .map(|at| {
            let window = at.checked_sub(half).and_then(|from| values.get(from..from + full));
            // A missing value makes the sum missing.
            window.map_or(f64::NAN, |window| window.iter().sum::<f64>() / full as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::centred;

    #[test]
    fn a_missing_value_spreads_over_its_window_only() {
        let mean = centred(&[1.0, 1.0, f64::NAN, 1.0, 1.0, 1.0, 1.0], 3);
        let missing: Vec<bool> = mean.iter().map(|value| value.is_nan()).collect();
        assert_eq!(missing, [true, true, true, true, false, false, true]);
    }

    #[test]
    fn a_window_longer_than_the_series_gives_nothing() {
        assert!(centred(&[1.0, 2.0], 5).iter().all(|value| value.is_nan()));
        assert!(centred(&[], 3).is_empty());
    }

    proptest! {
        #[test]
        fn a_straight_line_is_unchanged(slope in -5.0_f64..5.0, half in 0_usize..4, n in 9_usize..40) {
            let line: Vec<f64> = (0..n).map(|i| slope * i as f64).collect();
            for (before, after) in line.iter().zip(centred(&line, 2 * half + 1)) {
                prop_assert!(after.is_nan() || (before - after).abs() < 1e-9);
            }
        }
    }
}
