//! Linear least squares of a few columns.
//!
//! # Source
//! Modified Gram–Schmidt, done twice (Björck 1996, "Numerical Methods for Least Squares Problems", section 2.4).

use libm::sqrt;

use super::eof::dot;

/// The factors of the columns that come nearest to `y`; `None` when a column is made of those before it.
pub(crate) fn solve(columns: &[Vec<f64>], y: &[f64]) -> Option<Vec<f64>> {
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
    let mut rest = y.to_vec();
    let mut right = vec![0.0; count];
    for (part, own) in right.iter_mut().zip(&basis) {
        *part = dot(&rest, own);
        for (value, own) in rest.iter_mut().zip(own) {
            *value -= *part * own;
        }
    }
    for row in (0..count).rev() {
        let known: f64 = (row + 1..count).map(|column| upper[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / upper[row][row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::solve;

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
