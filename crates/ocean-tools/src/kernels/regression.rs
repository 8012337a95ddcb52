//! A response on several drivers.
//!
//! # Source
//! Newey & West (1987), Econometrica 55, 703–708, with Bartlett weights and the factor `n/(n − k)`; shares of variance:
//! Lindeman, Merenda & Gold (1980), "Introduction to Bivariate and Multivariate Analysis", pages 119 ff., which is the
//! Shapley value of R².

use libm::{floor, pow, sqrt};

use super::least_squares::{inverse_products, rest, solve};

/// A fit with a constant.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Regression {
    /// The constant, then a factor a driver.
    pub(crate) factors: Vec<f64>,
    /// Their standard errors.
    pub(crate) errors: Vec<f64>,
    /// Share of variance of the fit.
    pub(crate) r_squared: f64,
    /// Share of each driver; they add up to `r_squared`.
    pub(crate) shares: Vec<f64>,
    /// Variance inflation factor of each driver.
    pub(crate) inflation: Vec<f64>,
    /// Lags of the covariance.
    pub(crate) lags: usize,
    /// What is left.
    pub(crate) residuals: Vec<f64>,
}

/// Fits `y` by a constant and drivers, none missing. `lags` of the Newey–West covariance; `None` is
/// `floor(4 (n/100)^(2/9))`. `None` when the drivers are not independent or there are too few values.
pub(crate) fn regression(y: &[f64], drivers: &[Vec<f64>], lags: Option<usize>) -> Option<Regression> {
    let n = y.len();
    let mut columns = vec![vec![1.0; n]];
    columns.extend(drivers.iter().cloned());
    let k = columns.len();
    if n <= k {
        return None;
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small positive number")]
    let usual = floor(4.0 * pow(n as f64 / 100.0, 2.0 / 9.0)) as usize;
    let lags = lags.unwrap_or(usual).min(n - 1);
    let factors = solve(&columns, y)?;
    let residuals = rest(&columns, &factors, y);
    let errors = newey_west(&columns, &residuals, lags)?;
    let all: Vec<usize> = (0..drivers.len()).collect();
    let inflation = all
        .iter()
        .map(|&at| {
            let others: Vec<Vec<f64>> =
                all.iter().filter(|other| **other != at).map(|other| drivers[*other].clone()).collect();
            1.0 / (1.0 - r_squared(&drivers[at], &others))
        })
        .collect();
    Some(Regression {
        factors,
        errors,
        r_squared: r_squared(y, drivers),
        shares: shares(y, drivers),
        inflation,
        lags,
        residuals,
    })
}

fn newey_west(columns: &[Vec<f64>], residuals: &[f64], lags: usize) -> Option<Vec<f64>> {
    let (k, n) = (columns.len(), residuals.len());
    let score = |at: usize, row: usize| columns[at][row] * residuals[row];
    let mut middle = vec![vec![0.0; k]; k];
    for lag in 0..=lags {
        let weight = if lag == 0 { 0.5 } else { 1.0 - lag as f64 / (lags as f64 + 1.0) };
        for (a, row) in middle.iter_mut().enumerate() {
            for (b, sum) in row.iter_mut().enumerate() {
                let products =
                    (lag..n).map(|t| score(a, t) * score(b, t - lag) + score(b, t) * score(a, t - lag));
                *sum += weight * products.sum::<f64>();
            }
        }
    }
    let inverse = inverse_products(columns)?;
    let scale = n as f64 / (n - k) as f64;
    let variance = |at: usize| -> f64 {
        let mut sum = 0.0;
        for (left, row) in inverse[at].iter().zip(&middle) {
            for (value, right) in row.iter().zip(&inverse[at]) {
                sum += left * value * right;
            }
        }
        scale * sum
    };
    Some((0..k).map(|at| sqrt(variance(at).max(0.0))).collect())
}

/// Share of variance of a fit with a constant; 1 when the drivers are not independent.
fn r_squared(y: &[f64], drivers: &[Vec<f64>]) -> f64 {
    let mean = y.iter().sum::<f64>() / y.len() as f64;
    let total: f64 = y.iter().map(|own| (own - mean) * (own - mean)).sum();
    let mut columns = vec![vec![1.0; y.len()]];
    columns.extend(drivers.iter().cloned());
    match solve(&columns, y) {
        Some(factors) => 1.0 - rest(&columns, &factors, y).iter().map(|own| own * own).sum::<f64>() / total,
        None => 1.0,
    }
}

/// The mean gain of R² by each driver over all orders in which the drivers may come.
fn shares(y: &[f64], drivers: &[Vec<f64>]) -> Vec<f64> {
    let k = drivers.len();
    let of: Vec<f64> = (0..1_usize << k)
        .map(|set| {
            let own: Vec<Vec<f64>> =
                (0..k).filter(|at| set >> at & 1 == 1).map(|at| drivers[at].clone()).collect();
            r_squared(y, &own)
        })
        .collect();
    let factorial = |n: usize| (1..=n).map(|own| own as f64).product::<f64>();
    (0..k)
        .map(|at| {
            (0..1_usize << k)
                .filter(|set| set >> at & 1 == 0)
                .map(|set| {
                    let size = usize::try_from(set.count_ones()).unwrap_or(0);
                    let weight = factorial(size) * factorial(k - size - 1) / factorial(k);
                    weight * (of[set | 1 << at] - of[set])
                })
                .sum()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::regression;

    #[test]
    fn the_fit_is_that_of_statsmodels() {
        let series = |a: u32, b: u32| (0..50_u32).map(|t| f64::from(t * t * a % b)).collect::<Vec<f64>>();
        let (one, two) = (series(3, 17), series(5, 11));
        let y: Vec<f64> = (0..50)
            .map(|t| 1.0 + 0.5 * one[t] - 0.3 * two[t] + (t * 7 % 5) as f64 + 0.02 * t as f64)
            .collect();
        let found = regression(&y, &[one, two], Some(3)).unwrap();
        // statsmodels 0.15.0: OLS.fit(cov_type="HAC", maxlags=3, use_correction=True): params, bse, rsquared, vif.
        let peer = [
            2.874_380_935_821,
            0.562_776_204_051,
            -0.272_946_512_282,
            0.609_168_524_516,
            0.054_411_996_890,
            0.078_249_268_086,
            0.731_818_416_664,
            1.000_000_125_275,
        ];
        let own: Vec<f64> = found.factors.iter().chain(&found.errors).copied().collect();
        for (own, peer) in own.iter().chain([&found.r_squared, &found.inflation[0]]).zip(peer) {
            assert!((own - peer).abs() < 1e-9, "{found:?}");
        }
        assert!((found.shares.iter().sum::<f64>() - found.r_squared).abs() < 1e-12);
    }

    #[test]
    fn equal_and_independent_drivers_share_by_their_variance() {
        // Orthogonal drivers of amplitude 2 and 1: shares 0.8 and 0.2.
        let one: Vec<f64> = (0..8).map(|t| [1.0, 1.0, -1.0, -1.0][t % 4]).collect();
        let two: Vec<f64> = (0..8).map(|t| [1.0, -1.0, 1.0, -1.0][t % 4]).collect();
        let y: Vec<f64> = one.iter().zip(&two).map(|(a, b)| 2.0 * a + b).collect();
        let found = regression(&y, &[one.clone(), two], None).unwrap();
        assert!((found.shares[0] - 0.8).abs() < 1e-12 && (found.shares[1] - 0.2).abs() < 1e-12);
        assert!(regression(&y, &[one.clone(), one], None).is_none());
    }
}
