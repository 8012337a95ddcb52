//! Distributions of block maxima, by maximum likelihood.
//!
//! # Source
//! Coles (2001), "An Introduction to Statistical Modeling of Extreme Values", chapter 3: eqs. 3.2 (distribution), 3.7
//! and 3.9 (likelihoods), 3.4 (return level). The search is the simplex of Nelder & Mead (1965), Comput. J. 7, 308–313.

use core::f64::consts::PI;

use libm::{exp, log, pow, sqrt};

/// A generalised extreme value distribution; `shape` 0 is Gumbel's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extremes {
    pub(crate) location: f64,
    pub(crate) scale: f64,
    /// Coles' ξ: positive for a heavy tail, negative for a bounded one.
    pub(crate) shape: f64,
    /// Logarithm of the likelihood.
    pub(crate) likelihood: f64,
}

/// Euler's constant.
const EULER: f64 = 0.577_215_664_901_532_9;

fn log_likelihood(values: &[f64], location: f64, scale: f64, shape: f64) -> f64 {
    if scale <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let mut sum = -(values.len() as f64) * log(scale);
    for value in values {
        let z = (value - location) / scale;
        if shape.abs() < 1e-9 {
            sum -= z + exp(-z);
        } else {
            let t = 1.0 + shape * z;
            if t <= 0.0 {
                return f64::NEG_INFINITY;
            }
            sum -= (1.0 + 1.0 / shape) * log(t) + pow(t, -1.0 / shape);
        }
    }
    sum
}

impl Extremes {
    /// Fits block maxima that are present; `None` when they do not vary.
    pub(crate) fn fit(values: &[f64], gumbel: bool) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let spread = sqrt(values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / n);
        if spread.is_nan() || spread <= 0.0 {
            return None;
        }
        // The moments of Gumbel's distribution start the search; scaled so that all steps are alike.
        let unit: Vec<f64> = values.iter().map(|value| (value - mean) / spread).collect();
        let scale = sqrt(6.0) / PI;
        let start = [-EULER * scale, log(scale), if gumbel { 0.0 } else { -0.05 }];
        let free = if gumbel { 2 } else { 3 };
        let cost = |p: &[f64; 3]| -log_likelihood(&unit, p[0], exp(p[1]), p[2]);
        let best = simplex(start, free, cost);
        let (location, scale, shape) = (mean + spread * best[0], spread * exp(best[1]), best[2]);
        Some(Self { location, scale, shape, likelihood: log_likelihood(values, location, scale, shape) })
    }

    /// The level that is exceeded once in so many blocks on average.
    pub(crate) fn level(&self, blocks: f64) -> f64 {
        let y = -log(1.0 - 1.0 / blocks);
        if self.shape.abs() < 1e-9 {
            self.location - self.scale * log(y)
        } else {
            self.location + self.scale / self.shape * (pow(y, -self.shape) - 1.0)
        }
    }
}

/// The smallest cost over the first `free` parameters.
fn simplex(start: [f64; 3], free: usize, cost: impl Fn(&[f64; 3]) -> f64) -> [f64; 3] {
    let mut points: Vec<([f64; 3], f64)> = (0..=free)
        .map(|at| {
            let mut point = start;
            if at > 0 {
                point[at - 1] += 0.2;
            }
            (point, cost(&point))
        })
        .collect();
    let along = |from: &[f64; 3], to: &[f64; 3], by: f64| {
        let mut point = *from;
        point.iter_mut().zip(to).for_each(|(own, to)| *own += by * (to - *own));
        point
    };
    for _ in 0..2_000 {
        points.sort_by(|a, b| a.1.total_cmp(&b.1));
        let (best, worst) = (points[0], points[free]);
        let size: f64 =
            points.iter().map(|point| (0..free).map(|k| (point.0[k] - best.0[k]).abs()).sum::<f64>()).sum();
        if size < 1e-10 {
            break;
        }
        let mut centre = [0.0; 3];
        for point in &points[..free] {
            centre.iter_mut().zip(&point.0).for_each(|(sum, own)| *sum += own / free as f64);
        }
        let tried = |by: f64| {
            let point = along(&centre, &worst.0, by);
            (point, cost(&point))
        };
        let reflected = tried(-1.0);
        let second = points[free - 1].1;
        let next = if reflected.1 < best.1 {
            let further = tried(-2.0);
            if further.1 < reflected.1 { further } else { reflected }
        } else if reflected.1 < second {
            reflected
        } else {
            let nearer = if reflected.1 < worst.1 { tried(-0.5) } else { tried(0.5) };
            if nearer.1 < worst.1.min(reflected.1) {
                nearer
            } else {
                for point in points.iter_mut().skip(1) {
                    point.0 = along(&best.0, &point.0, 0.5);
                    point.1 = cost(&point.0);
                }
                continue;
            }
        };
        points[free] = next;
    }
    points.sort_by(|a, b| a.1.total_cmp(&b.1));
    points[0].0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_a_known_distribution_give_it_back() {
        for shape in [-0.2, 0.0, 0.15] {
            let own = Extremes { location: 10.0, scale: 2.0, shape, likelihood: 0.0 };
            let values: Vec<f64> = (1..2000).map(|k| own.level(2000.0 / f64::from(k))).collect();
            let fitted = Extremes::fit(&values, shape == 0.0).unwrap();
            assert!((fitted.location - 10.0).abs() < 0.02, "{fitted:?}");
            assert!((fitted.scale - 2.0).abs() < 0.02 && (fitted.shape - shape).abs() < 0.01, "{fitted:?}");
        }
        assert!(Extremes::fit(&[1.0; 5], false).is_none());
        // Gumbel's level once in 20 blocks.
        let gumbel = Extremes { location: 0.0, scale: 1.0, shape: 0.0, likelihood: 0.0 };
        assert!((gumbel.level(20.0) - 2.970_195_249_043_74).abs() < 1e-9);
    }
}
