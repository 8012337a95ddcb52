//! Horizontal derivatives on the sphere.

use ndarray::{Array2, ArrayView2};

use super::sphere::{EARTH_RADIUS, RADIANS};

/// What becomes of a derivative where a neighbour has no value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coasts {
    /// It is missing.
    #[default]
    Missing,
    /// It is the one-sided difference to the other neighbour.
    OneSided,
}

/// A grid of latitudes and longitudes on which maps `(lat, lon)` are differentiated.
///
/// Inside, differences are centred and of second order for any spacing; at the edges of the grid they are one-sided
/// and of first order. Where the longitudes go round the globe and `wrap` is set, east and west join. A derivative
/// is missing where the cell itself is.
#[derive(Debug, Clone)]
pub struct Plane {
    /// Latitudes in degrees.
    lat: Vec<f64>,
    rows: Vec<Stencil>,
    columns: Vec<Stencil>,
    coasts: Coasts,
}

/// Neighbours of a place on an axis, with the steps to them in radians.
#[derive(Debug, Clone, Copy)]
struct Stencil {
    before: Option<(usize, f64)>,
    after: Option<(usize, f64)>,
}

impl Plane {
    /// A grid of latitudes and longitudes in degrees.
    pub fn new(lat: &[f64], lon: &[f64], wrap: bool, coasts: Coasts) -> Self {
        let turn = if wrap && closes(lon) { Some(360.0 * RADIANS) } else { None };
        Self { lat: lat.to_vec(), rows: stencils(lat, None), columns: stencils(lon, turn), coasts }
    }

    /// Whether its east and west join.
    pub fn is_round(&self) -> bool {
        self.columns.len() > 1 && self.columns.first().is_some_and(|first| first.before.is_some())
    }

    /// Latitudes in degrees.
    pub fn lat(&self) -> &[f64] {
        &self.lat
    }

    /// `(1 / R cos φ) ∂/∂λ`, per metre eastwards.
    pub fn eastward(&self, map: &ArrayView2<'_, f64>) -> Array2<f64> {
        Array2::from_shape_fn(map.dim(), |(y, x)| {
            let scale = EARTH_RADIUS * libm::cos(self.lat[y] * RADIANS);
            self.difference(self.columns[x], map[[y, x]], |other| map[[y, other]]) / scale
        })
    }

    /// `(1 / R) ∂/∂φ`, per metre northwards.
    pub fn northward(&self, map: &ArrayView2<'_, f64>) -> Array2<f64> {
        Array2::from_shape_fn(map.dim(), |(y, x)| {
            self.difference(self.rows[y], map[[y, x]], |other| map[[other, x]]) / EARTH_RADIUS
        })
    }

    /// `tan φ / R` of a row, the curvature term of vector derivatives, per metre.
    pub fn curvature(&self, row: usize) -> f64 {
        libm::tan(self.lat[row] * RADIANS) / EARTH_RADIUS
    }

    fn difference(&self, stencil: Stencil, own: f64, value: impl Fn(usize) -> f64) -> f64 {
        let side = |neighbour: Option<(usize, f64)>| neighbour.map(|(at, step)| (value(at), step));
        let (before, after) = (side(stencil.before), side(stencil.after));
        let wet = |side: &Option<(f64, f64)>| side.is_some_and(|(value, _)| !value.is_nan());
        let backward = |(value, step): (f64, f64)| (own - value) / step;
        let forward = |(value, step): (f64, f64)| (value - own) / step;
        match (before, after) {
            (Some(low), Some(high)) if wet(&before) && wet(&after) => {
                // Slopes on both sides, the nearer one weighing more: exact for a parabola.
                (backward(low) * high.1 + forward(high) * low.1) / (low.1 + high.1)
            }
            (Some(low), Some(_)) if self.coasts == Coasts::OneSided && wet(&before) => backward(low),
            (Some(_), Some(high)) if self.coasts == Coasts::OneSided => forward(high),
            (Some(low), None) => backward(low),
            (None, Some(high)) => forward(high),
            _ => f64::NAN,
        }
    }
}

fn stencils(degrees: &[f64], turn: Option<f64>) -> Vec<Stencil> {
    let n = degrees.len();
    let step = |from: usize, to: usize| (degrees[to] - degrees[from]) * RADIANS;
    (0..n)
        .map(|at| {
            let before = if at > 0 {
                Some((at - 1, step(at - 1, at)))
            } else {
                turn.map(|turn| (n - 1, step(n - 1, 0) + turn))
            };
            let after = if at + 1 < n {
                Some((at + 1, step(at, at + 1)))
            } else {
                turn.map(|turn| (0, step(n - 1, 0) + turn))
            };
            Stencil { before, after }
        })
        .collect()
}

/// Whether the step from the last longitude round to the first is like the others.
fn closes(lon: &[f64]) -> bool {
    let n = lon.len();
    if n < 3 {
        return false;
    }
    let mean = (lon[n - 1] - lon[0]) / (n - 1) as f64;
    let gap = lon[0] + 360.0 - lon[n - 1];
    (gap - mean).abs() < 0.01 * mean.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(from: f64, step: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| from + step * i as f64).collect()
    }

    #[test]
    fn a_parabola_on_an_uneven_axis_is_exact_inside() {
        let lat = [0.0, 1.0, 3.0, 4.5];
        let plane = Plane::new(&lat, &[10.0, 11.0], false, Coasts::Missing);
        let map = Array2::from_shape_fn((4, 2), |(y, _)| (lat[y] * RADIANS).powi(2));
        let slope = plane.northward(&map.view());
        for y in [1, 2] {
            let exact = 2.0 * lat[y] * RADIANS / EARTH_RADIUS;
            assert!((slope[[y, 0]] - exact).abs() < 1e-15 * EARTH_RADIUS.recip() + exact * 1e-12);
        }
        assert!((slope[[0, 0]] - RADIANS / EARTH_RADIUS).abs() < 1e-20);
    }

    #[test]
    fn a_round_grid_has_no_edge_and_an_open_one_has() {
        let lon = axis(0.5, 1.0, 360);
        let map = Array2::from_shape_fn((1, 360), |(_, x)| libm::sin(lon[x] * RADIANS));
        let round = Plane::new(&[60.0], &lon, true, Coasts::Missing);
        assert!(round.is_round() && !Plane::new(&[60.0], &lon, false, Coasts::Missing).is_round());
        assert!(!Plane::new(&[60.0], &lon[..350], true, Coasts::Missing).is_round());
        let slope = round.eastward(&map.view());
        for x in [0, 100, 359] {
            let exact = libm::cos(lon[x] * RADIANS) / (EARTH_RADIUS * 0.5);
            // sin(h) / h of a degree is 5e-5 below 1.
            assert!((slope[[0, x]] - exact).abs() < 2e-4 / EARTH_RADIUS, "{x}");
        }
        assert!(round.northward(&map.view()).iter().all(|value| value.is_nan()), "one row has no slope");
    }

    #[test]
    fn a_coast_is_missing_or_one_sided() {
        let lon = axis(0.0, 1.0, 4);
        let map = Array2::from_shape_vec((1, 4), vec![0.0, 1.0, f64::NAN, 3.0]).unwrap();
        let missing = Plane::new(&[0.0], &lon, true, Coasts::Missing).eastward(&map.view());
        let unit = 1.0 / (RADIANS * EARTH_RADIUS);
        assert!(
            (missing[[0, 0]] - unit).abs() < 1e-20 && missing[[0, 1]].is_nan() && missing[[0, 2]].is_nan()
        );
        let sided = Plane::new(&[0.0], &lon, true, Coasts::OneSided).eastward(&map.view());
        assert!((sided[[0, 1]] - unit).abs() < 1e-20 && sided[[0, 2]].is_nan() && sided[[0, 3]].is_nan());
    }
}
