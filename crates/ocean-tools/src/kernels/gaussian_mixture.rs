//! Clusters of points as a mixture of Gaussians with diagonal covariances.
//!
//! # Source
//! Expectation and maximisation of Dempster, Laird & Rubin (1977), J. R. Stat. Soc. B 39, 1–38, as
//! `sklearn.mixture.GaussianMixture(covariance_type="diag")`; information criterion of Schwarz (1978), Ann. Stat. 6, 461–464.

use core::f64::consts::PI;

use libm::{exp, log};

/// Added to every variance, so that none vanishes.
const FLOOR: f64 = 1e-6;

/// A mixture.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mixture {
    /// Means of the classes.
    pub(crate) means: Vec<Vec<f64>>,
    /// The most likely class of each point.
    pub(crate) of: Vec<usize>,
    /// The probability of that class.
    pub(crate) probability: Vec<f64>,
    /// Bayesian information criterion; less is better.
    pub(crate) bic: f64,
}

struct Classes {
    weights: Vec<f64>,
    means: Vec<Vec<f64>>,
    variances: Vec<Vec<f64>>,
}

/// Fits `k` classes from a first assignment of the points, none of which has a missing feature.
pub(crate) fn fit(points: &[Vec<f64>], first: &[usize], k: usize) -> Mixture {
    let n = points.len() as f64;
    let features = points.first().map_or(0, Vec::len) as f64;
    let mut shares: Vec<Vec<f64>> =
        first.iter().map(|own| (0..k).map(|at| f64::from(u8::from(at == *own))).collect()).collect();
    let mut classes = maximise(points, &shares, k);
    let mut before = f64::NEG_INFINITY;
    let mut likelihood = before;
    for _ in 0..500 {
        (shares, likelihood) = expect(points, &classes);
        classes = maximise(points, &shares, k);
        if (likelihood - before).abs() < 1e-8 * n {
            break;
        }
        before = likelihood;
    }
    let best = |own: &Vec<f64>| (0..k).fold(0, |best, at| if own[at] > own[best] { at } else { best });
    let of: Vec<usize> = shares.iter().map(best).collect();
    let probability = shares.iter().zip(&of).map(|(own, at)| own[*at]).collect();
    let unknowns = k as f64 * 2.0 * features + k as f64 - 1.0;
    Mixture { means: classes.means, of, probability, bic: unknowns * log(n) - 2.0 * likelihood }
}

/// Probabilities of the classes for each point, and the logarithm of the likelihood of all.
fn expect(points: &[Vec<f64>], classes: &Classes) -> (Vec<Vec<f64>>, f64) {
    let mut likelihood = 0.0;
    let shares = points
        .iter()
        .map(|point| {
            let logs: Vec<f64> = classes
                .means
                .iter()
                .zip(&classes.variances)
                .zip(&classes.weights)
                .map(|((mean, variance), weight)| {
                    let terms = point.iter().zip(mean).zip(variance).map(|((value, mean), variance)| {
                        (value - mean) * (value - mean) / variance + log(2.0 * PI * variance)
                    });
                    log(*weight) - 0.5 * terms.sum::<f64>()
                })
                .collect();
            let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logs.iter().map(|own| exp(own - top)).sum();
            likelihood += top + log(sum);
            logs.iter().map(|own| exp(own - top) / sum).collect()
        })
        .collect();
    (shares, likelihood)
}

fn maximise(points: &[Vec<f64>], shares: &[Vec<f64>], k: usize) -> Classes {
    let features = points.first().map_or(0, Vec::len);
    let mut classes = Classes {
        weights: vec![0.0; k],
        means: vec![vec![0.0; features]; k],
        variances: vec![vec![0.0; features]; k],
    };
    for at in 0..k {
        let total: f64 = shares.iter().map(|own| own[at]).sum::<f64>() + 10.0 * f64::EPSILON;
        classes.weights[at] = total / points.len() as f64;
        for (feature, mean) in classes.means[at].iter_mut().enumerate() {
            *mean =
                points.iter().zip(shares).map(|(point, own)| own[at] * point[feature]).sum::<f64>() / total;
            let squares = points
                .iter()
                .zip(shares)
                .map(|(point, own)| own[at] * (point[feature] - *mean) * (point[feature] - *mean));
            classes.variances[at][feature] = squares.sum::<f64>() / total + FLOOR;
        }
    }
    classes
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn two_classes_are_those_of_scikit_learn() {
        let points: Vec<Vec<f64>> = (0..60_u32)
            .map(|at| {
                let (a, b) = (f64::from(at * at % 13) * 0.2, f64::from(at * 7 % 11) * 0.3);
                if at % 3 == 0 { vec![a + 6.0, b * 0.5] } else { vec![a, b + 5.0] }
            })
            .collect();
        let first: Vec<usize> = (0..60).map(|at| usize::from(at % 3 == 0)).collect();
        let found = fit(&points, &first, 2);
        assert_eq!(found.of, first);
        // scikit-learn: GaussianMixture(2, covariance_type="diag", tol=1e-12): bic.
        assert!((found.bic - 400.883_953_884).abs() < 1e-4, "{}", found.bic);
        assert!(found.probability.iter().all(|own| *own > 0.99));
        let mean: f64 = points.iter().step_by(3).map(|point| point[0]).sum::<f64>() / 20.0;
        assert!((found.means[1][0] - mean).abs() < 1e-6);
    }
}
