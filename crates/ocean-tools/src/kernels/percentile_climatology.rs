//! Mean and percentile of each day of the year over a moving window.
//!
//! # Source
//! Hobday et al. (2016), Prog. Oceanogr. 141, 227–238: values within some days of each day of the year in the baseline
//! years, then a running mean over the days. The year has 366 days, numbered as in a leap year; 29 February is the mean
//! of its neighbours before the running mean, as in the authors' own program.

use super::sample::{key, quantile_of_keys};

/// Days of the longest year.
pub(crate) const DAYS: usize = 366;
/// Position of 29 February.
pub(crate) const LEAP_DAY: usize = 59;

/// One value a day of the year, from 1 January.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Daily {
    pub(crate) mean: Vec<f64>,
    pub(crate) percentile: Vec<f64>,
    /// Values behind each day.
    pub(crate) n: Vec<usize>,
}

/// Which values of a daily record belong to each day of the year, and what becomes of them.
#[derive(Debug, Clone)]
pub(crate) struct Window {
    /// First and one past the last position of each run of values, by day.
    runs: Vec<Vec<(usize, usize)>>,
    probability: f64,
    smooth: usize,
}

impl Window {
    /// For values in order, each with its day of the year (0 to 365, as in a leap year) and whether it is of the
    /// baseline. The windows of its first and last days reach out of it where the record does. `smooth` is the odd
    /// width of the running mean, 1 for none.
    pub(crate) fn new(
        days: &[usize],
        inside: &[bool],
        probability: f64,
        half_width: usize,
        smooth: usize,
    ) -> Self {
        let mut runs: Vec<Vec<(usize, usize)>> = vec![Vec::new(); DAYS];
        for (at, day) in days.iter().enumerate().filter(|(at, day)| inside[*at] && **day < DAYS) {
            runs[*day].push((at.saturating_sub(half_width), (at + half_width + 1).min(days.len())));
        }
        Self { runs, probability, smooth }
    }

    /// Mean and percentile of each day.
    pub(crate) fn daily(&self, values: &[f64]) -> Daily {
        let keys: Vec<i64> = values.iter().copied().map(key).collect();
        let has_gaps = values.iter().any(|value| value.is_nan());
        let nothing = || vec![f64::NAN; DAYS];
        let mut result = Daily { mean: nothing(), percentile: nothing(), n: vec![0; DAYS] };
        let mut pool = Vec::new();
        for (day, runs) in self.runs.iter().enumerate() {
            pool.clear();
            let mut sum = 0.0;
            for &(from, to) in runs {
                if has_gaps {
                    for at in (from..to).filter(|&at| !values[at].is_nan()) {
                        sum += values[at];
                        pool.push(keys[at]);
                    }
                } else {
                    sum += values[from..to].iter().sum::<f64>();
                    pool.extend_from_slice(&keys[from..to]);
                }
            }
            if pool.is_empty() {
                continue;
            }
            result.n[day] = pool.len();
            result.mean[day] = sum / pool.len() as f64;
            result.percentile[day] = quantile_of_keys(&mut pool, self.probability);
        }
        for line in [&mut result.mean, &mut result.percentile] {
            line[LEAP_DAY] = f64::midpoint(line[LEAP_DAY - 1], line[LEAP_DAY + 1]);
            *line = circular_mean(line, self.smooth);
        }
        result
    }
}

/// Running mean over a circle, of an odd width; missing where a value is.
pub(crate) fn circular_mean(values: &[f64], width: usize) -> Vec<f64> {
    let (n, half) = (values.len(), width / 2);
    let full = 2 * half + 1;
    // Round the circle once more than the widest window, so that no position is taken modulo.
    let around: Vec<f64> =
        values.iter().copied().cycle().skip((n * full - half) % n).take(n + full - 1).collect();
    around.windows(full).map(|window| window.iter().sum::<f64>() / full as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_value_is_left_out_and_a_day_without_any_is_missing() {
        let days: Vec<usize> = (0..DAYS).collect();
        let mut values: Vec<f64> = days.iter().map(|day| *day as f64).collect();
        values[200..=210].fill(f64::NAN);
        let own = Window::new(&days, &vec![true; DAYS], 0.5, 5, 1).daily(&values);
        assert_eq!((own.n[204], own.n[205], own.n[206]), (1, 0, 1));
        assert!(own.mean[205].is_nan() && own.percentile[205].is_nan());
        assert_eq!((own.mean[204], own.percentile[206]), (199.0, 211.0));
    }

    #[test]
    fn equal_years_give_the_year_back() {
        let days: Vec<usize> = (0..DAYS).filter(|day| *day != LEAP_DAY).collect();
        let days = [days.clone(), days].concat();
        let values: Vec<f64> = days.iter().map(|day| *day as f64).collect();
        let inside = vec![true; days.len()];
        let own = Window::new(&days, &inside, 0.9, 0, 1).daily(&values);
        assert!((own.mean[100] - 100.0).abs() < 1e-12 && (own.percentile[100] - 100.0).abs() < 1e-12);
        // Neither year has a 29 February.
        assert!((own.mean[LEAP_DAY] - 59.0).abs() < 1e-12);
        let wide = Window::new(&days, &inside, 0.5, 5, 1).daily(&values);
        assert_eq!((wide.n[100], wide.n[0]), (22, 17));
        assert_eq!(wide.percentile[100].to_bits(), 100.0_f64.to_bits());
        assert!((circular_mean(&[3.0, 0.0, 0.0, 0.0], 3)[3] - 1.0).abs() < 1e-15);
    }
}
