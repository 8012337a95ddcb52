//! Smoothing with a fixed window: Lanczos, Savitzky–Golay, Gaussian.
//!
//! # Source
//! Duchon (1979), J. Appl. Meteorol. 18, 1016–1022; Savitzky & Golay (1964), Anal. Chem. 36, 1627–1639.

use core::f64::consts::PI;

use libm::{exp, floor, sin};
use ndarray::{Array2, ArrayView2};

/// Weights of a low-pass Lanczos filter of `window` (odd) values that add up to one; `cutoff` in cycles a sample.
pub(crate) fn lanczos_weights(window: usize, cutoff: f64) -> Vec<f64> {
    let half = window / 2;
    let sinc = |x: f64| if x.abs() < 1e-15 { 1.0 } else { sin(PI * x) / (PI * x) };
    let mut weights: Vec<f64> = (0..=2 * half)
        .map(|at| {
            let k = at as f64 - half as f64;
            2.0 * cutoff * sinc(2.0 * cutoff * k) * sinc(k / (half as f64 + 1.0))
        })
        .collect();
    let sum: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= sum;
    }
    weights
}

/// The weighted mean around each value; missing where the window leaves the series or holds a missing value.
pub(crate) fn convolve(values: &[f64], weights: &[f64]) -> Vec<f64> {
    let half = weights.len() / 2;
    (0..values.len())
        .map(|at| {
            let window = at.checked_sub(half).and_then(|from| values.get(from..from + weights.len()));
            window.map_or(f64::NAN, |window| {
                window.iter().zip(weights).map(|(value, weight)| value * weight).sum()
            })
        })
        .collect()
}

/// The value at each point of a polynomial of `degree` fitted to the `window` (odd) values around it; the ends are on
/// the polynomial of the first and last window. All missing when the window is longer than the series.
pub(crate) fn savitzky_golay(values: &[f64], window: usize, degree: usize) -> Vec<f64> {
    let n = values.len();
    let half = window / 2;
    let window = 2 * half + 1;
    if window > n || degree >= window {
        return vec![f64::NAN; n];
    }
    let weights: Vec<Vec<f64>> = (0..window).map(|at| polynomial_weights(window, degree, at)).collect();
    let fitted = |from: usize, at: usize| -> f64 {
        values[from..from + window].iter().zip(&weights[at]).map(|(value, weight)| value * weight).sum()
    };
    (0..n)
        .map(|at| {
            let from = at.saturating_sub(half).min(n - window);
            fitted(from, at - from)
        })
        .collect()
}

/// Weights that give the value at `place` of the least-squares polynomial through `window` values: by Gram polynomials,
/// which are orthogonal on the points.
fn polynomial_weights(window: usize, degree: usize, place: usize) -> Vec<f64> {
    let half = (window - 1) as f64 / 2.0;
    let x: Vec<f64> = (0..window).map(|at| (at as f64 - half) / half.max(1.0)).collect();
    let mut weights = vec![0.0; window];
    let (mut before, mut own) = (vec![0.0; window], vec![1.0; window]);
    let mut last_norm = 1.0;
    for power in 0..=degree {
        let norm: f64 = own.iter().map(|p| p * p).sum();
        for (weight, p) in weights.iter_mut().zip(&own) {
            *weight += p * own[place] / norm;
        }
        // Symmetric points: the middle coefficient of the recurrence is 0.
        let back = if power == 0 { 0.0 } else { norm / last_norm };
        let next = x.iter().zip(&own).zip(&before).map(|((x, p), q)| x * p - back * q).collect();
        before = core::mem::replace(&mut own, next);
        last_norm = norm;
    }
    weights
}

/// Weights of a Gaussian with this standard deviation in samples, cut at `truncate` of them.
pub(crate) fn gaussian_weights(sigma: f64, truncate: f64) -> Vec<f64> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few cells")]
    let radius = floor(truncate * sigma + 0.5).clamp(0.0, 1e6) as usize;
    let weights: Vec<f64> = (0..=2 * radius)
        .map(|at| {
            let k = at as f64 - radius as f64;
            exp(-0.5 * k * k / (sigma * sigma))
        })
        .collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// Position reflected into `0..n` about the edges of the outer cells.
fn reflect(at: isize, n: usize) -> usize {
    let n = isize::try_from(n).unwrap_or(isize::MAX);
    let folded = at.rem_euclid(2 * n);
    usize::try_from(if folded < n { folded } else { 2 * n - 1 - folded }).unwrap_or(0)
}

/// Weighted mean of the values present around each place of a line, reflected at the ends; values and weights that
/// were present, so that two passes make a plane.
fn pass(line: &[(f64, f64)], weights: &[f64]) -> Vec<(f64, f64)> {
    let radius = isize::try_from(weights.len() / 2).unwrap_or(0);
    (0..line.len())
        .map(|at| {
            let start = isize::try_from(at).unwrap_or(0) - radius;
            (start..).zip(weights).fold((0.0, 0.0), |(sum, total), (place, weight)| {
                let (value, present) = line[reflect(place, line.len())];
                (sum + weight * value, total + weight * present)
            })
        })
        .collect()
}

/// A map smoothed by a Gaussian of this standard deviation in cells along both axes: `G∗(m x)/G∗m` with `m` 1 where a
/// value is present. What was missing stays missing.
pub(crate) fn gaussian_map(map: &ArrayView2<'_, f64>, sigma: [f64; 2], truncate: f64) -> Array2<f64> {
    let mut plane = map.mapv(|value| if value.is_nan() { (0.0, 0.0) } else { (value, 1.0) });
    for (axis, sigma) in sigma.into_iter().enumerate().filter(|(_, sigma)| *sigma > 0.0) {
        let weights = gaussian_weights(sigma, truncate);
        for mut lane in plane.lanes_mut(ndarray::Axis(axis)) {
            let smooth = pass(&lane.to_vec(), &weights);
            lane.iter_mut().zip(smooth).for_each(|(place, value)| *place = value);
        }
    }
    ndarray::Zip::from(&plane)
        .and(*map)
        .map_collect(|(sum, total), own| if own.is_nan() || *total <= 0.0 { f64::NAN } else { sum / total })
}

/// A series smoothed by a Gaussian, as [`gaussian_map`].
pub(crate) fn gaussian(values: &[f64], sigma: f64, truncate: f64) -> Vec<f64> {
    let line: Vec<(f64, f64)> =
        values.iter().map(|value| if value.is_nan() { (0.0, 0.0) } else { (*value, 1.0) }).collect();
    pass(&line, &gaussian_weights(sigma, truncate))
        .into_iter()
        .zip(values)
        .map(|((sum, total), own)| if own.is_nan() || total <= 0.0 { f64::NAN } else { sum / total })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cubic_is_its_own_savitzky_golay() {
        let cubic: Vec<f64> = (0..30).map(f64::from).map(|x| x * x * x / 100.0 - x * x / 3.0 + x).collect();
        for (before, after) in cubic.iter().zip(savitzky_golay(&cubic, 9, 3)) {
            assert!((before - after).abs() < 1e-10);
        }
        assert!(savitzky_golay(&cubic, 31, 3).iter().all(|value| value.is_nan()));
    }

    #[test]
    fn the_weights_of_savitzky_and_golay() {
        let weights = polynomial_weights(5, 2, 2);
        for (own, published) in weights.iter().zip([-3.0, 12.0, 17.0, 12.0, -3.0]) {
            assert!((own - published / 35.0).abs() < 1e-14);
        }
    }

    #[test]
    fn a_constant_with_a_hole_stays_a_constant() {
        let mut map = Array2::from_elem((6, 7), 2.5);
        map[[2, 3]] = f64::NAN;
        let smooth = gaussian_map(&map.view(), [1.5, 2.0], 4.0);
        assert!(smooth[[2, 3]].is_nan());
        assert!(smooth.iter().filter(|value| !value.is_nan()).all(|value| (value - 2.5).abs() < 1e-12));
        assert!((lanczos_weights(21, 0.1).iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!((reflect(-1, 4), reflect(4, 4), reflect(9, 4)), (0, 3, 1));
    }
}
