//! Departures of a series from a climatology.

/// `value − mean[bin]`, or that divided by `std[bin]` when a spread is given.
///
/// # Units
/// Those of `values`; `1` when standardised.
///
/// # Missing values
/// A missing value, a bin without a mean, a bin outside the climatology or a spread of zero gives a missing value.
///
/// ```
/// let anomaly = ocean_tools::kernels::anomaly::anomaly(&[3.0, 5.0], &[0, 1], &[1.0, 2.0], None);
/// assert_eq!(anomaly, [2.0, 3.0]);
/// ```
pub fn anomaly(values: &[f64], bins: &[usize], mean: &[f64], std: Option<&[f64]>) -> Vec<f64> {
    values
        .iter()
        .zip(bins)
        .map(|(value, &bin)| {
            let departure = value - mean.get(bin).copied().unwrap_or(f64::NAN);
            match std {
                None => departure,
                Some(std) => match std.get(bin) {
                    Some(&spread) if spread > 0.0 => departure / spread,
                    _ => f64::NAN,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use ocean_data::cf::Calendar;
    use proptest::prelude::*;

    use super::super::climatology::{Climatology, Cycle};
    use super::super::series_stats::SeriesStats;
    use super::super::time_axis::{TimeAxis, month_start};
    use super::*;

    #[test]
    fn no_spread_and_no_mean_are_missing() {
        let result = anomaly(&[1.0, 1.0, 1.0], &[0, 1, 7], &[0.0, f64::NAN], Some(&[0.0, 1.0]));
        assert!(result.iter().all(|value| value.is_nan()));
    }

    proptest! {
        #[test]
        fn standardised_anomalies_have_mean_0_in_each_bin(
            values in proptest::collection::vec(-9.0_f64..9.0, 24..72),
        ) {
            let times = (24_000..).zip(&values).map(|(month, _)| month_start(month)).collect();
            let axis = TimeAxis::new(Calendar::Standard, times).unwrap();
            let bins = Cycle::Monthly.bin_of(&axis);
            let all = vec![true; values.len()];
            let climatology = Climatology::of(Cycle::Monthly, &axis, &values, &all);
            let result = anomaly(&values, &bins, &climatology.mean, Some(&climatology.std));
            for bin in 0..12 {
                let own: Vec<f64> =
                    result.iter().zip(&bins).filter(|(_, b)| **b == bin).map(|(value, _)| *value).collect();
                let stats = SeriesStats::of(&own);
                prop_assert!(stats.n < 2 || (stats.mean.abs() < 1e-6 && (stats.std - 1.0).abs() < 1e-6));
            }
        }
    }
}
