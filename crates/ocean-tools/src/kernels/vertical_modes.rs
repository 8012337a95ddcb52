//! Internal waves of a column: gravity-wave speeds and the modes that go with them.
//!
//! # Source
//! Gill (1982), "Atmosphere–Ocean Dynamics", section 6.11: `w″ + (N²/c²) w = 0` with `w = 0` at a rigid surface and at
//! the bottom. Chelton et al. (1998), J. Phys. Oceanogr. 28, 433–460, for the WKB form and the radius of deformation.

use super::layers::{LowestEdge, edges};
use super::sphere::{beta, coriolis};

/// The smallest stratification, s-2, that a mode is computed with: where the column is neutral or overturns, modes are
/// not defined otherwise.
pub const FLOOR: f64 = 1e-10;
/// Latitude in degrees inside of which the radius is the equatorial one.
pub const EQUATORIAL: f64 = 5.0;

/// A baroclinic mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// Gravity-wave speed, m s-1.
    pub speed: f64,
    /// Vertical velocity and displacement at the levels of N²; its largest value is 1.
    pub vertical: Vec<f64>,
    /// Pressure and horizontal velocity between the levels of N² (and surface and bottom): mean square 1 over the column,
    /// positive at the surface.
    pub horizontal: Vec<f64>,
}

/// How deep a column reaches whose lowest level is the last: as far below it as half-way above.
pub fn lowest(depth: &[f64]) -> f64 {
    edges(depth, LowestEdge::Extended).last().copied().unwrap_or(f64::NAN)
}

/// Speed of the first mode by WKB: the integral of N over the column by π, each level of N² standing for the water
/// half-way to its neighbours, the last to `bottom` metres. Where N² is negative N is 0.
pub fn wkb_speed(n2: &[f64], depth: &[f64], bottom: f64) -> f64 {
    if depth.is_empty() {
        return f64::NAN;
    }
    let mut edges = edges(depth, LowestEdge::Extended);
    if let Some(last) = edges.last_mut() {
        *last = bottom;
    }
    let layers = edges.windows(2).map(|pair| pair[1].min(bottom) - pair[0].min(bottom));
    let integral: f64 = layers.zip(n2).map(|(layer, n2)| libm::sqrt(n2.max(0.0)) * layer).sum();
    integral / std::f64::consts::PI
}

/// Radius of deformation in metres of a gravity-wave speed at a latitude: `c/|f|`, and `√(c/2β)` within 5° of the
/// equator.
pub fn radius(speed: f64, lat: f64) -> f64 {
    if lat.abs() < EQUATORIAL { libm::sqrt(speed / (2.0 * beta(lat))) } else { speed / coriolis(lat).abs() }
}

/// The first `count` modes of N² at increasing depths in metres, down to `bottom`; fewer where the levels do not hold
/// more.
///
/// Linear elements between the levels with the mass at the levels: a symmetric tridiagonal problem, eigenvalues by
/// bisection on Sturm sequences, vectors by inverse iteration.
pub fn modes(n2: &[f64], depth: &[f64], bottom: f64, count: usize) -> Vec<Mode> {
    let inside: Vec<(f64, f64)> = depth
        .iter()
        .zip(n2)
        .filter(|(z, n2)| **z > 0.0 && **z < bottom && !n2.is_nan())
        .map(|(z, n2)| (*z, n2.max(FLOOR)))
        .collect();
    let n = inside.len();
    if n == 0 {
        return Vec::new();
    }
    let place = |at: usize| if at == 0 { 0.0 } else { inside.get(at - 1).map_or(bottom, |level| level.0) };
    let steps: Vec<f64> = (0..=n).map(|at| place(at + 1) - place(at)).collect();
    let mass: Vec<f64> = (0..n).map(|at| inside[at].1 * 0.5 * (steps[at] + steps[at + 1])).collect();
    let diagonal: Vec<f64> = (0..n).map(|at| (1.0 / steps[at] + 1.0 / steps[at + 1]) / mass[at]).collect();
    let beside: Vec<f64> =
        (1..n).map(|at| -1.0 / (steps[at] * libm::sqrt(mass[at - 1] * mass[at]))).collect();
    let matrix = Tridiagonal { diagonal, beside };
    (0..count.min(n))
        .map(|order| {
            let value = matrix.eigenvalue(order);
            let vector = matrix.eigenvector(value);
            shape(&vector, &mass, &steps, bottom, 1.0 / libm::sqrt(value))
        })
        .collect()
}

fn shape(vector: &[f64], mass: &[f64], steps: &[f64], bottom: f64, speed: f64) -> Mode {
    let mut vertical: Vec<f64> = vector.iter().zip(mass).map(|(own, mass)| own / libm::sqrt(*mass)).collect();
    // Horizontal velocity goes with the change of w downwards, positive at the surface.
    let sign = if vertical[0] < 0.0 { -1.0 } else { 1.0 };
    let most = vertical.iter().fold(0.0_f64, |most, own| most.max(own.abs()));
    for own in &mut vertical {
        *own *= sign / most;
    }
    let w = |at: usize| if at == 0 { 0.0 } else { vertical.get(at - 1).copied().unwrap_or(0.0) };
    let mut horizontal: Vec<f64> =
        steps.iter().enumerate().map(|(at, step)| (w(at + 1) - w(at)) / step).collect();
    let square: f64 = horizontal.iter().zip(steps).map(|(own, step)| own * own * step).sum();
    let scale = libm::sqrt(square / bottom);
    for own in &mut horizontal {
        *own /= scale;
    }
    Mode { speed, vertical, horizontal }
}

/// A symmetric tridiagonal matrix.
#[derive(Debug)]
struct Tridiagonal {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
}

impl Tridiagonal {
    /// How many eigenvalues are below a number: the negative terms of its Sturm sequence.
    fn below(&self, number: f64) -> usize {
        let (mut count, mut term) = (0, 1.0_f64);
        for (at, own) in self.diagonal.iter().enumerate() {
            let square = if at == 0 { 0.0 } else { self.beside[at - 1] * self.beside[at - 1] };
            term = own - number - square / term;
            if term == 0.0 {
                term = -f64::EPSILON * own.abs();
            }
            count += usize::from(term < 0.0);
        }
        count
    }

    /// The eigenvalue of an order, from the smallest on.
    fn eigenvalue(&self, order: usize) -> f64 {
        let side = |at: usize| self.beside.get(at).copied().unwrap_or(0.0).abs();
        // Gershgorin's discs; the matrix is positive definite.
        let reach = |at: usize| self.diagonal[at] + side(at) + if at == 0 { 0.0 } else { side(at - 1) };
        let (mut low, mut high) = (0.0, (0..self.diagonal.len()).map(reach).fold(0.0, f64::max));
        while high - low > 1e-15 * high {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if self.below(middle) > order { high = middle } else { low = middle }
        }
        f64::midpoint(low, high)
    }

    /// The vector of an eigenvalue, of unit length.
    fn eigenvector(&self, value: f64) -> Vec<f64> {
        // The smallest eigenvalue bounds how far apart they can be told; a shift beside it keeps the solver regular.
        let shift = value * (1.0 + 1e-12);
        let mut vector: Vec<f64> = (0..self.diagonal.len()).map(|at| 1.0 / (at as f64 + 1.5)).collect();
        for _ in 0..4 {
            vector = self.solve(shift, &vector);
            let length = libm::sqrt(vector.iter().map(|own| own * own).sum());
            for own in &mut vector {
                *own /= length;
            }
        }
        vector
    }

    /// Solves `(A − shift) x = b` by elimination.
    fn solve(&self, shift: f64, right: &[f64]) -> Vec<f64> {
        let n = right.len();
        let (mut pivots, mut x) = (vec![0.0; n], right.to_vec());
        for at in 0..n {
            pivots[at] = self.diagonal[at] - shift;
            if at > 0 {
                let factor = self.beside[at - 1] / pivots[at - 1];
                pivots[at] -= factor * self.beside[at - 1];
                x[at] -= factor * x[at - 1];
            }
            if pivots[at] == 0.0 {
                pivots[at] = f64::EPSILON * self.diagonal[at];
            }
        }
        for at in (0..n).rev() {
            if at + 1 < n {
                x[at] -= self.beside[at] * x[at + 1];
            }
            x[at] /= pivots[at];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn column(n: usize, bottom: f64) -> Vec<f64> {
        (1..n).map(|at| bottom * at as f64 / n as f64).collect()
    }

    #[test]
    fn constant_stratification_has_sines_and_cosines() {
        let (bottom, frequency) = (4000.0, 2e-3);
        let depth = column(200, bottom);
        let n2 = vec![frequency * frequency; depth.len()];
        for (order, mode) in modes(&n2, &depth, bottom, 3).iter().enumerate() {
            let m = (order + 1) as f64;
            // Second order: the discrete wave number is sin(x)/x below mπ/H.
            let half = m * PI / 400.0;
            let exact = frequency * bottom / (m * PI) * half / libm::sin(half);
            assert!((mode.speed / exact - 1.0).abs() < 1e-9, "{order}: {} {exact}", mode.speed);
            for (z, w) in depth.iter().zip(&mode.vertical) {
                let sine = libm::sin(m * PI * z / bottom);
                assert!((w - sine).abs() < 2e-3, "{order} {z}: {w} {sine}");
            }
            let root = libm::sqrt(2.0);
            assert!((mode.horizontal[0] - root * libm::cos(half)).abs() < 1e-4);
            let square = mode.horizontal.iter().map(|own| own * own).sum::<f64>() / 200.0;
            assert!((square - 1.0).abs() < 1e-12);
        }
        assert!((wkb_speed(&n2, &depth, bottom) - frequency * bottom / PI).abs() < 1e-12);
    }

    #[test]
    fn modes_of_an_uneven_column_are_those_of_the_peer() {
        let depth = [10.0, 30.0, 75.0, 150.0, 300.0, 600.0, 1100.0, 1800.0, 2600.0];
        let n2: Vec<f64> = depth.iter().map(|z| 1e-4 * libm::exp(-z / 400.0) + 1e-6).collect();
        let found = modes(&n2, &depth, 3000.0, 3);
        // scipy.linalg.eigh of the same stiffness and mass matrices.
        for (mode, speed) in found.iter().zip(SPEEDS) {
            assert!((mode.speed / speed - 1.0).abs() < 1e-11, "{}", mode.speed);
        }
        for (w, exact) in found[1].vertical.iter().zip(SECOND) {
            assert!((w - exact).abs() < 1e-9, "{w} {exact}");
        }
        let middle: f64 = found[0].horizontal.iter().zip(&found[1].horizontal).map(|(a, b)| a * b).sum();
        assert!(middle.is_finite() && modes(&n2, &depth, 3000.0, 50).len() == 9);
    }

    const SPEEDS: [f64; 3] = [2.933_334_287_808_506_7, 1.467_455_071_761_903_7, 1.075_114_519_091_986_4];
    const SECOND: [f64; 9] = [
        0.033_985_522_346_874_734,
        0.101_490_059_757_256_71,
        0.246_911_678_757_532_17,
        0.445_989_651_602_101_9,
        0.600_447_620_360_023_6,
        0.001_487_715_946_985_543_5,
        -1.0,
        -0.960_207_160_671_64,
        -0.349_982_344_330_597_4,
    ];

    #[test]
    fn radii_follow_the_latitude() {
        assert!((radius(2.5, 45.0) - 2.5 / coriolis(45.0)).abs() < 1e-9);
        assert_eq!(radius(2.5, -45.0).to_bits(), radius(2.5, 45.0).to_bits());
        assert!((radius(2.5, 0.0) - libm::sqrt(2.5 / (2.0 * beta(0.0)))).abs() < 1e-6);
        assert!((lowest(&[5.0, 15.0]) - 20.0).abs() < 1e-12);
    }
}
