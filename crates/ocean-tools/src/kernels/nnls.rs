//! Least squares with factors that are not negative.
//!
//! # Source
//! Lawson and Hanson (1974), "Solving Least Squares Problems", chapter 23.

use super::eof::dot;
use super::least_squares;

/// The factors of the columns, none below 0, that come nearest to `y`, and the length of what is left; `None` when no
/// such set is found because columns are made of each other.
pub(crate) fn solve(columns: &[Vec<f64>], y: &[f64]) -> Option<(Vec<f64>, f64)> {
    let count = columns.len();
    let size: f64 = columns.iter().map(|column| dot(column, column)).fold(0.0, f64::max);
    let slack = 1e-12 * size.max(1.0);
    let mut factors = vec![0.0; count];
    let mut free = vec![false; count];
    for _ in 0..10 * count {
        let rest = rest_of(columns, y, &factors);
        let pull = (0..count).filter(|&at| !free[at]).map(|at| (at, dot(&columns[at], &rest)));
        let best = pull.reduce(|best, own| if own.1 > best.1 { own } else { best });
        let Some((next, _)) = best.filter(|best| best.1 > slack) else {
            return Some((factors, libm::sqrt(dot(&rest, &rest))));
        };
        free[next] = true;
        loop {
            let own: Vec<usize> = (0..count).filter(|&at| free[at]).collect();
            let chosen: Vec<Vec<f64>> = own.iter().map(|&at| columns[at].clone()).collect();
            let wanted = least_squares::solve(&chosen, y)?;
            if wanted.iter().all(|&value| value > 0.0) {
                factors.fill(0.0);
                for (&at, value) in own.iter().zip(&wanted) {
                    factors[at] = *value;
                }
                break;
            }
            // As far towards the wanted factors as none gets below 0; the first that reaches it is held there.
            let way = own
                .iter()
                .zip(&wanted)
                .filter(|(_, wanted)| **wanted <= 0.0)
                .map(|(&at, wanted)| factors[at] / (factors[at] - wanted))
                .fold(1.0, f64::min);
            for (&at, wanted) in own.iter().zip(&wanted) {
                factors[at] += way * (wanted - factors[at]);
                if factors[at] <= 1e-15 {
                    factors[at] = 0.0;
                    free[at] = false;
                }
            }
            if !free.contains(&true) {
                break;
            }
        }
    }
    None
}

fn rest_of(columns: &[Vec<f64>], y: &[f64], factors: &[f64]) -> Vec<f64> {
    let mut rest = y.to_vec();
    for (column, factor) in columns.iter().zip(factors) {
        for (rest, own) in rest.iter_mut().zip(column) {
            *rest -= factor * own;
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_those_of_scipy() {
        // scipy.optimize.nnls.
        let columns = [vec![1.0, 0.5, -0.2, 1.0], vec![0.3, 1.1, 0.4, 1.0], vec![-0.7, 0.2, 0.9, 1.0]];
        for (y, exact, left) in [
            (
                [0.4, 0.7, 0.1, 1.0],
                [0.435_463_807_712, 0.397_562_776_869, 0.132_280_751_279],
                0.116_981_791_686,
            ),
            ([2.0, -0.5, -1.0, 1.0], [1.288_209_606_987, 0.0, 0.0], 1.565_177_836_346),
            ([-0.1, 0.9, 0.8, 1.0], [0.0, 0.679_546_333_29, 0.444_026_292_048], 0.189_479_721_246),
        ] {
            let (found, rest) = solve(&columns, &y).unwrap();
            assert!(found.iter().zip(exact).all(|(own, exact)| (own - exact).abs() < 1e-9), "{found:?}");
            assert!((rest - left).abs() < 1e-9, "{rest}");
        }
    }

    #[test]
    fn a_mixture_comes_apart_again() {
        let columns = [vec![20.0, 36.0, 1.0], vec![4.0, 34.5, 1.0], vec![1.0, 34.9, 1.0]];
        let y: Vec<f64> = (0..3).map(|row| 0.2 * columns[0][row] + 0.8 * columns[2][row]).collect();
        let (found, rest) = solve(&columns, &y).unwrap();
        assert!((found[0] - 0.2).abs() < 1e-9 && found[1].abs() < 1e-9 && rest < 1e-9, "{found:?}");
    }
}
