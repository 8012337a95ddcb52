//! Linear least squares of a few columns.
//!
//! # Source
//! Modified Gram–Schmidt, done twice (Björck 1996, "Numerical Methods for Least Squares Problems", section 2.4).

use libm::sqrt;

use super::eof::dot;

/// Columns as orthonormal ones times an upper triangle.
struct Factors {
    basis: Vec<Vec<f64>>,
    upper: Vec<Vec<f64>>,
}

/// `None` when a column is made of those before it.
fn factors(columns: &[Vec<f64>]) -> Option<Factors> {
    let count = columns.len();
    let mut basis: Vec<Vec<f64>> = Vec::with_capacity(count);
    let mut upper = vec![vec![0.0; count]; count];
    for (at, column) in columns.iter().enumerate() {
        let mut own = column.clone();
        let size = sqrt(dot(&own, &own));
        for _ in 0..2 {
            for (before, other) in basis.iter().enumerate() {
                let part = dot(&own, other);
                upper[before][at] += part;
                for (value, other) in own.iter_mut().zip(other) {
                    *value -= part * other;
                }
            }
        }
        let left = sqrt(dot(&own, &own));
        if left.is_nan() || left <= 1e-10 * size {
            return None;
        }
        upper[at][at] = left;
        for value in &mut own {
            *value /= left;
        }
        basis.push(own);
    }
    Some(Factors { basis, upper })
}

/// The solution of an upper triangle.
fn back(upper: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    let count = right.len();
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| upper[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / upper[row][row];
    }
    right
}

/// The factors of the columns that come nearest to `y`; `None` when a column is made of those before it.
pub(crate) fn solve(columns: &[Vec<f64>], y: &[f64]) -> Option<Vec<f64>> {
    let Factors { basis, upper } = factors(columns)?;
    let mut rest = y.to_vec();
    let mut right = vec![0.0; columns.len()];
    for (part, own) in right.iter_mut().zip(&basis) {
        *part = dot(&rest, own);
        for (value, own) in rest.iter_mut().zip(own) {
            *value -= *part * own;
        }
    }
    Some(back(&upper, right))
}

/// `(XᵀX)⁻¹` of the columns, row by row; `None` when a column is made of those before it.
pub(crate) fn inverse_products(columns: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let Factors { upper, .. } = factors(columns)?;
    let count = columns.len();
    let unit = |at: usize| (0..count).map(|own| f64::from(u8::from(own == at))).collect();
    // Columns of the inverse triangle.
    let inverse: Vec<Vec<f64>> = (0..count).map(|at| back(&upper, unit(at))).collect();
    let product = |a: usize, b: usize| inverse.iter().map(|column| column[a] * column[b]).sum();
    Some((0..count).map(|a| (0..count).map(|b| product(a, b)).collect()).collect())
}

/// What the columns with these factors leave of `y`.
pub(crate) fn rest(columns: &[Vec<f64>], factors: &[f64], y: &[f64]) -> Vec<f64> {
    let fitted =
        |at: usize| -> f64 { columns.iter().zip(factors).map(|(column, factor)| column[at] * factor).sum() };
    y.iter().enumerate().map(|(at, y)| y - fitted(at)).collect()
}

#[cfg(test)]
mod tests {
    use super::{inverse_products, rest, solve};

    #[test]
    fn the_inverse_of_the_products_is_that_of_numpy() {
        // numpy.linalg.inv(X.T @ X) of the columns 1 and 0, 1, 2, 4.
        let columns = vec![vec![1.0; 4], vec![0.0, 1.0, 2.0, 4.0]];
        let inverse = inverse_products(&columns).unwrap();
        for (own, peer) in inverse.concat().iter().zip([0.6, -0.2, -0.2, 4.0 / 35.0]) {
            assert!((own - peer).abs() < 1e-14, "{inverse:?}");
        }
        assert_eq!(rest(&columns, &[1.0, 2.0], &[1.0, 3.0, 5.0, 10.0]), [0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_parabola_comes_back_and_a_double_column_is_refused() {
        let t: Vec<f64> = (0..20).map(f64::from).collect();
        let columns = vec![vec![1.0; 20], t.clone(), t.iter().map(|t| t * t).collect()];
        let y: Vec<f64> = t.iter().map(|t| 3.0 - 2.0 * t + 0.5 * t * t).collect();
        let found = solve(&columns, &y).unwrap();
        for (own, exact) in found.iter().zip([3.0, -2.0, 0.5]) {
            assert!((own - exact).abs() < 1e-10, "{found:?}");
        }
        assert!(solve(&[t.clone(), t.clone()], &t).is_none());
    }
}
