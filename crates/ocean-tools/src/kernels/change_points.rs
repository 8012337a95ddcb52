//! Shifts in the mean of a series.
//!
//! # Source
//! Pettitt (1979), Appl. Stat. 28, 126–135; Rodionov (2004), Geophys. Res. Lett. 31, L09204 (STARS); Killick, Fearnhead &
//! Eckley (2012), J. Am. Stat. Assoc. 107, 1590–1598 (PELT), with the squared error as cost.

use libm::{exp, sqrt};

use super::quantile::quantile;
use super::student_t;

/// The most likely single shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pettitt {
    /// Position of the first value after it.
    pub(crate) at: usize,
    /// `K`, the largest `|U|`.
    pub(crate) statistic: f64,
    /// `2 exp(−6 K²/(n³ + n²))`, at most 1.
    pub(crate) p_value: f64,
}

/// Pettitt's rank test on values, none missing; of equal shifts the first. `None` for fewer than 4 values.
pub(crate) fn pettitt(values: &[f64]) -> Option<Pettitt> {
    let n = values.len();
    if n < 4 {
        return None;
    }
    let sign = |a: f64, b: f64| f64::from(i8::from(a > b) - i8::from(a < b));
    let (mut sum, mut best) = (0.0, (1, 0.0_f64));
    for at in 0..n - 1 {
        sum += values.iter().map(|other| sign(*other, values[at])).sum::<f64>();
        if sum.abs() > best.1 {
            best = (at + 1, sum.abs());
        }
    }
    let count = n as f64;
    let p_value = (2.0 * exp(-6.0 * best.1 * best.1 / (count * count * count + count * count))).min(1.0);
    Some(Pettitt { at: best.0, statistic: best.1, p_value })
}

/// Regimes by sequential t tests: positions of the first value of each new one. `length` is the cut-off length in steps.
pub(crate) fn stars(values: &[f64], length: usize, alpha: f64) -> Vec<usize> {
    let n = values.len();
    if length < 2 || n < 2 * length {
        return Vec::new();
    }
    let mean = |part: &[f64]| part.iter().sum::<f64>() / part.len() as f64;
    let variance = |part: &[f64]| {
        let middle = mean(part);
        part.iter().map(|own| (own - middle) * (own - middle)).sum::<f64>() / (part.len() as f64 - 1.0)
    };
    let windows = n - length + 1;
    let usual = values.windows(length).map(variance).sum::<f64>() / windows as f64;
    let t = student_t::quantile(1.0 - alpha / 2.0, 2.0 * length as f64 - 2.0);
    let difference = t * sqrt(2.0 * usual / length as f64);
    let scale = length as f64 * sqrt(usual);
    let (mut found, mut from, mut at) = (Vec::new(), 0, length);
    while at < n {
        let own = mean(&values[from..at]);
        let up = values[at] > own + difference;
        if (up || values[at] < own - difference) && confirmed(values, at, length, own, difference, up, scale)
        {
            found.push(at);
            from = at;
            // The new regime is judged by its first values, so that the next shift is at least that far.
            at = (at + length).min(n);
            continue;
        }
        at += 1;
    }
    found
}

/// Whether the regime shift index keeps its sign over the cut-off length, or to the end of the series when at least half
/// of that length is left.
fn confirmed(
    values: &[f64],
    at: usize,
    length: usize,
    mean: f64,
    difference: f64,
    up: bool,
    scale: f64,
) -> bool {
    let level = if up { mean + difference } else { mean - difference };
    if values.len() - at < length.div_ceil(2) {
        return false;
    }
    let mut index = 0.0;
    for value in values.iter().skip(at).take(length) {
        index += (if up { value - level } else { level - value }) / scale;
        if index < 0.0 {
            return false;
        }
    }
    true
}

/// The segmentation with the least sum of squares plus `penalty` for each shift: positions of the first value of each new
/// segment. Segments have at least `shortest` values.
pub(crate) fn pelt(values: &[f64], penalty: f64, shortest: usize) -> Vec<usize> {
    let n = values.len();
    let shortest = shortest.max(1);
    let (mut sums, mut squares) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    // About the mean, so that the difference of the sums keeps its digits.
    let middle = values.iter().sum::<f64>() / n.max(1) as f64;
    for (at, value) in values.iter().enumerate() {
        let own = value - middle;
        sums[at + 1] = sums[at] + own;
        squares[at + 1] = squares[at] + own * own;
    }
    let cost = |from: usize, to: usize| {
        let sum = sums[to] - sums[from];
        squares[to] - squares[from] - sum * sum / (to - from) as f64
    };
    let (mut best, mut last) = (vec![f64::INFINITY; n + 1], vec![0; n + 1]);
    best[0] = -penalty;
    let mut open = vec![0];
    for to in shortest..=n {
        let total = |from: usize| best[from] + cost(from, to) + penalty;
        let (from, value) = open
            .iter()
            .map(|&from| (from, total(from)))
            .fold((0, f64::INFINITY), |best, own| if own.1 < best.1 { own } else { best });
        let keep: Vec<usize> = open.iter().copied().filter(|&from| total(from) - penalty <= value).collect();
        (best[to], last[to]) = (value, from);
        open = keep;
        if to + 1 >= 2 * shortest {
            open.push(to + 1 - shortest);
        }
    }
    let (mut found, mut at) = (Vec::new(), n);
    while at > 0 && last[at] > 0 {
        at = last[at];
        found.push(at);
    }
    found.reverse();
    found
}

/// Standard deviation of the noise from the median of the differences of neighbours, which a few shifts leave alone.
pub(crate) fn noise(values: &[f64]) -> f64 {
    let steps: Vec<f64> = values.iter().zip(values.iter().skip(1)).map(|(a, b)| (b - a).abs()).collect();
    // The median of |N(0, 2 σ²)| is 0.6745 √2 σ.
    quantile(&steps, 0.5) / (0.674_489_750_196_081_7 * core::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty values with a shift by 3 after 25.
    fn shifted() -> Vec<f64> {
        (0..40_u32).map(|t| f64::from(t * t * 7 % 11) * 0.2 + if t >= 25 { 3.0 } else { 0.0 }).collect()
    }

    #[test]
    fn every_method_finds_a_planted_shift() {
        let values = shifted();
        let found = pettitt(&values).unwrap();
        // The definition by both sums, and its approximate probability, in numpy.
        assert_eq!((found.at, found.statistic), (25, 375.0));
        assert!((found.p_value - 5.189_384_286_723e-6).abs() < 1e-12, "{found:?}");
        assert_eq!(stars(&values, 10, 0.05), [25]);
        // ruptures 1.1.10: Pelt(model="l2", min_size=2, jump=1).fit(y).predict(pen=5) and pen=1.
        assert_eq!(pelt(&values, 5.0, 2), [25]);
        assert_eq!(pelt(&values, 1.0, 2), [25, 38]);
    }

    #[test]
    fn no_shift_is_found_where_there_is_none() {
        let flat: Vec<f64> = (0..40_u32).map(|t| f64::from(t * 7 % 11)).collect();
        assert!(pettitt(&flat).unwrap().p_value > 0.5);
        assert!(stars(&flat, 10, 0.01).is_empty());
        assert!(pelt(&flat, 1e3, 2).is_empty() && pelt(&[1.0], 1.0, 2).is_empty());
        assert!(
            noise(&flat) > 1.0 && stars(&flat[..5], 10, 0.05).is_empty() && pettitt(&flat[..3]).is_none()
        );
    }
}
