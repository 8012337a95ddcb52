//! Least squares with autoregressive errors.
//!
//! # Source
//! Cochrane & Orcutt (1949), J. Am. Stat. Assoc. 44, 32–61, repeated to convergence; the coefficients of the errors by the
//! Yule–Walker equations with sums over the pairs present, as `statsmodels.regression.linear_model.GLSAR`.

use libm::sqrt;

use super::least_squares::{inverse_products, rest, solve};

/// A fit.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fit {
    /// Factors of the columns.
    pub(crate) factors: Vec<f64>,
    /// Their standard errors.
    pub(crate) errors: Vec<f64>,
    /// Autoregressive coefficients of the errors, lag 1 first.
    pub(crate) rho: Vec<f64>,
    /// Rows that were used: those whose `order` predecessors are present.
    pub(crate) rows: usize,
    /// Standard deviation of the innovations.
    pub(crate) innovation: f64,
}

/// Fits columns to values on even steps, NaN where missing. `None` when there are too few rows or the columns are not
/// independent.
pub(crate) fn fit(columns: &[Vec<f64>], y: &[f64], order: usize) -> Option<Fit> {
    let present: Vec<usize> = (0..y.len()).filter(|at| !y[*at].is_nan()).collect();
    let take = |values: &[f64]| present.iter().map(|at| values[*at]).collect::<Vec<f64>>();
    let own: Vec<Vec<f64>> = columns.iter().map(|column| take(column)).collect();
    let mut factors = solve(&own, &take(y))?;
    let mut rho = vec![0.0; order];
    let usable = |at: usize| at >= order && (at - order..=at).all(|row| !y[row].is_nan());
    let rows: Vec<usize> = (0..y.len()).filter(|at| usable(*at)).collect();
    if rows.len() <= columns.len() {
        return None;
    }
    for _ in 0..100 {
        let next = yule_walker(&rest(columns, &factors, y), order)?;
        let moved = next.iter().zip(&rho).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        rho = next;
        let (x, z) = whitened(columns, y, &rho, &rows);
        factors = solve(&x, &z)?;
        if moved < 1e-12 {
            break;
        }
    }
    let (x, z) = whitened(columns, y, &rho, &rows);
    let left: f64 = rest(&x, &factors, &z).iter().map(|own| own * own).sum();
    let variance = left / (rows.len() - columns.len()) as f64;
    let inverse = inverse_products(&x)?;
    let errors = (0..columns.len()).map(|at| sqrt(variance * inverse[at][at])).collect();
    Some(Fit { factors, errors, rho, rows: rows.len(), innovation: sqrt(variance) })
}

/// Columns and values less `rho` times their predecessors.
fn whitened(columns: &[Vec<f64>], y: &[f64], rho: &[f64], rows: &[usize]) -> (Vec<Vec<f64>>, Vec<f64>) {
    let one = |values: &[f64]| -> Vec<f64> {
        rows.iter()
            .map(|&at| values[at] - rho.iter().zip(1..).map(|(rho, lag)| rho * values[at - lag]).sum::<f64>())
            .collect()
    };
    (columns.iter().map(|column| one(column)).collect(), one(y))
}

/// Autoregressive coefficients of a series about its mean; NaN is missing.
fn yule_walker(values: &[f64], order: usize) -> Option<Vec<f64>> {
    let present = values.iter().copied().filter(|value| !value.is_nan());
    let (sum, n) = present.fold((0.0, 0_u32), |(sum, n), value| (sum + value, n + 1));
    let mean = sum / f64::from(n);
    let covariance = |lag: usize| {
        let products = values.iter().zip(values.iter().skip(lag)).map(|(a, b)| (a - mean) * (b - mean));
        let (sum, n) = products
            .filter(|product| !product.is_nan())
            .fold((0.0, 0_u32), |(sum, n), product| (sum + product, n + 1));
        sum / f64::from(n)
    };
    let all: Vec<f64> = (0..=order).map(covariance).collect();
    if all.iter().any(|own| own.is_nan()) || all[0] <= 0.0 {
        return Some(vec![0.0; order]);
    }
    let columns: Vec<Vec<f64>> =
        (0..order).map(|column| (0..order).map(|row| all[column.abs_diff(row)]).collect()).collect();
    solve(&columns, &all[1..])
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn the_fit_is_that_of_statsmodels() {
        let y: Vec<f64> = (0..40_u32)
            .map(|t| f64::from(t) * 0.05 + f64::from(t * t * 7 % 13) * 0.1 + f64::from(t / 5 % 2))
            .collect();
        let columns = vec![vec![1.0; 40], (0..40).map(f64::from).collect()];
        // statsmodels 0.15.0: GLSAR(y, X, rho=1 and 2).iterative_fit(maxiter=200, rtol=0): params, bse, rho.
        let peers: [(usize, [f64; 4], &[f64]); 2] = [
            (
                1,
                [1.063_782_475_080, 0.053_082_120_737, 0.286_078_867_536, 0.012_205_901_554],
                &[0.358_452_804_139],
            ),
            (
                2,
                [1.101_955_857_279, 0.051_919_215_678, 0.367_294_522_561, 0.015_135_301_538],
                &[0.304_189_878_479, 0.157_199_208_520],
            ),
        ];
        for (order, peer, rho) in peers {
            let found = fit(&columns, &y, order).unwrap();
            let own = [found.factors[0], found.factors[1], found.errors[0], found.errors[1]];
            for (own, peer) in own.iter().zip(peer).chain(found.rho.iter().zip(rho.iter().copied())) {
                assert!((own - peer).abs() < 1e-8, "{order} {found:?}");
            }
        }
    }

    #[test]
    fn gaps_make_no_pairs_and_a_line_is_found() {
        let mut y: Vec<f64> = (0..60).map(|t| 2.0 + 0.5 * f64::from(t)).collect();
        y[20] = f64::NAN;
        let columns = vec![vec![1.0; 60], (0..60).map(f64::from).collect()];
        let found = fit(&columns, &y, 1).unwrap();
        assert!((found.factors[1] - 0.5).abs() < 1e-10 && found.rows == 57, "{found:?}");
        assert!(fit(&columns, &y[..4], 2).is_none());
    }
}
