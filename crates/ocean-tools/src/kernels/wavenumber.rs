//! Power by wavenumber of a map.
//!
//! # Source
//! One-sided density whose integral over wavenumber is the variance, tapers compensated, as `xrft.power_spectrum` and
//! `xrft.isotropic_power_spectrum` (with the sum over a ring, not the mean).

use libm::{ceil, floor, log, sqrt};
use ndarray::ArrayView2;
use realfft::RealFftPlanner;
use realfft::num_complex::Complex;

use super::least_squares::{rest, solve};
use super::spectrum::{Detrend, Segments, Taper, welch};

/// A density at wavenumbers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Density {
    /// Cycles a kilometre, without 0.
    pub(crate) wavenumber: Vec<f64>,
    /// Per cycle a kilometre.
    pub(crate) power: Vec<f64>,
}

/// Density along a line of even cells of this length in kilometres, none missing: less its straight line, tapered.
pub(crate) fn along(line: &[f64], length: f64, taper: Taper) -> Option<Density> {
    let how = Segments { length: line.len(), overlap: 0, taper, detrend: Detrend::Linear };
    let found = welch(line, line, how)?;
    Some(Density {
        wavenumber: found.frequency.iter().skip(1).map(|own| own / length).collect(),
        power: found.xx.iter().skip(1).map(|own| own * length).collect(),
    })
}

/// Density of a map by the length of the wavenumber: less its plane, tapered along both axes, summed over rings as wide as
/// the larger of the two steps in wavenumber, up to the smaller of the two Nyquist wavenumbers. `cells` are the lengths of
/// a row's and a column's step in kilometres.
pub(crate) fn isotropic(map: &ArrayView2<'_, f64>, cells: [f64; 2], taper: Taper) -> Option<Density> {
    let (rows, columns) = map.dim();
    if rows < 4 || columns < 4 {
        return None;
    }
    let flat = without_plane(map)?;
    let (across, along) = (taper.weights(rows), taper.weights(columns));
    let squares = |weights: &[f64]| weights.iter().map(|own| own * own).sum::<f64>();
    let size = squares(&across) * squares(&along);
    let power = plane_power(&flat, &across, &along)?;
    let steps = [1.0 / (rows as f64 * cells[0]), 1.0 / (columns as f64 * cells[1])];
    let width = steps[0].max(steps[1]);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most the number of rows")]
    let rings = floor((0.5 / cells[0]).min(0.5 / cells[1]) / width + 1e-9) as usize;
    let mut sums = vec![0.0; rings];
    for (at, value) in power.iter().enumerate() {
        let (row, column) = (at / columns, at % columns);
        let own =
            |at: usize, n: usize, step: f64| step * if at > n / 2 { n as f64 - at as f64 } else { at as f64 };
        let (y, x) = (own(row, rows, steps[0]), own(column, columns, steps[1]));
        // Rings are centred on multiples of their width.
        let ring = ceil(sqrt(x * x + y * y) / width - 0.5);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
        if let Some(sum) = (ring >= 1.0).then(|| ring as usize - 1).and_then(|ring| sums.get_mut(ring)) {
            *sum += value / size / (rows * columns) as f64;
        }
    }
    Some(Density {
        wavenumber: (1..=rings).map(|ring| ring as f64 * width).collect(),
        power: sums.into_iter().map(|sum| sum / width).collect(),
    })
}

/// The values less their least-squares plane, row-major; `None` when one is missing.
fn without_plane(map: &ArrayView2<'_, f64>) -> Option<Vec<f64>> {
    let values: Vec<f64> = map.iter().copied().collect();
    if values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let places = map.indexed_iter().map(|((row, column), _)| (row as f64, column as f64));
    let (y, x): (Vec<f64>, Vec<f64>) = places.unzip();
    let columns = [vec![1.0; values.len()], x, y];
    let factors = solve(&columns, &values)?;
    Some(rest(&columns, &factors, &values))
}

/// `|F|²` of a tapered plane, row-major, all wavenumbers.
fn plane_power(values: &[f64], across: &[f64], along: &[f64]) -> Option<Vec<f64>> {
    let (rows, columns) = (across.len(), along.len());
    let mut planner = RealFftPlanner::<f64>::new();
    let (by_row, by_column) = (planner.plan_fft_forward(columns), planner.plan_fft_forward(rows));
    let half = columns / 2 + 1;
    let mut lines = Vec::with_capacity(rows);
    for (row, weight) in values.chunks_exact(columns).zip(across) {
        let mut input: Vec<f64> = row.iter().zip(along).map(|(value, own)| value * own * weight).collect();
        let mut output = by_row.make_output_vec();
        by_row.process(&mut input, &mut output).ok()?;
        lines.push(output);
    }
    let mut power = vec![0.0; rows * columns];
    for column in 0..half {
        // A complex column is two real ones; what lies beyond the half follows from the conjugates.
        let transform = |of: fn(&Complex<f64>) -> f64| {
            let mut input: Vec<f64> = lines.iter().map(|line| of(&line[column])).collect();
            let mut output = by_column.make_output_vec();
            by_column.process(&mut input, &mut output).ok().map(|()| output)
        };
        let (re, im) = (transform(|own| own.re)?, transform(|own| own.im)?);
        for row in 0..rows {
            let (a, b) = if row <= rows / 2 {
                (re[row], im[row])
            } else {
                (re[rows - row].conj(), im[rows - row].conj())
            };
            let own = (a + Complex::new(0.0, 1.0) * b).norm_sqr();
            power[row * columns + column] = own;
            let (mirror_row, mirror) = ((rows - row) % rows, (columns - column) % columns);
            power[mirror_row * columns + mirror] = own;
        }
    }
    Some(power)
}

/// Density at other wavenumbers, linear between its own; missing beyond them.
pub(crate) fn at(density: &Density, wavenumber: &[f64]) -> Vec<f64> {
    let own = &density.wavenumber;
    let value = |k: &f64| {
        let after = own.partition_point(|other| other < k);
        match (after.checked_sub(1), own.get(after)) {
            (_, Some(high)) if (high - k).abs() < 1e-12 * k => density.power[after],
            (Some(low), Some(high)) => {
                let part = (k - own[low]) / (high - own[low]);
                density.power[low] + part * (density.power[after] - density.power[low])
            }
            _ => f64::NAN,
        }
    };
    wavenumber.iter().map(value).collect()
}

/// Slope of the logarithm of the density over that of the wavenumber between two wavenumbers, and how many it rests on;
/// missing for fewer than 3.
pub(crate) fn slope(density: &Density, between: [f64; 2]) -> (f64, usize) {
    let points: Vec<(f64, f64)> = density
        .wavenumber
        .iter()
        .zip(&density.power)
        .filter(|(k, power)| **k >= between[0] && **k <= between[1] && **power > 0.0)
        .map(|(k, power)| (log(*k), log(*power)))
        .collect();
    let n = points.len();
    if n < 3 {
        return (f64::NAN, n);
    }
    let (x, y): (Vec<f64>, Vec<f64>) = points.into_iter().unzip();
    (solve(&[vec![1.0; n], x], &y).map_or(f64::NAN, |found| found[1]), n)
}

#[cfg(test)]
mod tests {
    use core::f64::consts::PI;

    use libm::cos;
    use ndarray::Array2;

    use super::*;

    #[test]
    fn the_integral_is_the_variance_of_a_wave() {
        let line: Vec<f64> = (0..64).map(|at| 2.0 * cos(2.0 * PI * 8.0 * f64::from(at) / 64.0)).collect();
        for taper in [Taper::Boxcar, Taper::Hann] {
            let found = along(&line, 25.0, taper).unwrap();
            let sum: f64 = found.power.iter().sum::<f64>() / (64.0 * 25.0);
            assert!((sum - 2.0).abs() < 0.02, "{taper:?} {sum}");
        }
        // A wave of 4 cells eastward and 8 northward on cells of 10 by 5 km: 40 km and 40 km, 28.28 km across.
        let map =
            Array2::from_shape_fn((64, 32), |(y, x)| 2.0 * cos(2.0 * PI * (x as f64 / 4.0 + y as f64 / 8.0)));
        let found = isotropic(&map.view(), [5.0, 10.0], Taper::Hann).unwrap();
        let width = found.wavenumber[0];
        let best = (0..found.power.len()).max_by(|a, b| found.power[*a].total_cmp(&found.power[*b])).unwrap();
        assert!((1.0 / found.wavenumber[best] - 28.28).abs() < 2.0, "{}", found.wavenumber[best]);
        let sum: f64 = found.power.iter().sum::<f64>() * width;
        assert!((sum - 2.0).abs() < 0.05, "{sum}");
        assert!((width - 1.0 / 320.0).abs() < 1e-15);
    }

    #[test]
    fn the_plane_power_is_that_of_numpy() {
        let values: Vec<f64> = (0..20_u32).map(|at| f64::from(at * at % 7)).collect();
        let found = plane_power(&values, &[1.0; 4], &[1.0, 0.5, 1.0, 1.0, 2.0]).unwrap();
        // abs(numpy.fft.fft2(v * w))**2 at (0, 0), (1, 2), (3, 1), (2, 4).
        let peer = [2209.0, 23.621_787_542_442_522, 110.651_113_700_260_72, 336.601_772_751_238_3];
        for (at, peer) in [0, 7, 16, 14].into_iter().zip(peer) {
            assert!((found[at] - peer).abs() < 1e-9 * peer, "{at} {}", found[at]);
        }
    }

    #[test]
    fn a_power_law_has_its_slope() {
        let wavenumber: Vec<f64> = (1..50).map(|at| f64::from(at) * 0.001).collect();
        let power = wavenumber.iter().map(|k| 3.0 / (k * k * k)).collect();
        let density = Density { wavenumber, power };
        let (own, n) = slope(&density, [0.005, 0.02]);
        assert!((own + 3.0).abs() < 1e-9 && n == 16, "{own} {n}");
        assert!(slope(&density, [1.0, 2.0]).0.is_nan());
        let between = at(&density, &[0.002, 0.0015, 1.0]);
        assert!(
            (between[0] - density.power[1]).abs() < 1e-3 && between[1] > between[0] && between[2].is_nan()
        );
    }
}
