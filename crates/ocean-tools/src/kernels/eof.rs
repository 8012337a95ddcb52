//! Leading eigenvectors of a covariance, and their rotation.
//!
//! # Source
//! Subspace iteration with Rayleigh–Ritz projection (Parlett 1998, "The Symmetric Eigenvalue Problem", chapter 14), the
//! small problem by Jacobi's rotations; sampling error of eigenvalues: North et al. (1982), Mon. Weather Rev. 110,
//! 699–706; varimax: Kaiser (1958), Psychometrika 23, 187–200, by plane rotations.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use libm::{atan2, cos, sin, sqrt};
use rayon::prelude::*;

/// Rows of products that are made at once.
const BLOCK: usize = 96;

/// A symmetric matrix, row-major.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Symmetric {
    pub(crate) n: usize,
    pub(crate) values: Vec<f64>,
}

impl Symmetric {
    /// Zero.
    pub(crate) fn zero(n: usize) -> Self {
        Self { n, values: vec![0.0; n * n] }
    }

    /// Adds the products of columns with themselves, below the diagonal and on it; `columns` stand one after another.
    ///
    /// Blocks of rows are computed side by side. Their bounds depend on the size alone, so that sums do not depend on
    /// the number of threads.
    pub(crate) fn add_products(&mut self, columns: &[f64]) {
        let n = self.n;
        let all = MatRef::from_column_major_slice(columns, n, columns.len() / n.max(1));
        self.values.par_chunks_mut(BLOCK * n).enumerate().for_each(|(at, rows)| {
            let first = at * BLOCK;
            let count = rows.len() / n;
            let target = MatMut::from_row_major_slice_mut(rows, count, n).subcols_mut(0, first + count);
            let (left, right) = (all.subrows(first, count), all.subrows(0, first + count));
            matmul(target, Accum::Add, left, right.transpose(), 1.0, Par::Seq);
        });
    }

    /// Copies what is below the diagonal above it.
    pub(crate) fn mirror(&mut self) {
        for row in 0..self.n {
            for column in 0..row {
                self.values[column * self.n + row] = self.values[row * self.n + column];
            }
        }
    }

    /// Sum of the diagonal, which is that of the eigenvalues.
    pub(crate) fn trace(&self) -> f64 {
        self.values.iter().step_by(self.n + 1).sum()
    }

    pub(crate) fn times(&self, vector: &[f64]) -> Vec<f64> {
        self.values.chunks_exact(self.n).map(|row| dot(row, vector)).collect()
    }
}

/// The product of two vectors.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// An eigenvalue with its vector of unit length.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mode {
    pub(crate) value: f64,
    pub(crate) vector: Vec<f64>,
}

/// The `count` largest eigenvalues of a matrix without negative ones, largest first; fewer when the matrix is smaller.
pub(crate) fn leading(matrix: &Symmetric, count: usize) -> Vec<Mode> {
    let n = matrix.n;
    let count = count.min(n);
    let width = (2 * count + 10).min(n);
    // A fixed start with a part in every direction.
    let mut basis: Vec<Vec<f64>> = (0..width)
        .map(|k| (0..n).map(|i| sin((i * (2 * k + 3)) as f64 * 0.7 + k as f64)).collect())
        .collect();
    orthonormalise(&mut basis);
    let mut modes = Vec::new();
    for _ in 0..2_000 {
        let images: Vec<Vec<f64>> = basis.iter().map(|vector| matrix.times(vector)).collect();
        let mut small = Symmetric::zero(width);
        for (row, image) in images.iter().enumerate() {
            for (column, vector) in basis.iter().enumerate() {
                small.values[row * width + column] = dot(image, vector);
            }
        }
        let (values, rotation) = jacobi(&small);
        let turn = |from: &[Vec<f64>]| -> Vec<Vec<f64>> {
            (0..width)
                .map(|k| {
                    let mut sum = vec![0.0; n];
                    for (own, vector) in from.iter().enumerate() {
                        let factor = rotation[own * width + k];
                        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * value);
                    }
                    sum
                })
                .collect()
        };
        let (vectors, images) = (turn(&basis), turn(&images));
        let residual = (0..count)
            .map(|k| {
                let rest = images[k].iter().zip(&vectors[k]).map(|(image, own)| image - values[k] * own);
                sqrt(rest.map(|rest| rest * rest).sum())
            })
            .fold(0.0, f64::max);
        let done = residual <= 1e-12 * values[0].abs() || width == n;
        modes = values
            .iter()
            .zip(vectors)
            .take(count)
            .map(|(value, vector)| Mode { value: *value, vector })
            .collect();
        if done {
            break;
        }
        basis = images;
        orthonormalise(&mut basis);
    }
    modes
}

/// Gram–Schmidt, twice; a vector without a part of its own becomes zero.
fn orthonormalise(basis: &mut [Vec<f64>]) {
    for at in 0..basis.len() {
        let (before, rest) = basis.split_at_mut(at);
        let own = &mut rest[0];
        let size = sqrt(dot(own, own));
        for _ in 0..2 {
            for other in before.iter() {
                let part = dot(own, other);
                own.iter_mut().zip(other).for_each(|(value, other)| *value -= part * other);
            }
        }
        let left = sqrt(dot(own, own));
        let scale = if left > 1e-13 * size { 1.0 / left } else { 0.0 };
        for value in own.iter_mut() {
            *value *= scale;
        }
    }
}

/// Eigenvalues, largest first, and eigenvectors as columns, by Jacobi's rotations.
pub(crate) fn jacobi(matrix: &Symmetric) -> (Vec<f64>, Vec<f64>) {
    let n = matrix.n;
    let mut a = matrix.values.clone();
    let mut vectors = vec![0.0; n * n];
    (0..n).for_each(|at| vectors[at * n + at] = 1.0);
    let size: f64 = a.iter().map(|value| value * value).sum();
    for _ in 0..60 {
        let off: f64 =
            (0..n).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| a[p * n + q] * a[p * n + q]).sum();
        if off <= 1e-32 * size {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                if a[p * n + q].abs() > 0.0 {
                    rotate(&mut a, &mut vectors, n, p, q);
                }
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|x, y| a[*y * n + *y].total_cmp(&a[*x * n + *x]));
    let values = order.iter().map(|&at| a[at * n + at]).collect();
    let sorted = (0..n * n).map(|at| vectors[at / n * n + order[at % n]]).collect();
    (values, sorted)
}

fn rotate(a: &mut [f64], vectors: &mut [f64], n: usize, p: usize, q: usize) {
    let angle = 0.5 * atan2(2.0 * a[p * n + q], a[q * n + q] - a[p * n + p]);
    let (c, s) = (cos(angle), sin(angle));
    for k in 0..n {
        let (x, y) = (a[k * n + p], a[k * n + q]);
        a[k * n + p] = c * x - s * y;
        a[k * n + q] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (a[p * n + k], a[q * n + k]);
        a[p * n + k] = c * x - s * y;
        a[q * n + k] = s * x + c * y;
    }
    for k in 0..n {
        let (x, y) = (vectors[k * n + p], vectors[k * n + q]);
        vectors[k * n + p] = c * x - s * y;
        vectors[k * n + q] = s * x + c * y;
    }
}

/// Rotates loadings (one vector a mode) to the largest variance of their squares. Gives the rotated loadings and the
/// rotation, `rotation[old][new]`. With `normalise` each place counts alike, whatever its variance, as Kaiser has it.
pub(crate) fn varimax(loadings: &[Vec<f64>], normalise: bool) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
    let count = loadings.len();
    let places = loadings.first().map_or(0, Vec::len);
    let size: Vec<f64> = (0..places)
        .map(|at| if normalise { sqrt(loadings.iter().map(|mode| mode[at] * mode[at]).sum()) } else { 1.0 })
        .map(|size| if size > 0.0 { size } else { 1.0 })
        .collect();
    let scaled = |rows: Vec<Vec<f64>>, by: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
        rows.into_iter()
            .map(|row| row.iter().zip(&size).map(|(own, size)| own * by(*size)).collect())
            .collect()
    };
    let mut own = scaled(loadings.to_vec(), &|size| 1.0 / size);
    let mut rotation: Vec<Vec<f64>> =
        (0..count).map(|row| (0..count).map(|column| f64::from(row == column)).collect()).collect();
    for _ in 0..1_000 {
        let mut largest = 0.0_f64;
        for p in 0..count {
            for q in p + 1..count {
                let angle = plane_angle(&own[p], &own[q]);
                largest = largest.max(angle.abs());
                let (c, s) = (cos(angle), sin(angle));
                let (left, right) = own.split_at_mut(q);
                for (x, y) in left[p].iter_mut().zip(right[0].iter_mut()) {
                    (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
                }
                for row in &mut rotation {
                    (row[p], row[q]) = (c * row[p] + s * row[q], c * row[q] - s * row[p]);
                }
            }
        }
        if largest < 1e-10 {
            break;
        }
    }
    (scaled(own, &|size| size), rotation)
}

/// Kaiser's angle for two modes.
fn plane_angle(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mut a, mut b, mut c, mut d) = (0.0, 0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        let (u, v) = (x * x - y * y, 2.0 * x * y);
        a += u;
        b += v;
        c += u * u - v * v;
        d += 2.0 * u * v;
    }
    0.25 * atan2(d - 2.0 * a * b / n, c - (a * a - b * b) / n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_spectrum_comes_back() {
        // Eigenvalues of the second-difference matrix: 2 − 2 cos(kπ/(n + 1)).
        let n = 40;
        let mut matrix = Symmetric::zero(n);
        for at in 0..n {
            matrix.values[at * n + at] = 2.0;
            if at > 0 {
                matrix.values[at * n + at - 1] = -1.0;
                matrix.values[(at - 1) * n + at] = -1.0;
            }
        }
        let modes = leading(&matrix, 3);
        for (k, mode) in (0..).zip(&modes) {
            let exact = 2.0 - 2.0 * cos(f64::from(40 - k) * core::f64::consts::PI / 41.0);
            assert!((mode.value - exact).abs() < 1e-10, "{k}: {} {exact}", mode.value);
            assert!((dot(&mode.vector, &mode.vector) - 1.0).abs() < 1e-10);
        }
        let (all, _) = jacobi(&matrix);
        assert!((all.iter().sum::<f64>() - matrix.trace()).abs() < 1e-10);
    }

    #[test]
    fn varimax_turns_mixed_loadings_back() {
        let (c, s) = (cos(0.4), sin(0.4));
        let pure = [[1.0, 0.9, 0.0, 0.0, 0.1], [0.0, 0.0, 1.0, 0.8, 0.1]];
        let mixed: Vec<Vec<f64>> = vec![
            (0..5).map(|i| c * pure[0][i] - s * pure[1][i]).collect(),
            (0..5).map(|i| s * pure[0][i] + c * pure[1][i]).collect(),
        ];
        let (rotated, rotation) = varimax(&mixed, false);
        let small = rotated.iter().flatten().filter(|value| value.abs() < 0.05).count();
        assert_eq!(small, 4, "{rotated:?}");
        assert!((rotation[0][0] * rotation[0][0] + rotation[0][1] * rotation[0][1] - 1.0).abs() < 1e-12);
    }
}
