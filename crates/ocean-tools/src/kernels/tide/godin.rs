//! The tide-killing running mean.
//!
//! # Source
//! Godin (1972), "The Analysis of Tides": means of 24, 24 and 25 hourly values, one after the other.

/// Weights of the three means as one filter of an odd number of values, for so many values an hour. For an even number an
/// hour the last mean is one value longer, so that the filter is centred.
pub(crate) fn weights(per_hour: usize) -> Vec<f64> {
    let (day, last) = (24 * per_hour, 25 * per_hour);
    let last = if last % 2 == 1 { last } else { last + 1 };
    let twice = spread(&vec![1.0 / day as f64; day], day);
    spread(&twice, last)
}

/// The weights of one more mean of `length` values.
fn spread(weights: &[f64], length: usize) -> Vec<f64> {
    let mut out = vec![0.0; weights.len() + length - 1];
    for (at, weight) in weights.iter().enumerate() {
        for place in &mut out[at..at + length] {
            *place += weight / length as f64;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use core::f64::consts::PI;

    use super::weights;

    #[test]
    fn the_filter_is_centred_and_stops_the_tides() {
        for per_hour in [1, 4, 10] {
            let own = weights(per_hour);
            assert_eq!(own.len() % 2, 1);
            assert!((own.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(own.iter().zip(own.iter().rev()).all(|(a, b)| (a - b).abs() < 1e-15));
            // Walters and Heston (1982): K1, O1, M2 and S2 are all below a hundredth.
            for period in [23.934_47, 25.819_34, 12.420_6, 12.0] {
                let half = (own.len() / 2) as f64;
                let left: f64 = own
                    .iter()
                    .enumerate()
                    .map(|(at, weight)| {
                        weight * (2.0 * PI * (at as f64 - half) / period / per_hour as f64).cos()
                    })
                    .sum();
                assert!(left.abs() < 0.01, "{per_hour} {period} {left}");
            }
        }
        assert_eq!(weights(1).len(), 71);
    }
}
