//! Mean and percentile of each day of the year over a moving window.
//!
//! # Source
//! Hobday et al. (2016), Prog. Oceanogr. 141, 227–238: values within some days of each day of the year in the baseline
//! years, then a running mean over the days. The year has 366 days, numbered as in a leap year; 29 February is the mean
//! of its neighbours before the running mean, as in the authors' own program.

use super::sample::quantile;

/// Days of the longest year.
pub(crate) const DAYS: usize = 366;
/// Position of 29 February.
const LEAP_DAY: usize = 59;

/// One value a day of the year, from 1 January.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Daily {
    pub(crate) mean: Vec<f64>,
    pub(crate) percentile: Vec<f64>,
    /// Values behind each day.
    pub(crate) n: Vec<usize>,
}

/// Takes daily values in order, each with its day of the year (0 to 365, as in a leap year) and whether it is of the
/// baseline. The windows of its first and last days reach out of it where the record does. `smooth` is the odd width of the running mean, 1 for none.
pub(crate) fn daily(
    values: &[f64],
    days: &[usize],
    inside: &[bool],
    probability: f64,
    half_width: usize,
    smooth: usize,
) -> Daily {
    let mut pools: Vec<Vec<f64>> = vec![Vec::new(); DAYS];
    for (at, day) in days.iter().enumerate().filter(|(at, day)| inside[*at] && **day < DAYS) {
        let from = at.saturating_sub(half_width);
        let to = (at + half_width + 1).min(values.len());
        pools[*day].extend(values[from..to].iter().filter(|value| !value.is_nan()));
    }
    let mean = |pool: &Vec<f64>| pool.iter().sum::<f64>() / pool.len() as f64;
    let mut result = Daily {
        mean: pools.iter().map(mean).collect(),
        percentile: pools.iter().map(|pool| quantile(pool, probability)).collect(),
        n: pools.iter().map(Vec::len).collect(),
    };
    for line in [&mut result.mean, &mut result.percentile] {
        line[LEAP_DAY] = f64::midpoint(line[LEAP_DAY - 1], line[LEAP_DAY + 1]);
        *line = circular_mean(line, smooth);
    }
    result
}

/// Running mean over a circle; missing where a value is.
fn circular_mean(values: &[f64], width: usize) -> Vec<f64> {
    let (n, half) = (values.len(), width / 2);
    let full = 2 * half + 1;
    (0..n)
        .map(|at| (0..full).map(|k| values[(at + n * full + k - half) % n]).sum::<f64>() / full as f64)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_years_give_the_year_back() {
        let days: Vec<usize> = (0..DAYS).filter(|day| *day != LEAP_DAY).collect();
        let days = [days.clone(), days].concat();
        let values: Vec<f64> = days.iter().map(|day| *day as f64).collect();
        let inside = vec![true; days.len()];
        let own = daily(&values, &days, &inside, 0.9, 0, 1);
        assert!((own.mean[100] - 100.0).abs() < 1e-12 && (own.percentile[100] - 100.0).abs() < 1e-12);
        // Neither year has a 29 February.
        assert!((own.mean[LEAP_DAY] - 59.0).abs() < 1e-12);
        let wide = daily(&values, &days, &inside, 0.5, 5, 1);
        assert_eq!((wide.n[100], wide.n[0]), (22, 17));
        assert!((circular_mean(&[3.0, 0.0, 0.0, 0.0], 3)[3] - 1.0).abs() < 1e-15);
    }
}
