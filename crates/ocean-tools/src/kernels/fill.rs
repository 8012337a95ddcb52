//! Gaps filled in maps and in records of maps.
//!
//! # Source
//! Harmonic fill: the Laplace equation with the known values as boundary, by successive over-relaxation. DINEOF: Beckers and
//! Rixen (2003), "EOF Calculations and Data Filling from Incomplete Oceanographic Datasets", *Journal of Atmospheric and
//! Oceanic Technology* 20: the missing values of the anomalies start at 0 and are replaced by the reconstruction from the
//! first modes until they change no more.

use ndarray::{Array2, ArrayView2};

use super::eof::{Symmetric, leading};

/// Sweeps of the relaxation at most.
const SWEEPS: usize = 4000;
/// Rounds of the reconstruction at most.
const ROUNDS: usize = 300;

/// Fills gaps of at most `longest` values between two values of a series by straight lines. What is before the first and
/// after the last stays missing.
pub fn linear(values: &[f64], longest: usize) -> Vec<f64> {
    let mut out = values.to_vec();
    let mut last: Option<usize> = None;
    for (at, value) in values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
        if let Some(from) = last.filter(|from| (1..=longest).contains(&(at - from - 1))) {
            for (place, own) in out.iter_mut().enumerate().take(at).skip(from + 1) {
                let share = (place - from) as f64 / (at - from) as f64;
                *own = values[from] + (value - values[from]) * share;
            }
        }
        last = Some(at);
    }
    out
}

/// The cells that may be filled: of the sea, without a value, and at most `farthest` steps (also diagonal) from one.
fn reachable(map: &ArrayView2<'_, f64>, sea: &Array2<bool>, farthest: usize, wraps: bool) -> Array2<bool> {
    let (rows, columns) = map.dim();
    let mut known = map.mapv(|value| !value.is_nan());
    let mut reached = Array2::from_elem((rows, columns), false);
    for _ in 0..farthest {
        let mut next = Vec::new();
        for ((y, x), _) in known.indexed_iter().filter(|((y, x), known)| !**known && sea[[*y, *x]]) {
            let beside = around(y, x, rows, columns, wraps, true).any(|at| known[at]);
            if beside {
                next.push([y, x]);
            }
        }
        if next.is_empty() {
            break;
        }
        for at in next {
            known[at] = true;
            reached[at] = true;
        }
    }
    reached
}

/// The neighbours of a cell.
fn around(
    y: usize,
    x: usize,
    rows: usize,
    columns: usize,
    wraps: bool,
    diagonal: bool,
) -> impl Iterator<Item = [usize; 2]> {
    let steps: [(isize, isize); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];
    steps.into_iter().take(if diagonal { 8 } else { 4 }).filter_map(move |(down, right)| {
        let row = y.checked_add_signed(down).filter(|row| *row < rows)?;
        let column = match x.checked_add_signed(right) {
            Some(column) if column < columns => column,
            _ if !wraps => return None,
            Some(_) => 0,
            None => columns - 1,
        };
        Some([row, column])
    })
}

/// Fills the cells of the sea that are at most `farthest` steps from a value, so that each is the mean of its neighbours in
/// the sea (no flux through land).
pub fn harmonic(map: &ArrayView2<'_, f64>, sea: &Array2<bool>, farthest: usize, wraps: bool) -> Array2<f64> {
    let (rows, columns) = map.dim();
    let fill = reachable(map, sea, farthest, wraps);
    let mut out = map.to_owned();
    let present: Vec<f64> = map.iter().copied().filter(|value| !value.is_nan()).collect();
    if present.is_empty() {
        return out;
    }
    let mean = present.iter().sum::<f64>() / present.len() as f64;
    let spread = present.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    let cells: Vec<[usize; 2]> =
        fill.indexed_iter().filter(|(_, own)| **own).map(|((y, x), _)| [y, x]).collect();
    for &at in &cells {
        out[at] = mean;
    }
    let size = rows.max(columns).max(3) as f64;
    let relaxation = 2.0 / (1.0 + libm::sin(std::f64::consts::PI / size));
    for _ in 0..SWEEPS {
        let mut change: f64 = 0.0;
        for &[y, x] in &cells {
            let (mut sum, mut n) = (0.0, 0.0);
            for at in around(y, x, rows, columns, wraps, false) {
                if !out[at].is_nan() {
                    sum += out[at];
                    n += 1.0;
                }
            }
            if n > 0.0 {
                let off = sum / n - out[[y, x]];
                out[[y, x]] += relaxation * off;
                change = change.max(off.abs());
            }
        }
        if change <= 1e-9 * spread {
            break;
        }
    }
    out
}

/// Fills the missing values of `(cells, times)` by the first `modes` empirical orthogonal functions.
pub fn by_modes(data: &Array2<f64>, modes: usize) -> Array2<f64> {
    let present: Vec<f64> = data.iter().copied().filter(|value| !value.is_nan()).collect();
    if present.is_empty() || modes == 0 {
        return data.clone();
    }
    let mean = present.iter().sum::<f64>() / present.len() as f64;
    let deviation =
        (present.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / present.len() as f64).sqrt();
    let missing: Vec<(usize, usize)> =
        data.indexed_iter().filter(|(_, value)| value.is_nan()).map(|(at, _)| at).collect();
    let mut filled = data.mapv(|value| if value.is_nan() { 0.0 } else { value - mean });
    for _ in 0..ROUNDS {
        // The right singular vectors of A are the eigenvectors of AᵀA, which is as small as the number of times.
        let vectors = right_vectors(&filled, modes);
        let scores = filled.dot(&vectors);
        let mut change = 0.0;
        for &(cell, time) in &missing {
            let new = scores.row(cell).dot(&vectors.row(time));
            let off = new - filled[[cell, time]];
            change += off * off;
            filled[[cell, time]] = new;
        }
        if missing.is_empty() || (change / missing.len() as f64).sqrt() < 1e-4 * deviation {
            break;
        }
    }
    let mut out = data.clone();
    for at in missing {
        out[at] = filled[at] + mean;
    }
    out
}

/// The first right singular vectors of a matrix, as columns.
fn right_vectors(matrix: &Array2<f64>, count: usize) -> Array2<f64> {
    let n = matrix.ncols();
    let values = matrix.t().dot(matrix).iter().copied().collect();
    let found = leading(&Symmetric { n, values }, count);
    Array2::from_shape_fn((n, found.len()), |(row, column)| found[column].vector[row])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fill_short_gaps_and_never_the_ends() {
        let nan = f64::NAN;
        let filled = linear(&[nan, 1.0, nan, nan, 4.0, nan, nan, nan, 8.0, nan], 2);
        assert_eq!(filled[1..5], [1.0, 2.0, 3.0, 4.0]);
        assert!(filled[0].is_nan() && filled[9].is_nan() && filled[5..8].iter().all(|own| own.is_nan()));
    }

    #[test]
    fn a_harmonic_field_is_met_again() {
        // x² − y² fulfils the difference form of the Laplace equation exactly.
        let full = Array2::from_shape_fn((9, 11), |(y, x)| (x * x) as f64 - (y * y) as f64);
        let mut map = full.clone();
        for y in 3..6 {
            for x in 4..8 {
                map[[y, x]] = f64::NAN;
            }
        }
        let sea = Array2::from_elem(map.dim(), true);
        let filled = harmonic(&map.view(), &sea, 10, false);
        for (own, exact) in filled.iter().zip(&full) {
            assert!((own - exact).abs() < 1e-6, "{own} {exact}");
        }
        let near = harmonic(&map.view(), &sea, 1, false);
        assert!(near[[4, 5]].is_nan() && !near[[3, 4]].is_nan());
    }

    #[test]
    fn land_is_not_filled() {
        let map = ndarray::arr2(&[[1.0, f64::NAN, f64::NAN], [2.0, 3.0, 4.0]]);
        let sea = ndarray::arr2(&[[true, false, true], [true, true, true]]);
        let filled = harmonic(&map.view(), &sea, 5, false);
        assert!(filled[[0, 1]].is_nan());
        assert!((filled[[0, 2]] - 4.0).abs() < 1e-9);
    }

    #[test]
    fn a_record_of_two_modes_is_met_by_two_modes() {
        let full = Array2::from_shape_fn((40, 30), |(cell, time)| {
            let (c, t) = (cell as f64, time as f64);
            10.0 + 2.0 * (0.2 * c).sin() * (0.4 * t).cos() + 0.7 * (0.31 * c).cos() * (0.9 * t).sin()
        });
        let mut data = full.clone();
        for i in 0..200 {
            data[[(i * 7) % 40, (i * 11 + i / 40) % 30]] = f64::NAN;
        }
        let missing = data.iter().filter(|own| own.is_nan()).count();
        assert!(missing > 100, "{missing}");
        let filled = by_modes(&data, 2);
        let error = filled.iter().zip(&full).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        // The same steps in numpy end with a largest error of 0.01703.
        assert!((error - 0.017_03).abs() < 1e-5, "{error}");
    }
}
