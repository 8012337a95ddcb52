//! Flags of a measured series.
//!
//! # Source
//! U.S. IOOS (2020), "Manual for Real-Time Quality Control of Water Level Data" and its kin (QARTOD), tests 4 (gross range),
//! 6 (spike), 7 (rate of change) and 8 (flat line).

/// Good.
pub(crate) const GOOD: u8 = 1;
/// No test could be made.
pub(crate) const NOT_EVALUATED: u8 = 2;
/// Questionable.
pub(crate) const SUSPECT: u8 = 3;
/// Bad.
pub(crate) const FAIL: u8 = 4;
/// No value.
pub(crate) const MISSING: u8 = 9;

/// Fails outside of a range, edges included in it.
pub(crate) fn gross_range(values: &[f64], [low, high]: [f64; 2]) -> Vec<u8> {
    let flag = |value: &f64| match value {
        value if value.is_nan() => MISSING,
        value if *value < low || *value > high => FAIL,
        _ => GOOD,
    };
    values.iter().map(flag).collect()
}

/// Suspects a value further than `threshold` from the mean of its neighbours; the ends and neighbours of a gap are not
/// evaluated.
pub(crate) fn spike(values: &[f64], threshold: f64) -> Vec<u8> {
    let flag = |at: usize| {
        if values[at].is_nan() {
            return MISSING;
        }
        let before = at.checked_sub(1).map_or(f64::NAN, |before| values[before]);
        let off = (values[at] - f64::midpoint(before, values.get(at + 1).copied().unwrap_or(f64::NAN))).abs();
        if off.is_nan() {
            NOT_EVALUATED
        } else if off > threshold {
            SUSPECT
        } else {
            GOOD
        }
    };
    (0..values.len()).map(flag).collect()
}

/// Suspects a value that differs from the one before by more than `threshold` an hour; one without a value before it is
/// not evaluated.
pub(crate) fn rate(hours: &[f64], values: &[f64], threshold: f64) -> Vec<u8> {
    let flag = |at: usize| {
        if values[at].is_nan() {
            return MISSING;
        }
        let Some(before) = at.checked_sub(1) else { return NOT_EVALUATED };
        let own = ((values[at] - values[before]) / (hours[at] - hours[before])).abs();
        if own.is_nan() {
            NOT_EVALUATED
        } else if own > threshold {
            SUSPECT
        } else {
            GOOD
        }
    };
    (0..values.len()).map(flag).collect()
}

/// Fails a value that, with those of the `duration` hours before it, varies by no more than `tolerance`. A value with a
/// shorter record before it is good unless a longer one would have to be looked at: it is then not evaluated.
pub(crate) fn flat_line(hours: &[f64], values: &[f64], duration: f64, tolerance: f64) -> Vec<u8> {
    let first = hours.first().copied().unwrap_or(0.0);
    let slack = 1e-6 * duration;
    let flag = |at: usize| {
        if values[at].is_nan() {
            return MISSING;
        }
        if hours[at] - first < duration - slack {
            return NOT_EVALUATED;
        }
        let (mut low, mut high) = (values[at], values[at]);
        for before in (0..at).rev() {
            if !values[before].is_nan() {
                (low, high) = (low.min(values[before]), high.max(values[before]));
            }
            if high - low > tolerance {
                return GOOD;
            }
            if hours[at] - hours[before] >= duration - slack {
                return FAIL;
            }
        }
        GOOD
    };
    (0..values.len()).map(flag).collect()
}

/// The flag of a value from those of its tests: the worst of those evaluated.
pub(crate) fn worst(flags: &[u8]) -> u8 {
    let evaluated = flags.iter().copied().filter(|flag| *flag != NOT_EVALUATED);
    evaluated.max().unwrap_or(NOT_EVALUATED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_flags_what_it_is_for() {
        let nan = f64::NAN;
        // By hand from the manual's definitions.
        assert_eq!(gross_range(&[0.0, 5.0, 5.1, nan], [0.0, 5.0]), [1, 1, 4, 9]);
        assert_eq!(spike(&[1.0, 1.0, 4.0, 1.0, nan, 1.0], 2.0), [2, 1, 3, 2, 9, 2]);
        let hours = [0.0, 1.0, 2.0, 4.0];
        assert_eq!(rate(&hours, &[0.0, 0.5, 2.0, 3.0], 1.0), [2, 1, 3, 1]);
        let hours: Vec<f64> = (0..8).map(f64::from).collect();
        let values = [1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 3.0, 3.0];
        assert_eq!(flat_line(&hours, &values, 3.0, 0.0), [2, 2, 2, 1, 4, 4, 1, 1]);
        assert_eq!((worst(&[1, 2, 3]), worst(&[2, 2]), worst(&[1, 4, 3]), worst(&[9, 9])), (3, 2, 4, 9));
    }
}
