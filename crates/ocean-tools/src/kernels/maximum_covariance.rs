//! Pairs of patterns of two fields with the largest covariance.
//!
//! # Source
//! Bretherton, Smith & Wallace (1992), J. Climate 5, 541–560: singular vectors of the cross-covariance. They are found
//! from the products of all times of each field, `Kx = X Xᵀ` and `Ky = Y Yᵀ`: with `Kx = L Lᵀ` the squared singular
//! values of `Xᵀ Y` are the eigenvalues of `Lᵀ Ky L`, and the time series of the first field are `L` times its
//! eigenvectors. So no matrix of cells by cells is needed.

use libm::sqrt;

use super::eof::{Symmetric, dot, leading};
use super::random::Random;

/// A pair of patterns, by their time series.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pair {
    /// Singular value of `Xᵀ Y`: a sum over the times, not a mean.
    pub(crate) singular: f64,
    /// Projection of the first field on its pattern of unit length, in time.
    pub(crate) first: Vec<f64>,
    /// Of the second.
    pub(crate) second: Vec<f64>,
}

/// `Σ σ²` of all pairs.
pub(crate) fn total(kx: &Symmetric, ky: &Symmetric) -> f64 {
    dot(&kx.values, &ky.values)
}

/// The `count` leading pairs, largest first; those below a millionth of the first are left out.
pub(crate) fn pairs(kx: &Symmetric, ky: &Symmetric, count: usize) -> Vec<Pair> {
    let n = kx.n;
    let lower = cholesky(kx);
    // Columns of `L` in rows, then `Ky L` and `Lᵀ Ky L`.
    let columns: Vec<Vec<f64>> =
        (0..n).map(|column| (0..n).map(|row| lower[row * n + column]).collect()).collect();
    let images: Vec<Vec<f64>> = columns.iter().map(|column| ky.times(column)).collect();
    let mut inner = Symmetric::zero(n);
    for (row, column) in columns.iter().enumerate() {
        for (at, image) in images.iter().enumerate().take(row + 1) {
            // `L` is 0 above its diagonal.
            inner.values[row * n + at] = dot(&column[row..], &image[row..]);
        }
    }
    inner.mirror();
    let modes = leading(&inner, count);
    let floor = modes.first().map_or(0.0, |mode| 1e-12 * mode.value);
    modes
        .into_iter()
        .filter(|mode| mode.value > floor)
        .map(|mode| {
            let first: Vec<f64> = lower.chunks_exact(n).map(|row| dot(row, &mode.vector)).collect();
            let singular = sqrt(mode.value);
            let second = ky.times(&first).into_iter().map(|value| value / singular).collect();
            Pair { singular, first, second }
        })
        .collect()
}

/// The lower root of a matrix without negative eigenvalues; a direction without a part of its own becomes zero.
fn cholesky(matrix: &Symmetric) -> Vec<f64> {
    let n = matrix.n;
    let floor = 1e-13 * matrix.trace();
    let mut lower = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..=row {
            let known = dot(&lower[row * n..row * n + column], &lower[column * n..column * n + column]);
            let left = matrix.values[row * n + column] - known;
            let pivot = lower[column * n + column];
            lower[row * n + column] = match (row == column, pivot > 0.0) {
                (true, _) if left > floor => sqrt(left),
                (false, true) => left / pivot,
                _ => 0.0,
            };
        }
    }
    lower
}

/// How often chance does as well.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Chance {
    /// For the largest singular value.
    pub(crate) first: f64,
    /// For the sum of the squares of all.
    pub(crate) total: f64,
}

/// Shares of `count` surrogates, the second field moved against the first by a random number of times round the end, that
/// do at least as well. `first` is the largest singular value.
pub(crate) fn chance(
    kx: &Symmetric,
    ky: &Symmetric,
    first: f64,
    count: usize,
    random: &mut Random,
) -> Chance {
    let n = kx.n;
    let edge = (n / 20).max(1);
    let whole = total(kx, ky);
    let (mut better_first, mut better_total) = (1.0, 1.0);
    for _ in 0..count {
        let shift = edge + random.below(n.saturating_sub(2 * edge).max(1));
        let mut moved = Symmetric::zero(n);
        for (row, own) in moved.values.chunks_exact_mut(n).enumerate() {
            let from = (row + shift) % n;
            let source = &ky.values[from * n..(from + 1) * n];
            own[..n - shift].copy_from_slice(&source[shift..]);
            own[n - shift..].copy_from_slice(&source[..shift]);
        }
        better_total += f64::from(total(kx, &moved) >= whole);
        better_first += f64::from(largest(kx, &moved) >= first);
    }
    let all = count as f64 + 1.0;
    Chance { first: better_first / all, total: better_total / all }
}

/// The largest singular value by 40 steps of the power method, whose error is of second order in that of the vector.
fn largest(kx: &Symmetric, ky: &Symmetric) -> f64 {
    let mut own: Vec<f64> = (0..kx.n).map(|at| libm::sin(at as f64 * 0.7 + 0.3)).collect();
    let mut value = 0.0;
    for _ in 0..40 {
        // In the product `a Kx b` the operator `Ky Kx` is symmetric.
        let image = kx.times(&own);
        let size = sqrt(dot(&own, &image).max(0.0));
        if size <= 0.0 {
            return 0.0;
        }
        let image: Vec<f64> = image.iter().map(|part| part / size).collect();
        let next = ky.times(&image);
        value = dot(&image, &next);
        own = next;
    }
    sqrt(value.max(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_series_is_the_first_pair() {
        // Two cells and three cells over eight times; numpy.linalg.svd(X.T @ Y) is the peer.
        let x: Vec<[f64; 2]> = (0..8).map(|t| [f64::from(t * t % 7), f64::from(t * 3 % 5)]).collect();
        let y: Vec<[f64; 3]> =
            (0..8).map(|t| [f64::from(t * 5 % 6), f64::from(t * t % 7), f64::from(t % 3)]).collect();
        let gram = |rows: Vec<Vec<f64>>| {
            let mut sum = Symmetric::zero(8);
            for column in 0..rows[0].len() {
                let mean = rows.iter().map(|row| row[column]).sum::<f64>() / 8.0;
                sum.add_products(&rows.iter().map(|row| row[column] - mean).collect::<Vec<f64>>());
            }
            sum.mirror();
            sum
        };
        let kx = gram(x.iter().map(|row| row.to_vec()).collect());
        let ky = gram(y.iter().map(|row| row.to_vec()).collect());
        let found = pairs(&kx, &ky, 3);
        let singular: Vec<f64> = found.iter().map(|pair| pair.singular).collect();
        let peer = [19.190_202_790_423, 5.732_461_675_619];
        assert_eq!(singular.len(), 2);
        for (own, peer) in singular.iter().zip(peer) {
            assert!((own - peer).abs() < 1e-9, "{singular:?}");
        }
        assert!((total(&kx, &ky) - peer.iter().map(|s| s * s).sum::<f64>()).abs() < 1e-9);
        assert!((largest(&kx, &ky) - singular[0]).abs() < 1e-6);
        // The covariance of the two series is the singular value.
        assert!((dot(&found[0].first, &found[0].second) - singular[0]).abs() < 1e-9);
        let chance = chance(&kx, &ky, singular[0], 50, &mut Random::new(1));
        assert!(chance.first > 0.0 && chance.first <= 1.0 && chance.total <= 1.0);
    }
}
